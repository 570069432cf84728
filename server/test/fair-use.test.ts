import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { newId } from "../src/base/ids.ts";
import { connect, type Db, inTransaction } from "../src/store/db.ts";
import { type FreshDatabase, freshDatabase } from "./support/database.ts";
import { makeAccount, type TestAccount } from "./support/make.ts";
import { patient } from "./support/patience.ts";
import { startService, type TestService } from "./support/service.ts";
import { untilWaiting } from "./support/together.ts";

const CONNECTIONS = 5;
const SHARE = 2;

describe("fair use of the connections", () => {
  let database: FreshDatabase;
  let db: Db;
  let service: TestService;
  let other: TestAccount;

  before(async () => {
    database = await freshDatabase("it locks tables");
    db = connect(database.url, { max: CONNECTIONS, accountMax: SHARE, ...patient });
    service = await startService({ db, database });
    other = await makeAccount(database.db);
  });
  after(async () => {
    await db.end({ timeout: 1 });
    await service.stop();
  });

  const waiting = async () => {
    const [row] = await database.db<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    return row?.count;
  };

  /** Sends requests of the first account that wait for a lock, and returns the answer to one of the other account. */
  async function whileWaiting(lock: string, send: () => Promise<{ status: number }>) {
    let sent: Promise<{ status: number }>[] = [];
    const answer = await database.db.begin(undefined, async (tx) => {
      await tx.query(lock, []);
      sent = Array.from({ length: 20 }, send);
      await untilWaiting(database.db, SHARE);
      const answered = await service.get("/v1/people/me", { as: other.administrator.token });
      assert.equal(await waiting(), SHARE);
      return answered;
    });
    return { answer, statuses: (await Promise.all(sent)).map(({ status }) => status) };
  }

  test("200 · reads of an account that wait for the database leave connections to other accounts", async () => {
    const { answer, statuses } = await whileWaiting(
      "lock table tags in access exclusive mode",
      () => service.get("/v1/tags"),
    );
    assert.equal(answer.status, 200);
    assert.deepEqual([...new Set(statuses)], [200]);
  });

  test("200 · so do its writes", async () => {
    const { administrator, id } = service.account;
    const body = {
      data: { type: "people", id: administrator.id, attributes: { occupation: "Cook" } },
    };
    const { answer, statuses } = await whileWaiting(
      `select from people where account_id = '${id}' for update`,
      () => service.patch(`/v1/people/${administrator.id}`, body),
    );
    assert.equal(answer.status, 200);
    assert.deepEqual([...new Set(statuses)], [200]);
  });

  test("work inside a transaction never waits for the share of its own account", async () => {
    const accountId = newId();
    const nested = () =>
      inTransaction(db, accountId, async (tx) => {
        await tx`select`;
        const [row] = await db.ofAccount(accountId)<{ one: number }[]>`select 1 as one`;
        return row?.one;
      });
    assert.deepEqual(await Promise.all(Array.from({ length: SHARE }, nested)), [1, 1]);
  });

  test("wrong log-ins from one address hold one connection while they wait for its counter", async () => {
    const login = { username: "ana@x.example", password: "wrong!", account: "nowhere" };
    const send = () =>
      fetch(`${service.url}/authenticate`, {
        method: "POST",
        headers: { "Origin": "http://vestry.test", "Content-Type": "application/json" },
        body: JSON.stringify(login),
      });
    assert.equal((await send()).status, 401);
    let sent: Promise<Response>[] = [];
    await database.db.begin(undefined, async (tx) => {
      await tx`select from counters for update`;
      sent = Array.from({ length: 2 * CONNECTIONS }, send);
      await untilWaiting(database.db, 1);
      const answer = await service.get("/v1/people/me", { as: other.administrator.token });
      assert.equal(answer.status, 200);
      assert.equal(await waiting(), 1);
    });
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set([401, 429]));
  });
});
