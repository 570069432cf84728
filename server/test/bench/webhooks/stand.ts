import { operator } from "../../../src/access/operator.ts";
import { capture } from "../../../src/events/capture.ts";
import { newId } from "../../../src/base/ids.ts";
import { type Db, inTransaction } from "../../../src/store/db.ts";
import { webhookLimits } from "../../../src/base/webhook-limits.ts";
import type { Budget } from "../budgets.ts";
import { makeLiveEndpoint } from "../../support/engine.ts";
import { makeAccount } from "../../support/make.ts";

/** The parameters of every webhook bench. */
export interface Stand {
  readonly databaseUrl: string;
  readonly db: Db;
  /** The one that the receivers' certificates are from. */
  readonly authority: string;
  readonly say: (line: string) => void;
  /** How long what goes on at a rate is measured. */
  readonly seconds: number;
  readonly rounds: number;
  /** How many deliveries history holds, where its size is what matters. */
  readonly deliveries: number;
  /** Where CPU profiles of the engine go, if anywhere. */
  readonly profile: string | undefined;
}

/** A figure beside its floor, or beside what it has to do with. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly measured: number;
  readonly floor?: number;
  /** How near the floor it comes, the median of the rounds'. */
  readonly ratio?: number;
  readonly budget?: Budget & { readonly of: "measured" | "ratio" };
}

export interface Bench {
  readonly title: string;
  run(stand: Stand): Promise<readonly Figure[]>;
}

/** One clock for all processes of a machine, in milliseconds. */
export const monotonic = (): number => Number(process.hrtime.bigint()) / 1e6;

/** From each commit to its message's arrival. Every event has one, or this throws. */
export function lagsOf(
  told: readonly Told[],
  arrivals: readonly (readonly [subjectId: string, at: number])[],
): number[] {
  const arrived = new Map(arrivals);
  return told.map(({ committedAt, subjectId }) => {
    const at = arrived.get(subjectId);
    if (at === undefined) throw new Error("An event never came.");
    return at - committedAt;
  });
}

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;
};

/** A person as most are captured: with it, a message is about a kilobyte. */
export const SNAPSHOT = JSON.stringify({
  type: "people",
  attributes: {
    "full-name": "Antônia de Souza Cavalcanti",
    "preferred-name": "Tônia",
    "sex": "female",
    "birthdate": "1987-04-23",
    "marital-status": "married",
    "occupation": "Carpenter",
    "email": "antonia.cavalcanti@example.org",
    "phones": [{ kind: "mobile", number: "+5511987654321" }],
    "membership-status": "member",
    "member-since": "2009-11-01",
    "is-baptized": true,
    "locale": "pt-BR",
  },
});

export interface Receiver {
  readonly accountId: string;
  readonly endpointId: string;
}

/** Accounts with so many endpoints each, all at one address, each on a path of its own. */
export async function makeReceivers(
  db: Db,
  origin: string,
  { accounts, each = 1 }: { accounts: number; each?: number },
): Promise<Receiver[]> {
  const receivers: Receiver[] = [];
  for (let account = 0; account < accounts; account += 1) {
    const { id: accountId } = await makeAccount(db);
    for (let endpoint = 0; endpoint < each; endpoint += 1) {
      const { id } = await makeLiveEndpoint(db, accountId, { url: `${origin}/${newId()}` });
      receivers.push({ accountId, endpointId: id });
    }
  }
  return receivers;
}

/** Removes receivers and all that was captured, so that one bench leaves nothing to the next. */
export async function clear(db: Db): Promise<void> {
  await clearHistory(db);
  await db`delete from webhook_endpoints`;
}

export async function clearHistory(db: Db): Promise<void> {
  await db`
    truncate webhook_queue, webhook_attempts, webhook_deliveries, webhook_events, webhook_controls, webhook_hours`;
}

/** As many events in each account, one each millisecond and due already: what `capture` would have left behind. */
export async function queueWork(
  db: Db,
  receivers: readonly Receiver[],
  eventsOfEach: number,
): Promise<void> {
  const accounts = [...new Set(receivers.map(({ accountId }) => accountId))];
  await db`
    with event as (
      insert into webhook_events (account_id, id, event_type, occurred_at, cause, subject_type, subject_id, snapshot,
        snapshot_bytes)
      select account_id, history_id(moment), 'person.created', moment, 'api', 'people', gen_random_uuid(),
        ${SNAPSHOT}, ${Buffer.byteLength(SNAPSHOT)}
      from generate_series(
          date_trunc('milliseconds', now()) - (${eventsOfEach}::int - 1) * interval '1 millisecond',
          date_trunc('milliseconds', now()), interval '1 millisecond') as moment
        cross join unnest(${accounts}::uuid[]) as account (account_id)
      returning account_id, id, occurred_at
    ), delivery as (
      insert into webhook_deliveries (account_id, id, created_at, updated_at, kind, endpoint_id, message_id, event_type,
        destination_version, next_attempt_at, expires_at)
      select event.account_id, history_id(occurred_at), occurred_at, occurred_at, 'production', endpoint.id, event.id,
        'person.created', 1, occurred_at, occurred_at + ${webhookLimits.retentionMs} * interval '1 millisecond'
      from event join webhook_endpoints endpoint on endpoint.account_id = event.account_id
        and endpoint.id = any(${receivers.map(({ endpointId }) => endpointId)}::uuid[])
      returning account_id, id, endpoint_id, message_id, created_at, expires_at
    )
    insert into webhook_queue (account_id, delivery_id, endpoint_id, message_id, kind, event_type, destination_version,
      expires_at, due_at)
    select account_id, id, endpoint_id, message_id, 'production', 'person.created', 1, expires_at, created_at
    from delivery`;
}

/** When an event was begun and committed, by `monotonic`; it is found again by whom it is about. */
export interface Told {
  readonly subjectId: string;
  readonly begunAt: number;
  readonly committedAt: number;
}

/** One person was added, as a write would tell it; in a transaction of its own. */
export async function tell(db: Db, accountId: string): Promise<Told> {
  const subjectId = newId();
  const begunAt = monotonic();
  await inTransaction(db, accountId, (tx) =>
    capture(tx, operator(accountId), {
      type: "person.created",
      subject: { type: "people", id: subjectId },
      snapshot: () => SNAPSHOT,
    }),
  );
  return { subjectId, begunAt, committedAt: monotonic() };
}
