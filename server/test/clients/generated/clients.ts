/**
 * `npm run test:clients`
 *
 * Makes clients from openapi.json with the generators of three languages, and compiles them. The generators are not
 * packages of this repository, so each is installed in a temporary folder. This takes minutes, so `npm test` leaves it out.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { startSetting } from "../support.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const openApi = fileURLToPath(new URL("../../../openapi.json", import.meta.url));

const INSTALL_MS_MAX = 240_000;
const minutes = { timeout: 2 * INSTALL_MS_MAX };

test("openapi-typescript makes types that compile and call the service", minutes, async (t) => {
  const folder = await copyOf("typescript", t);
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

test("openapi-python-client makes a package that compiles and imports", minutes, async (t) => {
  const folder = await copyOf("python", t);
  const bin = join(folder, "venv", process.platform === "win32" ? "Scripts" : "bin");
  const python = join(bin, "python");
  if (!(await install(t, folder, "python3", "-m", "venv", "venv"))) return;
  const requirements = ["install", "--quiet", "--requirement", "requirements.txt"];
  if (!(await install(t, folder, python, "-m", "pip", ...requirements))) return;

  const options = ["--config", "config.yaml", "--output-path", "client", "--fail-on-warning"];
  await run(folder, join(bin, "openapi-python-client"), "generate", "--path", openApi, ...options);
  await run(folder, python, "-m", "compileall", "-q", "client");
  await cp(join(folder, "import_all.py"), join(folder, "client", "import_all.py"));
  const modules = Number(await run(join(folder, "client"), python, "import_all.py"));
  assert.ok(modules > 1_000, `${modules} modules`);
});

test("oapi-codegen makes a Go package that compiles", minutes, async (t) => {
  const folder = await copyOf("go", t);
  if (!(await install(t, folder, "go", "mod", "download"))) return;
  await run(folder, "go", "tool", "oapi-codegen", "-config", "oapi-codegen.yaml", openApi);
  await run(folder, "go", "build", "./...");
  const client = await readFile(join(folder, "vestry.go"), "utf8");
  for (const name of ["ListPeople", "CreateWebhookEndpoint", "PersonUpdatedMessage"])
    assert.ok(client.includes(name), `The client has no ${name}.`);
});

async function copyOf(language: string, t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `vestry-${language}-`));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await cp(join(here, language), folder, { recursive: true });
  await cp(openApi, join(folder, "openapi.json"));
  return folder;
}

/** How npm, pip and Go report a registry that they cannot reach. */
const UNREACHABLE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|NewConnectionError|NameResolutionError|ConnectTimeoutError|dial tcp/;

/** Whether the tools are installed. Without the program or the registry, the test is skipped. Other failures are errors. */
async function install(t: TestContext, folder: string, program: string, ...args: string[]) {
  try {
    await run(folder, program, ...args);
    return true;
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === "ENOENT"
        ? `${program} is not installed.`
        : UNREACHABLE.test(String(error)) && `${program} cannot reach its registry.`;
    if (!reason) throw error;
    t.skip(reason);
    return false;
  }
}

function run(folder: string, program: string, ...args: string[]): Promise<string> {
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: INSTALL_MS_MAX,
    // A client is not part of a Go workspace or a module that surrounds the temporary folder.
    env: { ...process.env, GOWORK: "off", GOFLAGS: "-mod=readonly" },
  });
  let output = "";
  let printed = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
    printed += chunk;
  });
  child.stderr.on("data", (chunk) => (printed += chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ${args.join(" ")} ended with ${code}:\n${printed}`));
    });
  });
}
