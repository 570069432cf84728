import { setTimeout as wait } from "node:timers/promises";
import { SECOND } from "../../src/base/clock.ts";
import { type Db, HOME } from "../../src/store/db.ts";
import type { ChaosAccount } from "./accounts.ts";
import { type Accepted, type Answer, isServed } from "./load.ts";

/** The time in which a server was away, by the clock of the answers. */
export interface Outage {
  readonly server: number;
  readonly from: number;
  readonly to: number;
}

/** The requests of the accounts of the other servers while one was away. */
export interface Meanwhile {
  /** The fewest changes that were accepted during one outage. */
  leastServed: number;
  /** Requests that the outage must not affect, and that failed. */
  refused: number;
  slowestMs: number;
}

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
  /** Only of a run with several servers. */
  servers?: Meanwhile & {
    /** Rows of accounts that the directory lists on another server, or not at all. */
    misplaced: number;
  };
}

/** A run without accepted writes proves nothing, and neither does an outage without any. */
export const holds = ({ accepted, forged, lost, servers, stuck }: Verdict): boolean =>
  accepted > 0 &&
  lost + stuck + forged === 0 &&
  (!servers || (servers.misplaced + servers.refused === 0 && servers.leastServed > 0));

/** Waits for the queues of all servers to empty, and returns the number of rows left at the deadline. */
export async function drain(servers: readonly Db[], msMax: number): Promise<number> {
  const tooLate = performance.now() + msMax;
  for (;;) {
    const waiting = (await Promise.all(servers.map(makeDue))).reduce((sum, one) => sum + one, 0);
    if (waiting === 0 || performance.now() > tooLate) return waiting;
    await wait(SECOND);
  }
}

/** Makes all deliveries due, and returns their number. */
async function makeDue(db: Db): Promise<number> {
  const [row] = await db<{ waiting: number }[]>`
    with due as (
      update webhook_queue set due_at = now() - interval '1 second' where not ready and lease is null
    )
    select count(*)::integer as waiting from webhook_queue`.catch(() => [{ waiting: 1 }]);
  return row?.waiting ?? 0;
}

/** Log-ins need the home, because it counts failed ones. */
export function judgeMeanwhile(
  outages: readonly Outage[],
  answers: readonly Answer[],
  serverOf: ReadonlyMap<string, number>,
): Meanwhile {
  const verdict: Meanwhile = { leastServed: Number.POSITIVE_INFINITY, refused: 0, slowestMs: 0 };
  for (const { from, server, to } of outages) {
    const others = answers.filter(
      (one) =>
        one.to >= from &&
        one.from <= to &&
        serverOf.get(one.accountId) !== server &&
        !(one.isLogin && server === HOME),
    );
    const served = others.filter((one) => isServed(one) && one.from >= from && one.to <= to);
    const changes = served.filter(({ isLogin }) => !isLogin);
    verdict.leastServed = Math.min(verdict.leastServed, changes.length);
    verdict.refused += others.filter(({ status }) => status === 0 || status >= 500).length;
    for (const one of others)
      verdict.slowestMs = Math.max(verdict.slowestMs, Math.round(one.to - one.from));
  }
  return { ...verdict, leastServed: outages.length === 0 ? 0 : verdict.leastServed };
}

/** These rows at home are about the accounts of all servers. */
const COPIES_AT_HOME = new Set(["account_homes", "logins"]);

/** Rows of accounts that the directory lists on another server, or not at all, and accounts that it lists on a wrong one. */
async function countMisplaced(
  servers: readonly Db[],
  accounts: readonly ChaosAccount[],
): Promise<number> {
  const [home] = servers;
  if (!home) return 0;
  const homes = await home<{ id: string; server: number }[]>`
    select account_id as id, server from account_homes`;
  const listed = new Map(homes.map(({ id, server }) => [id, server]));
  let misplaced = accounts.filter(({ db, id }) => listed.get(id) !== db.server).length;
  for (const db of servers) {
    const own = homes.filter(({ server }) => server === db.server).map(({ id }) => id);
    const columns = await db<{ table: string; column: string }[]>`
      select relation.relname as table, attribute.attname as column
      from pg_class relation join pg_attribute attribute on attribute.attrelid = relation.oid
      where relation.relnamespace = current_schema()::regnamespace and relation.relkind in ('r', 'p')
        and not relation.relispartition and not attribute.attisdropped
        and attribute.attname = case when relation.relname = 'accounts' then 'id' else 'account_id' end`;
    for (const { column, table: name } of columns) {
      if (db === home && COPIES_AT_HOME.has(name)) continue;
      const [row] = await db<{ count: number }[]>`
        select count(*)::integer as count from ${db(name)} where ${db(column)} <> all(${own}::uuid[])`;
      misplaced += row?.count ?? 0;
    }
  }
  return misplaced;
}

interface Event {
  id: string;
  accountId: string;
  key: string;
}

const keyOf = ({ eventType, occupation, personId }: Omit<Accepted, "accountId">) =>
  `${eventType} ${personId} ${occupation}`;

export async function judge(
  servers: readonly Db[],
  given: {
    accounts: readonly ChaosAccount[];
    accepted: readonly Accepted[];
    answers: readonly Answer[];
    outages: readonly Outage[];
    stuck: number;
    troubles: ReadonlyMap<string, number>;
  },
): Promise<Verdict> {
  const { accepted, accounts, answers, outages, stuck, troubles } = given;
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
  for (const { db, id: accountId, receiver } of accounts) {
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
  if (servers.length === 1) return verdict;
  const serverOf = new Map(accounts.map(({ db, id }) => [id, db.server]));
  verdict.servers = {
    ...judgeMeanwhile(outages, answers, serverOf),
    misplaced: await countMisplaced(servers, accounts),
  };
  return verdict;
}

const ofServers = ({
  leastServed,
  misplaced,
  refused,
  slowestMs,
}: Required<Verdict>["servers"]) => ({
  "rows on a wrong server": misplaced,
  "least changes of other servers in an outage": leastServed,
  "failed requests to other servers in outages": refused,
  "slowest of them, ms": slowestMs,
});

export function table({ servers, troubles, ...figures }: Verdict): string {
  const rows = Object.entries({ ...figures, ...(servers && ofServers(servers)), ...troubles });
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}
