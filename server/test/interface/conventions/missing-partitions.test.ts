import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import type { Db } from "../../../src/store/db.ts";
import { partitionsOf } from "../../../src/store/partitions.ts";
import { freshDatabase } from "../../support/database.ts";
import { activeEndpoint, newKey, postEndpoint } from "../../support/endpoints.ts";
import { document, startService } from "../../support/service.ts";

/** The database's clock has passed the prepared partitions, as after two weeks without a sweep. */

const service = await startService({
  database: await freshDatabase("its partitions are dropped"),
});
after(() => service.stop());
const { account, db } = service;
const { id: endpoint } = await activeEndpoint(service, { events: ["person.updated"] });

const tables = [
  "webhook_events",
  "webhook_controls",
  "webhook_deliveries",
  "webhook_attempts",
] as const;

async function dropFromTodayOn(db: Db) {
  const [row] = await db<{ today: string }[]>`select to_char(now(), 'YYYYMMDD') as today`;
  for (const table of tables)
    for (const name of await partitionsOf(db, table))
      if (name.slice(-8) >= (row?.today ?? "")) await db.query(`drop table ${name}`);
}

const queued = async (kind: string, endpointId: unknown) => {
  const [row] = await db<{ queued: number }[]>`
    select count(*)::int as queued from webhook_queue
    where account_id = ${account.id} and kind = ${kind} and endpoint_id = ${String(endpointId)}`;
  return row?.queued;
};

afterEach(async () => {
  // Yesterday, today and seven more days.
  for (const table of tables) assert.equal((await partitionsOf(db, table)).length, 9, table);
});

test("200 · a change of a person is captured", async () => {
  await dropFromTodayOn(db);
  const { id } = account.administrator;
  const answer = await service.patch(
    `/v1/people/${id}`,
    document("people", { occupation: "Baker" }, { id }),
  );
  assert.equal(answer.status, 200, answer.text);
  assert.equal(await queued("production", endpoint), 1);
});

test("201 · a new endpoint gets its verification", async () => {
  await dropFromTodayOn(db);
  const { id } = await postEndpoint(service);
  assert.equal(await queued("verification", id), 1);
});

test("202 · a test delivery is queued", async () => {
  await dropFromTodayOn(db);
  const answer = await service.post(
    "/v1/webhook-test-deliveries",
    document("webhook-test-deliveries", { "endpoint-id": endpoint }),
    { headers: newKey() },
  );
  assert.equal(answer.status, 202, answer.text);
  assert.equal(await queued("test", endpoint), 1);
});
