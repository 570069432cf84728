import assert from "node:assert/strict";
import { after, test } from "node:test";
import { HOUR, MINUTE } from "../../../src/base/clock.ts";
import { makeDay, recordEvent } from "../../support/history.ts";
import { makeAccount } from "../../support/make.ts";
import { ids, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { db } = service;
const now = Date.now();
const ago = (milliseconds: number) => new Date(now - milliseconds).toISOString();

test("200 · events older than 30 days are not listed, even if their partition remains", async () => {
  const own = await makeAccount(db);
  const [kept, over] = [ago(30 * 24 * HOUR - MINUTE), ago(30 * 24 * HOUR + MINUTE)];
  for (const at of [kept, over]) await makeDay(db, at);
  await recordEvent(db, own.id, { at: over });
  const there = await recordEvent(db, own.id, { at: kept });
  const answer = await service.get("/v1/webhook-events", { as: own.administrator.token });
  assert.deepEqual(ids(answer), [there]);
  assert.equal(answer.document.meta?.["total"], 1);
});
