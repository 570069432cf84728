import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { importSteps } from "../../src/features/imports/queue.ts";
import { freePort } from "../../src/store/embedded.ts";
import { fenced } from "../support/messages.ts";
import { testServices, workOn } from "../support/queues.ts";
import { startService } from "../support/service.ts";
import { makeLogin, PASSWORD } from "../support/sign-in.ts";

/** Runs the commands of docs/guides/move-a-congregation-in.md in a shell. */

test("the commands import people after a correction, and undo the import", async (context) => {
  const publicUrl = `http://localhost:${await freePort()}`;
  const service = await startService({ publicUrl, origins: [publicUrl] });
  context.after(() => service.stop());
  const { account, database, db } = service;
  await db`update accounts set settings = settings || '{"country": "BR"}' where id = ${account.id}`;
  workOn(context, database, [importSteps], testServices());
  const administrator = await makeLogin(db, account, "administrator", {
    administrativeStatus: "full-administrator",
  });
  const folder = await mkdtemp(join(tmpdir(), "vestry-guide-"));
  context.after(() => rm(folder, { recursive: true, force: true }));

  const guide = new URL("../../../docs/guides/move-a-congregation-in.md", import.meta.url);
  const [settings = "", ...commands] = fenced(await readFile(guide, "utf8"), "sh");
  const given: Record<string, string> = {
    HERE: publicUrl,
    ACCOUNT: account.alias,
    EMAIL: administrator.email,
    PASSWORD,
  };
  const replaced = settings.replaceAll(/^(\w+)='.*'$/gm, (_, name) => `${name}='${given[name]}'`);
  const { stderr, stdout } = await promisify(execFile)(
    "sh",
    ["-euc", [replaced, ...commands].join("\n")],
    { cwd: folder, env: { PATH: process.env["PATH"] } },
  );
  assert.equal(stderr, "");
  const statuses = [...stdout.matchAll(/"status":"(\w+)","failure"/g)].map(([, status]) => status);
  assert.deepEqual(
    statuses.filter((status) => status !== "validating"),
    ["ready", "ready", "done", "undone"],
  );
  assert.match(stdout, /"code": "invalid-attribute", "column": "Nascimento"/);
  assert.match(stdout, /"row":4,"errors":\[\{"code": "missing-attribute", "column": null/);
  assert.match(stdout, /"number": "\+5511987654321"/);
  const [left] = await db`
    select count(*)::int as count from people where account_id = ${account.id} and external_ids ? 'former'`;
  assert.equal(left?.["count"], 0);
});
