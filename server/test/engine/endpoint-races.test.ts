import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ApiError } from "../../src/base/errors.ts";
import { violates } from "../../src/jsonapi/sql/constraint.ts";
import { inGlobalTransaction, type Tx } from "../../src/store/db.ts";
import { actionLimits, type LimitedAction } from "../../src/webhooks/endpoints/action-limits.ts";
import { requestTest } from "../../src/webhooks/endpoints/request-test.ts";
import { requestVerification } from "../../src/webhooks/endpoints/request-verification.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import { deleteEndpoint } from "../../src/webhooks/endpoints/delete-endpoint.ts";
import type { RequestedChange } from "../../src/webhooks/endpoints/requested-change.ts";
import { lockEndpoint } from "../../src/webhooks/endpoints/endpoint-rows.ts";
import { redeliver } from "../../src/webhooks/history/redeliver.ts";
import { createReplay } from "../../src/webhooks/history/create-replay.ts";
import { rotateSecret } from "../../src/webhooks/endpoints/rotate-secret.ts";
import { updateEndpoint } from "../../src/webhooks/endpoints/update-endpoint.ts";
import { freshDatabase } from "../support/database.ts";
import {
  actorOf,
  createdEndpoint,
  makeDelivery,
  parts,
  standing,
  verifiedEndpoint,
} from "../support/endpoints.ts";
import { type TestAccount, makeAccount } from "../support/make.ts";

const database = await freshDatabase("the engine takes the work of every account", { max: 40 });
after(() => database.close());
const { db } = database;

type Outcome = "done" | typeof URL_TAKEN | Pick<ApiError, "problems" | "headers">;

/** The kernel has the words of this constraint. */
const URL_TAKEN = "webhook_endpoints_url_key";

const outcomeOf = async (running: Promise<unknown>): Promise<Outcome> => {
  try {
    await running;
    return "done";
  } catch (error) {
    if (error instanceof ApiError) return error;
    if (violates(error, URL_TAKEN)) return URL_TAKEN;
    throw error;
  }
};

const said = (outcome: Outcome) =>
  typeof outcome === "string" ? outcome : outcome.problems.map(({ code }) => code).join();

/** Starts all runs while `gate` holds their locks, and releases the locks once every run waits. */
async function race(
  gate: (tx: Tx) => Promise<unknown>,
  runs: readonly ((tx: Tx) => Promise<unknown>)[],
): Promise<Outcome[]> {
  let running: Promise<Outcome>[] = [];
  await inGlobalTransaction(db, async (tx) => {
    await gate(tx);
    running = runs.map((run) => outcomeOf(inGlobalTransaction(db, run)));
    for (let waiting = 0; waiting < runs.length; ) {
      const [row] = await db<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      waiting = row?.waiting ?? 0;
    }
  });
  return Promise.all(running);
}

const repeated = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const counted = (outcomes: readonly Outcome[]) => {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[said(outcome)] = (counts[said(outcome)] ?? 0) + 1;
  return counts;
};

const accountAndEndpoints = (account: TestAccount) => async (tx: Tx) => {
  await tx`select from accounts where id = ${account.id} for update`;
  await tx`select from webhook_endpoints where account_id = ${account.id} for update`;
};
const endpointOf = (account: TestAccount, id: string) => (tx: Tx) =>
  lockEndpoint(tx, account.id, id);

const liveWith = async (account: TestAccount, normalized: string) => {
  const [row] = await db<{ live: number; secrets: number; deliveries: number }[]>`
    select count(*)::int as live,
      (select count(*)::int from webhook_secrets where account_id = ${account.id}) as secrets,
      (select count(*)::int from webhook_deliveries where account_id = ${account.id}) as deliveries
    from webhook_endpoints where account_id = ${account.id} and normalized_url = ${normalized} and status <> 'deleted'`;
  return { ...row };
};

const creating = (account: TestAccount, url: string) => (tx: Tx) =>
  createEndpoint(tx, actorOf(account), { url, events: ["person.created"] }, parts);

test("one of ten concurrent registrations of a URL succeeds, and the others write nothing", async () => {
  const account = await makeAccount(db);
  const spellings = ["https://one.example/hook", "HTTPS://ONE.example:443/%68ook"];
  const runs = Array.from({ length: 10 }, (_, at) => creating(account, spellings[at % 2] ?? ""));
  const outcomes = await race(accountAndEndpoints(account), runs);
  assert.deepEqual(counted(outcomes), { done: 1, [URL_TAKEN]: 9 });
  assert.deepEqual(await liveWith(account, "https://one.example/hook"), {
    live: 1,
    secrets: 1,
    deliveries: 1,
  });
});

test("a registration of a URL that is being released waits and succeeds", async () => {
  const account = await makeAccount(db);
  const url = "https://two.example/";
  const id = await createdEndpoint(db, account, { url });
  const outcomes = await race(
    (tx) => deleteEndpoint(tx, actorOf(account), { id, version: 1 }),
    [creating(account, url)],
  );
  assert.deepEqual(counted(outcomes), { done: 1 });
});

test("one of two concurrent moves to a URL succeeds", async () => {
  const account = await makeAccount(db);
  const ids = [await createdEndpoint(db, account), await createdEndpoint(db, account)];
  const change: RequestedChange = { kind: "destination", url: "https://three.example/" };
  const moves = ids.map(
    (id) => (tx: Tx) => updateEndpoint(tx, actorOf(account), { id, version: 1 }, change, parts),
  );
  const outcomes = await race(accountAndEndpoints(account), moves);
  assert.deepEqual(counted(outcomes), { done: 1, [URL_TAKEN]: 1 });
});

test("one of ten concurrent changes of a version succeeds", async () => {
  const account = await makeAccount(db);
  const id = await verifiedEndpoint(db, account);
  const changes: RequestedChange[] = [
    ...repeated<RequestedChange>(4, { kind: "status", status: "paused" }),
    ...repeated<RequestedChange>(3, { kind: "configuration", name: "Renamed" }),
    ...repeated<RequestedChange>(3, { kind: "destination", url: "https://four.example/" }),
  ];
  const outcomes = await race(
    endpointOf(account, id),
    changes.map(
      (change) => (tx: Tx) =>
        updateEndpoint(tx, actorOf(account), { id, version: 2 }, change, parts),
    ),
  );
  assert.deepEqual(counted(outcomes), { "done": 1, "stale-version": 9 });
  assert.equal((await standing(db, account, id)).configurationVersion, 3);
});

/** Prepares one request of an action for an endpoint. */
type Ask = (account: TestAccount, endpointId: string) => Promise<(tx: Tx) => Promise<unknown>>;

const asks: Record<Exclude<LimitedAction, "rotation">, Ask> = {
  verification: async (account, endpointId) => (tx) =>
    requestVerification(tx, actorOf(account), { endpointId, configurationVersion: 2 }),
  test: async (account, endpointId) => (tx) => requestTest(tx, actorOf(account), { endpointId }),
  redelivery: async (account, endpointId) => {
    const { id } = await makeDelivery(db, account.id, { endpointId });
    return (tx) => redeliver(tx, actorOf(account), { deliveryId: id });
  },
  replay: async (account, endpointId) => (tx) =>
    createReplay(tx, actorOf(account), {
      endpointId,
      from: "2026-01-01T00:00Z",
      to: "2026-01-02T00:00Z",
    }),
};

const refused = (outcomes: readonly Outcome[]) =>
  outcomes.flatMap((outcome) =>
    typeof outcome === "string" ? [] : [outcome.headers["Retry-After"]],
  );

for (const [action, ask] of Object.entries(asks) as [keyof typeof asks, Ask][]) {
  const { perAccount, perEndpoint, windowMs } = actionLimits[action];

  test(`${action}: concurrent requests for one endpoint succeed exactly up to the limit`, async () => {
    const account = await makeAccount(db);
    const id = await verifiedEndpoint(db, account);
    const more = 5;
    const runs = await Promise.all(
      Array.from({ length: perEndpoint + more }, () => ask(account, id)),
    );
    const outcomes = await race(endpointOf(account, id), runs);
    assert.deepEqual(counted(outcomes), { "done": perEndpoint, "action-limit-exceeded": more });
    for (const seconds of refused(outcomes))
      assert.ok(Number(seconds) > windowMs / 1_000 - 60 && Number(seconds) <= windowMs / 1_000);
  });

  test(`${action}: concurrent requests in one account succeed exactly up to the limit`, async () => {
    const account = await makeAccount(db);
    // Only the last few are left, and the requests race for them.
    const left = 3;
    await db`
      insert into webhook_actions (account_id, id, endpoint_id, action)
      select ${account.id}, history_id(now()), history_id(now()), ${action} from generate_series(1, ${perAccount - left})`;
    const endpoints = await Promise.all(
      repeated(8, account).map((one) => verifiedEndpoint(db, one)),
    );
    const runs = await Promise.all(endpoints.map((id) => ask(account, id)));
    const outcomes = await race(
      (tx) =>
        tx`insert into webhook_action_turns values (${account.id}, ${action})
          on conflict (account_id, action) do update set action = excluded.action`,
      runs,
    );
    assert.deepEqual(counted(outcomes), { "done": left, "action-limit-exceeded": 8 - left });
  });
}

test("rotation: of five concurrent requests, one succeeds and the others are stale", async () => {
  const account = await makeAccount(db);
  const id = await createdEndpoint(db, account);
  const rotation = (tx: Tx) =>
    rotateSecret(tx, actorOf(account), { endpointId: id, secretGeneration: 1 }, parts);
  const outcomes = await race(endpointOf(account, id), repeated(5, rotation));
  assert.deepEqual(counted(outcomes), { "done": 1, "stale-secret-generation": 4 });
});
