import assert from "node:assert/strict";
import { operator } from "../../src/access/operator.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/clock.ts";
import { type Db, inTransaction } from "../../src/store/db.ts";
import { claim, type Claimed } from "../../src/webhooks/engine/claim.ts";
import { firstRound, reconcile } from "../../src/webhooks/engine/reconcile.ts";
import { attemptsMax } from "../../src/webhooks/engine/schedule.ts";
import type { Sender, Sent } from "../../src/webhooks/engine/send.ts";
import { endpointTriggerOf, settle, settleWithEndpoint } from "../../src/webhooks/engine/settle.ts";
import { Slots } from "../../src/webhooks/engine/slots.ts";
import { pauseUnattended, sweep } from "../../src/webhooks/engine/sweep.ts";
import { type DeliveryState, deliveryStates } from "../../src/webhooks/engine/transition.ts";
import { type Worked, work } from "../../src/webhooks/engine/work.ts";
import { updateEndpoint } from "../../src/webhooks/update-endpoint.ts";
import { happen, makeLiveEndpoint, testCipher } from "../support/engine.ts";
import { makeChurch } from "../support/make.ts";

/**
 * One church's webhooks through weeks of bad luck, from a seed: the engine's own claim, work, settle and sweep on a real
 * database, receivers that have moods, workers that die or sleep at every stage, and people who pause and resume.
 *
 * The database's clock cannot be set. Instead time passes by moving everything that was stored into the past, which is the
 * same to whoever compares with now(): rows here, and in the hands of workers alike.
 */
export interface Story {
  readonly steps: number;
  readonly days: number;
  readonly deliveries: number;
  readonly sent: number;
  readonly abandoned: number;
  readonly states: Record<string, number>;
}

/** mulberry32 */
function chanceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Mood = "well" | "down" | "limping" | "busy" | "broken";
const moods: readonly Mood[] = ["well", "well", "down", "limping", "busy", "broken"];

interface StoredDelivery {
  id: string;
  status: DeliveryState;
  attemptCount: number;
  queued: boolean;
  completed: number;
}

export class Simulation {
  readonly #db: Db;
  readonly #chance: () => number;
  #accountId = "";
  #endpoints: readonly string[] = [];
  #mood: Mood = "well";
  /** What workers hold: claims they have not sent, and results they have not settled. */
  #claims: Claimed[] = [];
  #results: Worked[] = [];
  readonly #final = new Map<string, string>();
  /** By delivery: what it was sent with. */
  readonly #sent = new Map<string, string[]>();
  #passedMs = 0;
  #steps = 0;

  constructor(db: Db, seed: number) {
    this.#db = db;
    this.#chance = chanceFrom(seed);
  }

  async run(steps: number): Promise<Story> {
    const { id } = await makeChurch(this.#db);
    this.#accountId = id;
    const made = [1, 2, 3].map((number) =>
      makeLiveEndpoint(this.#db, id, { url: `https://receiver.example/${number}` }),
    );
    this.#endpoints = (await Promise.all(made)).map((endpoint) => endpoint.id);
    while (this.#steps++ < steps) {
      await this.#step();
      await this.#mustHold();
    }
    await this.#comeToRest();
    return this.#story();
  }

  async #step(): Promise<void> {
    const dice = this.#chance();
    if (dice < 0.2) return happen(this.#db, this.#accountId);
    if (dice < 0.6) return this.#turn();
    if (dice < 0.66) return this.#send();
    if (dice < 0.72) return this.#settle();
    if (dice < 0.74) return this.#die();
    if (dice < 0.94) return this.#passTime(this.#pick([SECOND, MINUTE, 10 * MINUTE, HOUR, DAY]));
    if (dice < 0.95) return this.#changeEndpoint();
    this.#mood = this.#pick(moods);
  }

  // -- Workers -----------------------------------------------------------------------------------------------------

  /** As it goes when nothing is wrong; and now and then something is. */
  async #turn(): Promise<void> {
    await this.#claim();
    while (this.#claims.length > 0 && this.#chance() < 0.95) await this.#send();
    while (this.#results.length > 0 && this.#chance() < 0.95) await this.#settle();
  }

  async #claim(): Promise<void> {
    const limit = 1 + Math.floor(this.#chance() * 5);
    const { claimed } = await claim(this.#db, {
      limit,
      busy: new Slots().busy(),
      after: undefined,
    });
    for (const one of claimed)
      assert.ok(!this.#claims.some((held) => held.lease === one.lease), "a lease is nobody else's");
    this.#claims.push(...claimed);
  }

  async #send(): Promise<void> {
    const claimed = this.#claims.shift();
    if (!claimed) return;
    const post: Sender = {
      send: async ({ headers }) => {
        const ids = this.#sent.get(claimed.deliveryId) ?? [];
        this.#sent.set(claimed.deliveryId, [...ids, headers["Webhook-Id"] ?? ""]);
        return this.#answer();
      },
      idleConnections: 0,
      close: () => undefined,
    };
    const worked = await work(claimed, { cipher: testCipher, post, userAgent: "Vestry/test" });
    if (worked) this.#results.push(worked);
  }

  #answer(): Sent {
    const course = { ms: 1, stages: {}, connection: "new" as const };
    const answered = (status: number, retryAfter?: string): Sent => ({
      ...course,
      kind: "answered",
      status,
      ...(retryAfter !== undefined && { retryAfter }),
    });
    switch (this.#mood) {
      case "well":
        return answered(204);
      case "down":
        return { ...course, kind: "failed", reason: "connection-refused", detail: "" };
      case "limping":
        return answered(this.#pick([200, 500, 503]));
      case "busy":
        return answered(429, this.#pick(["0", "3600", "soon"]));
      case "broken":
        return answered(this.#pick([404, 301, 500]));
    }
  }

  /** In any order, and as late as it comes: a lease may have ended long ago. */
  async #settle(): Promise<void> {
    const [worked] = this.#results.splice(Math.floor(this.#chance() * this.#results.length), 1);
    if (!worked) return;
    const { claimed } = worked;
    const [held] = await this.#db`
      select from webhook_queue where account_id = ${this.#accountId}
      and delivery_id = ${claimed.deliveryId} and lease = ${claimed.lease}`;
    const { lost, settled } = endpointTriggerOf(worked)
      ? await settleWithEndpoint(this.#db, worked)
      : await settle(this.#db, [worked]);
    assert.equal(settled.length, held ? 1 : 0, "what is recorded is what is still held");
    assert.equal(lost.length, held ? 0 : 1);
  }

  /** One of them is gone, with what it held: what it had sent nobody will ever know. */
  async #die(): Promise<void> {
    const from = this.#chance() < 0.5 ? this.#claims : this.#results;
    from.splice(Math.floor(this.#chance() * from.length), 1);
  }

  // -- Time --------------------------------------------------------------------------------------------------------

  async #passTime(upToMs: number): Promise<void> {
    const ms = Math.floor(this.#chance() * upToMs);
    this.#passedMs += ms;
    const by = this.#db`${ms} * interval '1 millisecond'`;
    const own = this.#db`account_id = ${this.#accountId}`;
    await this.#db`
      update webhook_queue set due_at = due_at - ${by}, expires_at = expires_at - ${by}, leased_at = leased_at - ${by}
      where ${own}`;
    await this.#db`
      update webhook_deliveries set expires_at = expires_at - ${by}, next_attempt_at = next_attempt_at - ${by}
      where ${own}`;
    await this.#db`
      update webhook_endpoint_health set streak_began_at = streak_began_at - ${by},
        failing_since = failing_since - ${by}, old_news_until = old_news_until - ${by},
        last_attempt_at = last_attempt_at - ${by}, last_success_at = last_success_at - ${by},
        last_failure_at = last_failure_at - ${by}
      where ${own}`;
    this.#claims = this.#claims.map((claimed) => earlier(claimed, ms));
    this.#results = this.#results.map((worked) => ({
      ...worked,
      claimed: earlier(worked.claimed, ms),
      finishedAt: worked.finishedAt - ms,
      ...(worked.attempt && {
        attempt: { ...worked.attempt, startedAt: worked.attempt.startedAt - ms },
      }),
    }));
    await sweep(this.#db);
    await pauseUnattended(this.#db);
    const [late] = await this.#db`
      select from webhook_queue where ${own} and lease is not null and due_at <= now()`;
    assert.equal(late, undefined, "nothing is held beyond its lease once it was swept");
  }

  // -- People ------------------------------------------------------------------------------------------------------

  async #changeEndpoint(): Promise<void> {
    const any = this.#pick(this.#endpoints);
    // Whatever is paused is resumed before anything else is paused, or nothing would be sent for long.
    const [row] = await this.#db<{ id: string; status: string; version: number }[]>`
      select id, status, version from webhook_endpoints
      where account_id = ${this.#accountId} and (status = 'paused' or id = ${any})
      order by status desc limit 1`;
    if (!row) return;
    const status = row.status === "active" ? "paused" : "active";
    const parts = { cipher: testCipher, judgeHost: async () => "usable" as const };
    await inTransaction(this.#db, (tx) =>
      updateEndpoint(tx, operator(this.#accountId), row, { kind: "status", status }, parts),
    );
  }

  // -- What must hold ----------------------------------------------------------------------------------------------

  async #deliveries(): Promise<StoredDelivery[]> {
    return this.#db<StoredDelivery[]>`
      select id, status, attempt_count as "attemptCount",
        exists (select from webhook_queue q where q.account_id = ${this.#accountId} and q.delivery_id = d.id) as queued,
        (select count(*)::integer from webhook_attempts a
         where a.account_id = ${this.#accountId} and a.delivery_id = d.id and a.state = 'completed') as completed
      from webhook_deliveries d where account_id = ${this.#accountId}`;
  }

  async #mustHold(): Promise<void> {
    for (const { attemptCount, completed, id, queued, status } of await this.#deliveries()) {
      const isFinal = deliveryStates[status].final;
      assert.equal(
        queued,
        !isFinal,
        `${status}: it is in the queue while it is live, and only then`,
      );
      if (this.#final.has(id)) assert.equal(status, this.#final.get(id), "what is final is final");
      if (isFinal) this.#final.set(id, status);
      assert.ok(attemptCount <= attemptsMax("production"), "no attempt too many");
      const sent = this.#sent.get(id) ?? [];
      assert.ok(completed <= sent.length, "no attempt is recorded that was not made");
      assert.ok(attemptCount <= completed);
      assert.ok(new Set(sent).size <= 1, "one Webhook-Id over all attempts");
    }
  }

  /** Everybody is well, and time passes, until nothing waits. */
  async #comeToRest(): Promise<void> {
    this.#mood = "well";
    for (let days = 0; ; days++) {
      assert.ok(days < 100, "everything comes to its end");
      await this.#claim();
      while (this.#claims.length > 0) await this.#send();
      while (this.#results.length > 0) await this.#settle();
      await this.#mustHold();
      if ((await this.#deliveries()).every(({ queued }) => !queued)) break;
      await this.#passTime(2 * DAY);
    }
    const { found } = await reconcile(this.#db, firstRound);
    assert.deepEqual(found, { requeued: 0, removed: 0 }, "there was nothing to mend");
  }

  async #story(): Promise<Story> {
    const deliveries = await this.#deliveries();
    const [row] = await this.#db<{ abandoned: number }[]>`
      select count(*)::integer as abandoned from webhook_attempts
      where account_id = ${this.#accountId} and state = 'abandoned'`;
    const states = Map.groupBy(deliveries, ({ status }) => status);
    return {
      steps: this.#steps,
      days: Math.round(this.#passedMs / DAY),
      deliveries: deliveries.length,
      sent: [...this.#sent.values()].reduce((sum, ids) => sum + ids.length, 0),
      abandoned: row?.abandoned ?? 0,
      states: Object.fromEntries([...states].map(([state, of]) => [state, of.length])),
    };
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#chance() * from.length)] ?? assert.fail("nothing to pick from");
  }
}

const earlier = (claimed: Claimed, ms: number): Claimed => ({
  ...claimed,
  claimedAt: claimed.claimedAt - ms,
  heardAt: claimed.heardAt - ms,
  expiresAt: claimed.expiresAt - ms,
});
