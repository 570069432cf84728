import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ApiError } from "../../src/base/errors.ts";
import { type Observation, onObservation } from "../../src/base/observe.ts";
import { inTransaction } from "../../src/store/db.ts";
import {
  actionLimits,
  countAction,
  type LimitedAction,
} from "../../src/webhooks/endpoints/action-limits.ts";
import { newId } from "../../src/base/ids.ts";
import { freshDatabase } from "../support/database.ts";
import { type TestAccount, makeAccount } from "../support/make.ts";

const database = await freshDatabase("the engine takes the work of every account");
after(() => database.close());
const { db } = database;

const count = (account: TestAccount, action: LimitedAction, endpointId: string) =>
  inTransaction(db, account.id, (tx) =>
    countAction(tx, { accountId: account.id, endpointId }, action),
  );

const done = (account: TestAccount, action: LimitedAction, endpointId: string, msAgo: number) => db`
  insert into webhook_actions (account_id, id, endpoint_id, action, asked_at)
  values (${account.id}, ${newId()}, ${endpointId}, ${action}, now() - ${msAgo} * interval '1 millisecond')`;

const refusal = async (running: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await running.then(
    () => assert.fail("it was counted"),
    (reason) => reason,
  );
  assert.ok(error instanceof ApiError, String(error));
  return error;
};

test("the limits are those of the interface", () => {
  const shown = Object.entries(actionLimits).map(
    ([action, { perAccount, perEndpoint, windowMs }]) =>
      [action, perAccount, perEndpoint, windowMs / 3_600_000] as const,
  );
  assert.deepEqual(shown, [
    ["verification", 20, 5, 1],
    ["test", 60, 10, 1],
    ["redelivery", 100, 20, 1],
    ["replay", 20, 10, 1],
    ["rotation", 10, 1, 48],
  ]);
});

test("Retry-After is the time until the oldest action leaves the window, which makes room for one", async () => {
  const account = await makeAccount(db);
  const id = newId();
  for (let minutes = 59; minutes > 54; minutes -= 1)
    await done(account, "verification", id, minutes * 60_000);
  const { headers, status } = await refusal(count(account, "verification", id));
  assert.equal(status, 429);
  const seconds = Number(headers["Retry-After"]);
  assert.ok(seconds > 55 && seconds <= 60, String(seconds));

  await db`
    update webhook_actions set asked_at = asked_at - interval '1 minute' where account_id = ${account.id}`;
  await count(account, "verification", id);
  await refusal(count(account, "verification", id));
});

test("Retry-After is at most the window, even if the actions are newer than the transaction", async () => {
  const account = await makeAccount(db);
  const id = newId();
  for (let made = 0; made < 5; made += 1) await done(account, "verification", id, -60_000);
  const { headers } = await refusal(count(account, "verification", id));
  assert.equal(headers["Retry-After"], "3600");
});

test("if both limits are exceeded, both are reported with the longer wait", async () => {
  const account = await makeAccount(db);
  const id = newId();
  for (let some = 0; some < 5; some += 1) await done(account, "verification", id, 50 * 60_000);
  for (let some = 0; some < 15; some += 1)
    await done(account, "verification", newId(), 55 * 60_000);
  const { headers, problems } = await refusal(count(account, "verification", id));
  assert.deepEqual(
    problems.map(({ code, detail }) => [code, detail]),
    [
      ["action-limit-exceeded", "Verifications of an endpoint: at most 5 an hour."],
      ["action-limit-exceeded", "Verifications of an account: at most 20 an hour."],
    ],
  );
  assert.ok(Math.abs(Number(headers["Retry-After"]) - 600) <= 5);
});

test("counting an action deletes the actions outside of its window", async () => {
  const account = await makeAccount(db);
  const id = newId();
  await done(account, "test", id, 2 * 3_600_000);
  await done(account, "rotation", id, 2 * 3_600_000);
  await count(account, "test", id);
  const left = await db`
    select action, asked_at > now() - interval '1 hour' as new from webhook_actions
    where account_id = ${account.id} order by action`;
  assert.deepEqual(
    left.map((row) => [row["action"], row["new"]]),
    [
      ["rotation", false],
      ["test", true],
    ],
  );
});

test("an action that is rolled back does not count", async () => {
  const account = await makeAccount(db);
  const id = newId();
  const failing = inTransaction(db, account.id, async (tx) => {
    await countAction(tx, { accountId: account.id, endpointId: id }, "rotation");
    throw new Error("the secret cannot be written");
  });
  await assert.rejects(failing, /cannot be written/);
  await count(account, "rotation", id);
});

test("limits are separate per account, action and endpoint", async () => {
  const [account, other] = [await makeAccount(db), await makeAccount(db)];
  const id = newId();
  await count(account, "rotation", id);
  await refusal(count(account, "rotation", id));
  await count(account, "rotation", newId());
  await count(account, "test", id);
  await count(other, "rotation", id);
});

/** The observations during `run`. */
async function observing(run: () => Promise<unknown>): Promise<Observation[]> {
  const seen: Observation[] = [];
  const end = onObservation((one) => void seen.push(one));
  await run();
  end();
  return seen;
}

test("an action that waits too long for its turn gets 503 with Retry-After", async () => {
  const account = await makeAccount(db);
  await count(account, "test", newId());
  const seen = await observing(() =>
    inTransaction(db, account.id, async (tx) => {
      await tx`select from webhook_action_turns where account_id = ${account.id} for update`;
      const { headers, problems, status } = await refusal(count(account, "test", newId()));
      assert.deepEqual([status, problems[0]?.code], [503, "unavailable"]);
      assert.ok(Number(headers["Retry-After"]) >= 1);
    }),
  );
  assert.deepEqual(
    seen.map(({ kind }) => kind),
    ["action-not-counted"],
  );
  await count(account, "test", newId());
});

test("an action that cannot be counted gets 503", async () => {
  const account = await makeAccount(db);
  await db`alter table webhook_actions rename to mislaid`;
  try {
    const { status } = await refusal(count(account, "test", newId()));
    assert.equal(status, 503);
  } finally {
    await db`alter table mislaid rename to webhook_actions`;
  }
});

test("the short lock timeout ends after the turn", async () => {
  const account = await makeAccount(db);
  const timeout = await inTransaction(db, account.id, async (tx) => {
    await countAction(tx, { accountId: account.id, endpointId: newId() }, "test");
    const [row] = await tx<{ lock_timeout: string }[]>`show lock_timeout`;
    return row?.lock_timeout;
  });
  assert.equal(timeout, "0");
});
