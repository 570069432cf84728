import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { buildApp } from "../src/app/app.ts";
import { connect, type Db } from "../src/store/db.ts";
import { type EmbeddedServer, startEmbedded } from "../src/store/embedded.ts";
import { migrate } from "../src/store/migrate.ts";
import { type TestAccount, makeAccount } from "./support/make.ts";
import { FIRST_PARTY } from "./support/service.ts";
import { noFiles } from "../src/store/files/files.ts";
import { webhookParts } from "./support/webhook-parts.ts";

/** This file kills PostgreSQL, so it needs its own. */
describe("PostgreSQL becomes unreachable under load", () => {
  let folder: string;
  let server: EmbeddedServer;
  let db: Db;
  let app: ReturnType<typeof buildApp>;
  let account: TestAccount;
  let url: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vestry-resilience-"));
    const binDir = process.env["TEST_POSTGRES_BIN"];
    server = await startEmbedded({
      dataDir: folder,
      ...(binDir !== undefined && { binDir }),
      say: () => undefined,
    });
    db = connect(server.url);
    await migrate(db);
    account = await makeAccount(db);
    app = buildApp({
      db,
      origins: [FIRST_PARTY],
      publicUrl: "http://localhost",
      rateLimits: false,
      visitorLimits: false,
      throttleKey: Buffer.alloc(32),
      visitorKey: Buffer.alloc(32),
      webhooks: webhookParts(),
      files: noFiles,
    });
    await app.listen({ host: "127.0.0.1", port: 0 });
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  });

  after(async () => {
    await app.close();
    await db.end({ timeout: 1 });
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const headers = () => ({
    "Origin": FIRST_PARTY,
    "Authorization": `Bearer ${account.administrator.token}`,
    "Content-Type": "application/vnd.api+json",
  });

  const path = () => `${url}/v1/people/${account.administrator.id}`;

  let written = 0;
  const write = () => {
    written += 1;
    const attributes = { occupation: `Number ${written}` };
    const body = { data: { type: "people", id: account.administrator.id, attributes } };
    return fetch(path(), { method: "PATCH", headers: headers(), body: JSON.stringify(body) });
  };
  const read = () => fetch(path(), { headers: headers() });

  /** Readers and writers that go on until `happen` has happened and they have had fifty good answers in a row. */
  async function underLoad(happen: () => Promise<unknown>) {
    const statuses = new Map<number, number>();
    const withoutRetryAfter: number[] = [];
    let slowest = 0;
    let happened = false;
    let good = 0;
    const happening = happen().then(() => {
      happened = true;
      good = 0;
    });
    const worker = async (send: () => Promise<Response>) => {
      while (!happened || good < 50) {
        const startedAt = performance.now();
        const answer = await send();
        await answer.arrayBuffer();
        slowest = Math.max(slowest, performance.now() - startedAt);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        good = answer.status === 200 ? good + 1 : 0;
        if (answer.status === 503 && !answer.headers.has("Retry-After"))
          withoutRetryAfter.push(503);
      }
    };
    await Promise.all([happening, ...[read, read, read, write, write].map(worker)]);
    return { statuses: [...statuses.keys()], withoutRetryAfter, slowest };
  }

  const expected = (story: Awaited<ReturnType<typeof underLoad>>) => {
    assert.ok(
      story.statuses.every((status) => status === 200 || status === 503),
      `answered ${story.statuses.join(", ")}`,
    );
    assert.deepEqual(story.withoutRetryAfter, []);
    assert.ok(story.slowest < 15_000, `one answer took ${story.slowest} ms`);
  };

  test("503 · after every connection is terminated, requests fail with Retry-After and then succeed", async () => {
    expected(
      await underLoad(async () => {
        const killer = connect(server.adminUrl, { max: 1 });
        await killer`
          select pg_terminate_backend(pid) from pg_stat_activity
          where usename = 'vestry' and pid <> pg_backend_pid()`;
        await killer.end();
      }),
    );
  });

  test("503 · after PostgreSQL is killed, the service recovers without a restart", async () => {
    const administrator = connect(server.adminUrl, { max: 1 });
    const [shown] = await administrator`show data_directory`;
    await administrator.end();
    const pidFile = join(shown?.["data_directory"] as string, "postmaster.pid");
    const pid = Number((await readFile(pidFile, "utf8")).split("\n")[0]);
    const story = await underLoad(async () => {
      process.kill(pid, "SIGKILL");
    });
    expected(story);
    assert.ok(story.statuses.includes(503), "nobody noticed");
  });
});
