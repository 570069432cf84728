import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
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

const args = ["--conditions=@vestry/source", "--no-warnings", "examples/sync/sync.mjs"];
const optionsFor = (url: string) => ({
  cwd: root,
  env: {
    VESTRY_URL: url,
    CLIENT_TOKEN: start.clientToken,
    ACCOUNT: start.alias,
    USERNAME: login?.email,
    PASSWORD: login?.password,
    COPY,
    PAUSE_MS: "20",
  },
});

async function sync(): Promise<string> {
  const { stdout } = await run(process.execPath, args, optionsFor(start.service.url));
  return stdout;
}

/** A service that goes away and comes back at the same address. */
async function restarting() {
  let isAway = false;
  const server = createServer((request, response) => {
    if (isAway) return void request.socket.destroy();
    const onward = forward(
      start.service.url + String(request.url),
      { method: request.method, headers: request.headers, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => server.closeAllConnections());
  after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, be: (away: boolean) => void (isAway = away) };
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

test("a program that follows goes on after the service was away", async () => {
  const service = await restarting();
  const follower = spawn(process.execPath, [...args, "--follow"], optionsFor(service.url));
  after(() => follower.kill());
  const lines = createInterface({ input: follower.stdout })[Symbol.asyncIterator]();
  const until = async (words: RegExp) => {
    for (;;) {
      const { value } = (await lines.next()) as { value: string | undefined };
      assert.ok(value !== undefined, "the program has ended");
      if (words.test(value)) return;
    }
  };
  const add = (name: string) =>
    start.service.post("/v1/people", document("people", { "full-name": name }), { as, headers });
  await add("Bia");
  await until(/^Applied \d+ changes\.$/);
  service.be(true);
  await until(/^The service is away/);
  await add("Caio");
  service.be(false);
  await until(/^Applied \d+ changes\.$/);
  assert.deepEqual(copied(), await listed());
});
