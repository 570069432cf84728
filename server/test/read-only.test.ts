import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { isReadOnly } from "../src/store/away.ts";
import { connect, type Db } from "../src/store/db.ts";
import { asAdministrator, type FreshDatabase, freshDatabase } from "./support/database.ts";
import { patient } from "./support/patience.ts";
import { type Answer, startService, type TestService } from "./support/service.ts";

const CONNECTIONS = 3;

/** After a switchover, connections lead to the former primary, which has become a replica, or new ones do. */
describe("a read-only database", () => {
  let database: FreshDatabase;
  let db: Db;
  let service: TestService;

  before(async () => {
    database = await freshDatabase("it makes the database read-only");
    db = connect(database.url, { max: CONNECTIONS, ...patient });
    service = await startService({ db, database });
  });
  after(async () => {
    await db.end({ timeout: 1 });
    await service.stop();
  });

  /** Makes every open connection of the service read-only, as if each led to the former primary. */
  const demote = async () => {
    const all = Promise.withResolvers<void>();
    let reached = 0;
    const demoted = Array.from({ length: CONNECTIONS }, () =>
      db.begin(undefined, async (tx) => {
        await tx`set default_transaction_read_only = on`;
        reached += 1;
        if (reached === CONNECTIONS) all.resolve();
        // Each transaction keeps its connection until all have one.
        await all.promise;
      }),
    );
    await Promise.all(demoted);
  };
  const alter = (what: string) =>
    asAdministrator((admin) => admin.query(`alter database ${db.address.database} ${what}`));

  const patch = () => {
    const { id } = service.account.administrator;
    const data = { type: "people", id, attributes: { occupation: "Cook" } };
    return service.patch(`/v1/people/${id}`, { data });
  };
  const login = async () => {
    const answer = await service.post(
      "/authenticate",
      JSON.stringify({ username: "ana@x.example", password: "wrong!", account: "nowhere" }),
      { as: null, headers: { "Content-Type": "application/json" } },
    );
    return answer;
  };
  const ready = () => service.get("/readyz", { as: null });

  const isUnavailable = ({ headers, status }: Answer) => {
    assert.equal(status, 503);
    assert.ok(Number(headers.get("retry-after")) > 0);
  };

  beforeEach(async () => {
    assert.equal((await ready()).status, 200);
  });

  for (const [name, send, after503] of [
    ["a write", patch, 200],
    ["a log-in", login, 401],
    ["/readyz", ready, 200],
  ] as const)
    test(`503 · ${name}, once, because all connections to that server are then replaced`, async () => {
      await demote();
      isUnavailable(await send());
      const answers = await Promise.all(Array.from({ length: CONNECTIONS }, send));
      assert.deepEqual(
        answers.map(({ status }) => status),
        Array.from({ length: CONNECTIONS }, () => after503),
      );
    });

  test("200 · a read, whose token is used although its use cannot be recorded", async () => {
    const { id } = service.account.administrator;
    const usedAt = () => db<{ isOld: boolean }[]>`
      select last_used_at < now() - interval '1 hour' as "isOld" from access_tokens
      where account_id = ${service.account.id} and person_id = ${id}`;
    await db`
      update access_tokens set last_used_at = now() - interval '2 hours'
      where account_id = ${service.account.id} and person_id = ${id}`;
    await demote();
    assert.equal((await service.get("/v1/people/me")).status, 200);
    assert.equal((await service.get("/v1/people/me")).status, 200);
    assert.deepEqual([...(await usedAt())], [{ isOld: false }]);
  });

  test("503 · while every new connection leads to a replica, and 200 at once afterwards", async () => {
    await demote();
    await alter("set default_transaction_read_only = on");
    try {
      for (const send of [patch, login, ready, patch, login, ready]) isUnavailable(await send());
      await assert.rejects(db`select`, isReadOnly);
    } finally {
      await alter("reset default_transaction_read_only");
    }
    assert.equal((await ready()).status, 200);
    assert.equal((await patch()).status, 200);
  });
});
