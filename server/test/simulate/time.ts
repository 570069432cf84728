import assert from "node:assert/strict";
import { MINUTE } from "../../src/base/clock.ts";
import type { Claimed } from "../../src/webhooks/engine/claim.ts";
import { pauseFailing, sweep } from "../../src/webhooks/engine/sweep.ts";
import type { World } from "./world.ts";

/**
 * The database's clock cannot be set. Time passes by moving all stored times into the past, in rows and in the claims of
 * workers. Comparisons with now() cannot tell the difference.
 */
export async function pass(world: World, ms: number): Promise<void> {
  const { accountId, claims, db, results } = world;
  world.passedMs += ms;
  await db.query(await moveOf(world), [accountId, ms], { prepared: true });
  world.claims = claims.map((one) => ({ ...one, claimed: earlier(one.claimed, ms) }));
  world.results = results.map(({ attempt, ...worked }) => ({
    ...worked,
    claimed: earlier(worked.claimed, ms),
    finishedAt: worked.finishedAt - ms,
    ...(attempt && { attempt: { ...attempt, startedAt: attempt.startedAt - ms } }),
  }));
  await sweep(db);
  await pauseFailing(db);
}

/** Moves time just beyond the next due work. Returns false if no work is left. */
export async function passUntilDue(world: World): Promise<boolean> {
  const [next] = await world.db<{ ms: number | null }[]>`
    select extract(epoch from min(due_at) - now())::float8 * 1000 as ms from webhook_queue
    where account_id = ${world.accountId} and not ready`;
  if (next?.ms == null) return false;
  await pass(world, Math.max(0, Math.ceil(next.ms)) + world.die.below(MINUTE));
  return true;
}

const earlier = (claimed: Claimed, ms: number): Claimed => ({
  ...claimed,
  claimedAt: claimed.claimedAt - ms,
  receivedAt: claimed.receivedAt - ms,
  readAt: claimed.readAt - ms,
  expiresAt: claimed.expiresAt - ms,
});

/** Ids contain the time of an event and stay. Hourly counts are not compared here. The installation belongs to no account. */
const lasting = ["webhook_events", "webhook_hours", "webhook_installation"];

/** Moves all other times in one statement. */
async function moveOf({ db }: World): Promise<string> {
  move ??= db<{ table: string; columns: string[] }[]>`
    select relname as table, array_agg(attname::text) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname like 'webhook\\_%' and relname <> all(${lasting}::text[])
      and atttypid = 'timestamptz'::regtype and attnum > 0 and not attisdropped
    group by relname order by relname`.then((tables) => {
    assert.ok(tables.length > 5, "the tables of the webhooks tell times");
    const moves = tables.map(
      ({ columns, table }) =>
        `${table}_moved as (update ${table} set ${columns
          .map((column) => `${column} = ${column} - $2::float8 * interval '1 millisecond'`)
          .join(", ")} where account_id = $1::uuid)`,
    );
    return `with ${moves.join(", ")} select`;
  });
  return move;
}

let move: Promise<string> | undefined;
