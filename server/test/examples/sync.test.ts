import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startDemo } from "../support/guides.ts";
import { makeToken } from "../support/make.ts";
import { document, many, one } from "../support/service.ts";

/** Runs examples/sync on the demo account. */

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "vestry-sync-"));
after(() => rm(folder, { recursive: true, force: true }));
const start = await startDemo({ after });
const [login] = start.logins;
const { db } = start.service;
const [administrator] = await db<{ accountId: string; id: string }[]>`
  select account_id as "accountId", id from people where email = ${login?.email ?? ""}`;
assert.ok(administrator);
const { accountId } = administrator;
const as = await makeToken(db, accountId, administrator.id);
const headers = { Origin: start.publicUrl };
const COPY = join(folder, "copy.db");

async function sync(): Promise<string> {
  const env = {
    VESTRY_URL: start.service.url,
    CLIENT_TOKEN: start.clientToken,
    ACCOUNT: start.alias,
    USERNAME: login?.email,
    PASSWORD: login?.password,
    COPY,
  };
  const flags = ["--conditions=@vestry/source", "--no-warnings"];
  const { stdout } = await run(process.execPath, [...flags, "examples/sync/sync.mjs"], {
    cwd: root,
    env,
  });
  return stdout;
}

function copied(): string[] {
  const copy = new DatabaseSync(COPY, { readOnly: true });
  const rows = copy.prepare("select type, id from copies order by type, id").all();
  copy.close();
  return rows.map(({ id, type }) => [type, id].join(" "));
}

async function listed(): Promise<string[]> {
  const all: string[] = [];
  for (const type of ["cell-memberships", "cells", "people"]) {
    let path: string | null | undefined = `/v1/${type}?sort=id&page[number]=1`;
    while (path) {
      const answer = await start.read(path.replace(start.publicUrl, ""));
      all.push(...many(answer).map(({ id }) => `${type} ${id}`));
      path = answer.document.links?.["next"];
    }
  }
  return all;
}

test("the first run reads the lists, and the next ones apply what changed", async () => {
  const write = { as, headers };
  const add = async (name: string) =>
    one(await start.service.post("/v1/people", document("people", { "full-name": name }), write))
      .id;
  const [kept, removed] = [await add("Rui Santos"), await add("Rui dos Santos")];
  assert.match(await sync(), /^Read \d+ records\.\n$/);
  assert.deepEqual(copied(), await listed());
  assert.equal(await sync(), "");

  const [member] = many(await start.read("/v1/people?filter[without-cell]=false"));
  const [cell] = many(await start.read("/v1/cells?filter[cell-type]=cell"));
  await start.service.patch(
    `/v1/people/${member?.id}`,
    document("people", { occupation: "Beekeeper" }, { id: member?.id ?? "" }),
    write,
  );
  const merge = document(
    "person-merges",
    {},
    {
      relationships: {
        kept: { data: { type: "people", id: kept } },
        removed: { data: [{ type: "people", id: removed }] },
      },
    },
  );
  assert.equal((await start.service.post("/v1/person-merges", merge, write)).status, 201);
  assert.equal((await start.service.delete(`/v1/cells/${cell?.id}`, write)).status, 204);
  await add("Zoe");

  assert.match(await sync(), /^Applied \d+ changes\.\n$/);
  assert.deepEqual(copied(), await listed());
  const copy = new DatabaseSync(COPY, { readOnly: true });
  const row = copy.prepare("select record from copies where id = ?").get(member?.id ?? "");
  copy.close();
  assert.match(String(row?.["record"]), /Beekeeper/);
});

test("a position that expired makes it read the lists again", async () => {
  await db`delete from journal where account_id = ${accountId}`;
  assert.match(await sync(), /^Read \d+ records\.\n$/);
  assert.deepEqual(copied(), await listed());
});
