import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { AppOptions } from "../../src/app/app.ts";
import { directoryJob } from "../../src/features/accounts/directory.ts";
import { type DemoLogin, makeDemoOnce } from "../../src/app/demo.ts";
import type { Code } from "../../src/base/errors.ts";
import { freePort } from "../../src/store/embedded.ts";
import { freshDatabase } from "./database.ts";
import { filesIn, freshDirectory } from "./files.ts";
import { makeToken } from "./make.ts";
import { fenced } from "./messages.ts";
import { type Answer, startService, type TestService } from "./service.ts";

/** Runs the guides of docs/guides as a reader does: on the demo account of a first start, with the log-ins that it prints. */

export interface FirstStart {
  readonly service: TestService;
  /** The account and the log-ins that a first start prints. */
  readonly alias: string;
  readonly logins: readonly Pick<DemoLogin, "email" | "password">[];
  readonly clientToken: string;
  readonly publicUrl: string;
  /** Reads as the administrator of the demo account. */
  readonly read: (path: string) => Promise<Answer>;
}

/** A service whose only account of interest is a new demo account. */
export async function startDemo(
  context: { after: (end: () => Promise<void>) => void },
  options: Partial<AppOptions> = {},
): Promise<FirstStart> {
  const publicUrl = `http://localhost:${await freePort()}`;
  const folder = await freshDirectory();
  const files = filesIn(folder.path, publicUrl);
  const database = await freshDatabase("the first start finds no account");
  const demo = await makeDemoOnce(database.db, files.store);
  assert.ok(demo);
  // With two servers, it lives on the second one.
  await directoryJob.run(database.db);
  const service = await startService({
    database,
    files,
    publicUrl,
    origins: [publicUrl],
    ...options,
  });
  context.after(async () => {
    await service.stop();
    await folder.remove();
  });
  const {
    alias,
    integration: { clientToken },
    logins,
  } = demo;
  const [administrator] = await database.db<{ accountId: string; id: string }[]>`
    select account_id as "accountId", id from people where email = ${logins[0]?.email ?? ""}`;
  assert.ok(administrator);
  const as = await makeToken(database.db, administrator.accountId, administrator.id);
  const read = (path: string) => service.get(path, { as, headers: { Origin: publicUrl } });
  return { service, alias, logins, clientToken, publicUrl, read };
}

/** A password of the guide, after the e-mail address to which it belongs. */
const LOGIN = /='([^'\n]+@[^'\n]+)'\n(\w+)='<password>'$/gm;

/**
 * Runs all commands of a guide in one shell, and returns what they print. The reader fills in the address of the service and
 * the passwords, which each installation has its own of. `given` replaces further settings, such as folders.
 */
export async function runGuide(
  name: string,
  { logins, publicUrl }: Pick<FirstStart, "logins" | "publicUrl">,
  {
    cwd,
    errors = [],
    given = {},
  }: {
    cwd?: string;
    /** The codes of the errors that the commands print. */
    errors?: readonly Code[];
    given?: Readonly<Record<string, string>>;
  } = {},
): Promise<string> {
  const guide = new URL(`../../../docs/guides/${name}.md`, import.meta.url);
  const [settings = "", ...commands] = fenced(await readFile(guide, "utf8"), "sh");
  const replaced: Readonly<Record<string, string>> = { ...given, HERE: publicUrl };
  const filledIn = settings
    .replaceAll(/^(\w+)='.*'$/gm, (line, setting: string) =>
      replaced[setting] === undefined ? line : `${setting}='${replaced[setting]}'`,
    )
    .replaceAll(LOGIN, (_, email: string, password: string) => {
      const login = logins.find((one) => one.email === email);
      assert.ok(login, `The first start prints no log-in of ${email}.`);
      return `='${email}'\n${password}='${login.password}'`;
    });
  assert.ok(!filledIn.includes("<password>"), filledIn);
  const { stderr, stdout } = await promisify(execFile)(
    "sh",
    ["-euc", [filledIn, ...commands].join("\n")],
    { cwd, env: { PATH: process.env["PATH"] } },
  );
  assert.equal(stderr, "");
  const codes = [...stdout.matchAll(/^\{"errors":\[.*?"code":"([^"]+)"/gm)];
  assert.deepEqual(
    codes.map(([, code]) => code),
    errors,
  );
  return stdout;
}
