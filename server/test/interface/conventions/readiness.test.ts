import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { after, test } from "node:test";
import { connect, type Db, inTransaction } from "../../../src/store/db.ts";
import { freshDatabase } from "../../support/database.ts";
import { type Answer, codes, document, startService } from "../../support/service.ts";
import { cancelWaiting, untilWaiting } from "../../support/together.ts";
import { asItIs, startWire } from "../../support/wire.ts";

/** A database that accepts connections and never responds, like a frozen server. */

const first = await startService({
  database: await freshDatabase("updates fail in all of it"),
});
const wire = await startWire(first.database.url);
const wired = connect(wire.url, { name: "ready" });
let statements = 0;
/** The same pool, which counts its statements. */
const counted: Db = new Proxy(wired, {
  get: (pool, name) => (name === "servers" ? [counted] : (Reflect.get(pool, name) as unknown)),
  apply(pool, self, given: Parameters<Db>) {
    statements += 1;
    return Reflect.apply(pool, self, given) as unknown;
  },
});
const service = await startService({ database: first.database, db: counted });
after(async () => {
  await service.stop();
  await first.stop();
  await wired.end({ timeout: 1 });
  await wire.close();
});

const ask = () => service.get("/readyz");

test("503 · an unresponsive database is reported within two seconds, with one statement in flight", async () => {
  assert.equal((await ask()).status, 200);
  const unheard: [Buffer, Socket][] = [];
  wire.pass((bytes, client) => unheard.push([bytes, client]));
  statements = 0;

  const began = performance.now();
  const together = await Promise.all([ask(), ask(), ask()]);
  const waited = performance.now() - began;
  // The driver gives up after thirty seconds.
  assert.ok(waited > 1_999 && waited < 20_000, `after ${waited} ms`);
  for (const answer of [...together, await ask()]) assertAway(answer);
  assert.equal(statements, 1);
  assert.equal((await service.get("/livez")).status, 200);

  // A late result must not be taken for the result of another statement.
  wire.pass(asItIs);
  for (const [bytes, client] of unheard) client.write(bytes);
  for (let n = 0; n < 3; n += 1) assert.equal((await ask()).status, 200);
  const [row] = await counted`select 7 as seven`;
  assert.equal(row?.["seven"], 7);
});

function assertAway(answer: Answer) {
  assert.deepEqual([answer.status, ...codes(answer)], [503, "unavailable"]);
  assert.equal(answer.headers.get("retry-after"), "1");
}

test("503 · after a lost connection, the next check sends a new statement", async () => {
  wire.pass(() => undefined);
  assertAway(await ask());
  wire.pass((_bytes, client) => client.destroy());
  await first.database.db`
    select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ready'`;
  wire.pass(asItIs);
  while ((await ask()).status !== 200);
});

test("503 · a timeout and a full disk have their own details", async () => {
  const { account, database } = first;
  const details = async (act: () => Promise<Answer>) => {
    const answer = await act();
    const { errors } = JSON.parse(answer.text) as { errors: { detail: string }[] };
    return [
      answer.status,
      answer.headers.get("retry-after"),
      ...errors.map(({ detail }) => detail),
    ];
  };
  const rename = () =>
    first.patch(
      `/v1/accounts/${account.id}`,
      document("accounts", { "church-name": "Grace" }, { id: account.id }),
    );
  await inTransaction(database.db, account.id, async (tx) => {
    await tx`select from accounts where id = ${account.id} for update`;
    const renaming = details(rename);
    await untilWaiting(database.db, 1);
    await cancelWaiting(database.db);
    assert.deepEqual(await renaming, [
      503,
      "1",
      "The request exceeded the time limit of the database and was rolled back.",
    ]);
  });
  await database.db.query(`
    create function full_disk() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file' using errcode = '53100'; end $$;
    create trigger full_disk before update on accounts for each row execute function full_disk()`);
  assert.deepEqual(await details(rename), [
    503,
    "30",
    "The disk of the database is full. The request was rolled back.",
  ]);
});
