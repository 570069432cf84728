import { setTimeout as wait } from "node:timers/promises";
import { SECOND } from "../../src/base/clock.ts";
import type { Db } from "../../src/store/db.ts";
import type { ChaosAccount } from "./accounts.ts";
import type { Accepted } from "./load.ts";

export interface Verdict {
  /** Writes that the API accepted. */
  accepted: number;
  /** Events, including those of writes whose response was lost. */
  captured: number;
  /** Events that a receiver has accepted. */
  delivered: number;
  /** Events that were accepted but not captured, or captured but never received. */
  lost: number;
  /** Events that were received more than once with the same `Webhook-Id`. */
  duplicated: number;
  /** Queue rows that remain although all receivers work. */
  stuck: number;
  /** Requests with a wrong signature. */
  forged: number;
  requests: number;
  /** Attempts of lost workers. */
  abandoned: number;
  troubles: Record<string, number>;
}

/** A run without accepted writes proves nothing. */
export const holds = ({ accepted, forged, lost, stuck }: Verdict): boolean =>
  accepted > 0 && lost + stuck + forged === 0;

/** Waits for the queue to empty, and returns the number of rows left at the deadline. */
export async function drain(db: Db, msMax: number): Promise<number> {
  const tooLate = performance.now() + msMax;
  for (;;) {
    const [row] = await db<{ waiting: number }[]>`
      with due as (
        update webhook_queue set due_at = now() - interval '1 second' where not ready and lease is null
      )
      select count(*)::integer as waiting from webhook_queue`.catch(() => [{ waiting: 1 }]);
    if (row?.waiting === 0 || performance.now() > tooLate) return row?.waiting ?? 0;
    await wait(SECOND);
  }
}

interface Event {
  id: string;
  accountId: string;
  key: string;
}

const keyOf = ({ eventType, occupation, personId }: Omit<Accepted, "accountId">) =>
  `${eventType} ${personId} ${occupation}`;

export async function judge(
  db: Db,
  given: {
    accounts: readonly ChaosAccount[];
    accepted: readonly Accepted[];
    stuck: number;
    troubles: ReadonlyMap<string, number>;
  },
): Promise<Verdict> {
  const { accepted, accounts, stuck, troubles } = given;
  const verdict: Verdict = {
    accepted: accepted.length,
    captured: 0,
    delivered: 0,
    lost: 0,
    duplicated: 0,
    stuck,
    forged: 0,
    requests: 0,
    abandoned: 0,
    troubles: Object.fromEntries(troubles),
  };
  for (const { id: accountId, receiver } of accounts) {
    const events = (
      await db<
        { id: string; eventType: Accepted["eventType"]; personId: string; snapshot: string }[]
      >`
        select id, event_type as "eventType", subject_id as "personId", snapshot
        from webhook_events where account_id = ${accountId}`
    ).map((event): Event => {
      const { attributes } = JSON.parse(event.snapshot) as { attributes: { occupation: string } };
      return { id: event.id, accountId, key: keyOf({ ...event, ...attributes }) };
    });
    const captured = new Set(events.map(({ key }) => key));
    const { forged, requests, taken } = receiver.receipts();
    verdict.captured += events.length;
    verdict.forged += forged;
    verdict.requests += requests;
    const uncaptured = accepted.filter(
      (one) => one.accountId === accountId && !captured.has(keyOf(one)),
    );
    const untaken = events.filter(({ id }) => !taken.has(id));
    verdict.lost += uncaptured.length + untaken.length;
    verdict.delivered += events.length - untaken.length;
    verdict.duplicated += [...taken.values()].filter((times) => times > 1).length;
    const [row] = await db<{ abandoned: number }[]>`
      select count(*)::integer as abandoned from webhook_attempts
      where account_id = ${accountId} and state = 'abandoned'`;
    verdict.abandoned += row?.abandoned ?? 0;
  }
  return verdict;
}

export function table({ troubles, ...figures }: Verdict): string {
  const rows = Object.entries({ ...figures, ...troubles });
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}
