import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { importSteps } from "../../src/features/imports/steps/queue.ts";
import { freePort } from "../../src/store/embedded.ts";
import { makeDemoOnce } from "../../src/app/demo.ts";
import { deleteAccount } from "../../src/features/accounts/delete-account.ts";
import { findAccount } from "../../src/features/accounts/account-status.ts";
import { filesIn } from "../support/files.ts";
import { freshDatabase } from "../support/database.ts";
import { fenced } from "../support/messages.ts";
import { testServices, workOn } from "../support/queues.ts";
import { startService } from "../support/service.ts";

/** Runs the commands of docs/guides/move-a-congregation-in.md in a shell. */

test("the commands import people after a correction, and undo the import", async (context) => {
  const publicUrl = `http://localhost:${await freePort()}`;
  const service = await startService({
    publicUrl,
    origins: [publicUrl],
    database: await freshDatabase("the demo account is the first one"),
  });
  context.after(() => service.stop());
  const { account, database, db } = service;
  workOn(context, database, [importSteps], testServices());
  const folder = await mkdtemp(join(tmpdir(), "vestry-guide-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  await db`update accounts set status = 'inactive' where id = ${account.id}`;
  await deleteAccount(db, await findAccount(db, account.alias));
  const demo = await makeDemoOnce(db, filesIn(join(folder, "files"), publicUrl).store);
  const [administrator] = demo?.logins ?? [];
  assert.ok(demo && administrator);

  const guide = new URL("../../../docs/guides/move-a-congregation-in.md", import.meta.url);
  const [settings = "", ...commands] = fenced(await readFile(guide, "utf8"), "sh");
  const given: Record<string, string> = {
    HERE: publicUrl,
    PASSWORD: administrator.password,
  };
  assert.match(settings, new RegExp(`ACCOUNT='${demo.alias}'\nEMAIL='${administrator.email}'`));
  const replaced = settings.replaceAll(/^(\w+)='.*'$/gm, (line, name) =>
    name in given ? `${name}='${given[name]}'` : line,
  );
  const { stderr, stdout } = await promisify(execFile)(
    "sh",
    ["-euc", [replaced, ...commands].join("\n")],
    { cwd: folder, env: { PATH: process.env["PATH"] } },
  );
  assert.equal(stderr, "");
  const statuses = [...stdout.matchAll(/"status":"(\w+)","failure"/g)].map(([, status]) => status);
  assert.deepEqual(
    statuses.filter((status) => status !== "validating"),
    ["ready", "created", "ready", "ready", "done", "undone"],
  );
  assert.match(stdout, /"Celular": \{"too-short": 1, "area-code-missing": 1\}/);
  assert.match(stdout, /"value": "31\/02\/1990", "column": "Nascimento"/);
  assert.match(
    stdout,
    /^Nome,Sexo,.*,Errors\r\n,F,nobody@.*,full-name is required\.\r\nVera Dias,.*Celular: /m,
  );
  assert.match(stdout, /"number": ?"\+5511987654321"/);
  assert.match(stdout, /"included":\[.*Rosa Lima/);
  const [left] = await db`
    select count(*)::int as count from people where external_ids ? 'former'`;
  assert.equal(left?.["count"], 0);
});
