import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { readConfig } from "../src/app/config.ts";
import { CannotStart } from "../src/app/cannot-start.ts";
import { type Service, startService } from "../src/app/service.ts";
import { connect } from "../src/store/db.ts";
import { freePort } from "../src/store/embedded.ts";
import { vestry } from "./support/command.ts";
import { type FreshDatabase, freshDatabase } from "./support/database.ts";
import { makeAccount, makePerson, type TestAccount } from "./support/make.ts";
import { patient } from "./support/patience.ts";
import { noPooler, noRecentPooler, type Pooler, startPooler } from "./support/pooler.ts";

for (const reason of new Set([noPooler, noRecentPooler]))
  if (reason !== false) console.log(`Skipped tests of poolers: ${reason}`);

describe("a pooler in transaction mode", () => {
  let directory: string;
  let database: FreshDatabase;
  let account: TestAccount;
  let port: number;
  const poolers: Pooler[] = [];
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "vestry-pooled-"));
    database = await freshDatabase("the role gets settings in it");
    account = await makeAccount(database.db);
    port = await freePort();
  });
  after(async () => {
    for (const pooler of poolers) await pooler.stop();
    await database.close();
    await rm(directory, { recursive: true, force: true });
  });

  const pooler = async (settings?: Record<string, string>) => {
    const started = await startPooler(database.url, settings);
    poolers.push(started);
    return started;
  };
  const settingsFor = (url: string, directUrl?: string) => ({
    DATABASE_URL: url,
    ...(directUrl !== undefined && { DATABASE_DIRECT_URL: directUrl }),
    DATA_DIR: join(directory, "data"),
    PORT: String(port),
    METRICS_PORT: "off",
    LOG_LEVEL: "silent",
    RATE_LIMITS: "off",
    DEMO: "off",
  });
  const start = (url: string, directUrl?: string): Promise<Service> =>
    startService({
      config: readConfig(settingsFor(url, directUrl)),
      role: "all",
      say: () => undefined,
    });
  const isRefused = (words: RegExp) => (error: unknown) =>
    error instanceof CannotStart && words.test(error.message);

  test("the service serves reads and writes on fewer connections than it has, and statements have their limits", {
    skip: noRecentPooler,
  }, async () => {
    const { url } = await pooler({ max_prepared_statements: "20" });
    const service = await start(url, database.url);
    try {
      const ids = await Promise.all(
        Array.from({ length: 10 }, async () => (await makePerson(database.db, account.id)).id),
      );
      const headers = {
        "Origin": `http://localhost:${port}`,
        "Authorization": `Bearer ${account.administrator.token}`,
        "Content-Type": "application/vnd.api+json",
      };
      const send = async (turn: number) => {
        const id = ids[turn % ids.length];
        const path = `http://127.0.0.1:${port}/v1/people`;
        const data = { type: "people", id, attributes: { occupation: `Number ${turn}` } };
        const answer =
          turn % 3 === 0
            ? await fetch(`${path}/${id}`, {
                method: "PATCH",
                headers,
                body: JSON.stringify({ data }),
              })
            : await fetch(
                turn % 3 === 1 ? `${path}/${id}` : `${path}?include=households&page[size]=5`,
                {
                  headers,
                },
              );
        await answer.arrayBuffer();
        return answer.status;
      };
      const statuses: number[] = [];
      let turn = 0;
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          while (turn < 400) statuses.push(await send((turn += 1)));
        }),
      );
      assert.deepEqual([...new Set(statuses)], [200]);

      const pooled = connect(url, { max: 1, ...patient, pooled: true });
      const [row] = await pooled`
          select current_setting('statement_timeout') as statement, current_setting('TimeZone') as zone,
            current_setting('idle_in_transaction_session_timeout') as silence, current_setting('jit') as jit`;
      await pooled.end();
      assert.deepEqual({ ...row }, { statement: "15s", zone: "UTC", silence: "30s", jit: "off" });
    } finally {
      await service.stop("tested");
    }
  });

  test("one that keeps no prepared statements, as before 1.21, is refused", {
    skip: noPooler,
  }, async () => {
    const { url } = await pooler({
      ignore_startup_parameters: "options",
      ...(noRecentPooler === false && { max_prepared_statements: "0" }),
    });
    await assert.rejects(start(url, database.url), isRefused(/PgBouncer 1\.21 or newer/));
  });

  test("one that an installation reaches without DATABASE_DIRECT_URL is refused", {
    skip: noPooler,
  }, async () => {
    const { url } = await pooler();
    await assert.rejects(start(url), isRefused(/Set DATABASE_DIRECT_URL/));
    const command = await vestry(["accounts", "list"], { env: settingsFor(url) });
    assert.match(command.stderr, /Set DATABASE_DIRECT_URL/);
  });
});
