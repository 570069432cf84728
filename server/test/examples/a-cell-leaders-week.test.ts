import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";
import { freePort } from "../../src/store/embedded.ts";
import { dayFromToday, join, makeCell, makeMember } from "../support/cells.ts";
import { fenced } from "../support/messages.ts";
import { many, one, startService } from "../support/service.ts";
import { makeLogin, PASSWORD } from "../support/sign-in.ts";

/** Runs the commands of docs/guides/a-cell-leaders-week.md in a shell. */

test("the commands plan, report and correct a meeting, and list the people who stay away", async (context) => {
  const publicUrl = `http://localhost:${await freePort()}`;
  const service = await startService({ publicUrl, origins: [publicUrl] });
  context.after(() => service.stop());
  const { account, db } = service;
  const leader = await makeLogin(db, account, "miguel");
  const cell = await makeCell(db, account.id, { starts_at: 1_200, ends_at: 1_290 });
  await join(db, account.id, cell, leader.id, { cell_role: "leader" });
  for (let member = 0; member < 4; member += 1) await makeMember(db, account.id, cell);

  const guide = new URL("../../../docs/guides/a-cell-leaders-week.md", import.meta.url);
  const [settings = "", ...commands] = fenced(await readFile(guide, "utf8"), "sh");
  const today = await dayFromToday(db, account.id, 0);
  const extra = await dayFromToday(db, account.id, 10);
  const given: Record<string, string> = {
    HERE: publicUrl,
    ACCOUNT: account.alias,
    EMAIL: leader.email,
    PASSWORD,
    TODAY: today,
    EXTRA: extra,
  };
  const replaced = settings.replaceAll(/^(\w+)='.*'$/gm, (_, name) => `${name}='${given[name]}'`);
  const { stdout, stderr } = await promisify(execFile)(
    "sh",
    ["-euc", [replaced, ...commands].join("\n")],
    { env: { PATH: process.env["PATH"] } },
  );
  assert.equal(stderr, "");
  assert.ok(!stdout.includes(`"errors"`), stdout);
  assert.match(stdout, /"full-name":"Rui Melo"/);
  assert.match(stdout, /"present-count":3,/);
  assert.match(stdout, /"absent-streak": 1/);

  const origin = { headers: { Origin: publicUrl } };
  const meetings = many(await service.get(`/v1/cell-meetings?filter[cell]=${cell}`, origin));
  const shown = meetings.map(({ attributes }) => [attributes["date"], attributes["status"]]);
  assert.deepEqual(shown, [
    [extra, "cancelled"],
    [today, "held"],
  ]);
  const reported = one(await service.get(`/v1/cell-meetings/${meetings[1]?.id}`, origin));
  assert.partialDeepStrictEqual(reported.attributes, {
    "present-count": 3,
    "visitors-count": 1,
    "members-count": 5,
    "report-status": "submitted",
  });
});
