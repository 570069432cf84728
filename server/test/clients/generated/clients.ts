/**
 * Makes clients from the OpenAPI document with the generators of three languages, and compiles them. The generators are not
 * packages of this repository, so each is installed in a temporary folder. This takes minutes, so `npm test` leaves it out.
 */
import assert from "node:assert/strict";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { describedCatalogue } from "../../../src/catalogue.ts";
import { serviceDocument } from "../../../src/contract/service-document.ts";
import { startSetting } from "../support.ts";
import { INSTALLING, install, run, temporaryCopy } from "../temporary-folder.ts";

const DOCUMENT = "openapi.json";

test("openapi-typescript makes types that compile and call the service", INSTALLING, async (t) => {
  const folder = await copyOf(t, "typescript");
  if (!(await install(t, folder, "npm", "ci", "--no-audit", "--no-fund"))) return;
  await run(folder, "npm", "run", "--silent", "build");

  const setting = await startSetting();
  t.after(() => setting.service.stop());
  const { call } = (await import(pathToFileURL(join(folder, "call.ts")).href)) as {
    call: (url: string, headers: Record<string, string>) => Promise<Record<string, unknown>>;
  };
  const { id, ...answers } = await call(setting.service.url, setting.headers);
  assert.match(String(id), /^[\da-f-]{36}$/);
  assert.deepEqual(answers, { names: ["Discipleship"], total: 1, code: "invalid-attribute" });
});

test("openapi-python-client makes a package that compiles and imports", INSTALLING, async (t) => {
  const folder = await copyOf(t, "python");
  const bin = join(folder, "venv", process.platform === "win32" ? "Scripts" : "bin");
  const python = join(bin, "python");
  if (!(await install(t, folder, "python3", "-m", "venv", "venv"))) return;
  const requirements = ["install", "--quiet", "--requirement", "requirements.txt"];
  if (!(await install(t, folder, python, "-m", "pip", ...requirements))) return;

  const options = ["--config", "config.yaml", "--output-path", "client", "--fail-on-warning"];
  await run(folder, join(bin, "openapi-python-client"), "generate", "--path", DOCUMENT, ...options);
  await run(folder, python, "-m", "compileall", "-q", "client");
  await cp(join(folder, "import_all.py"), join(folder, "client", "import_all.py"));
  const modules = Number(await run(join(folder, "client"), python, "import_all.py"));
  assert.ok(modules > 1_000, `${modules} modules`);
});

test("oapi-codegen makes a Go package that compiles", INSTALLING, async (t) => {
  const folder = await copyOf(t, "go");
  if (!(await install(t, folder, "go", "mod", "download"))) return;
  const options = ["-generate", "types,client", "-package", "vestry", "-o", "vestry.go"];
  await run(folder, "go", "tool", "oapi-codegen", ...options, DOCUMENT);
  await run(folder, "go", "build", "./...");
  const client = await readFile(join(folder, "vestry.go"), "utf8");
  for (const name of ["ListPeople", "CreateWebhookEndpoint", "PersonUpdatedMessage"])
    assert.ok(client.includes(name), `The client has no ${name}.`);
});

async function copyOf(t: TestContext, language: string): Promise<string> {
  const folder = await temporaryCopy(t, new URL(language, import.meta.url));
  await writeFile(join(folder, DOCUMENT), JSON.stringify(serviceDocument(describedCatalogue)));
  return folder;
}
