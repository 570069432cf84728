import { MINUTE } from "../../base/clock.ts";
import { ApiError } from "../../base/errors.ts";
import { observe } from "../../base/observe.ts";
import type { Job } from "../../jobs/jobs.ts";
import { isDatabaseAway } from "../../store/away.ts";
import type { Db } from "../../store/db.ts";
import { finishMove } from "./move-account.ts";

interface Begun {
  id: string;
  to: number;
}

/** An operator who repeats a killed command comes before the job. */
const UNATTENDED_MS = MINUTE;

/**
 * Ends the moves of accounts whose command was killed. An account that was not placed on its new server is used where it was, and
 * its jobs and messages go on. The move of one that was placed is finished.
 */
export const movesJob: Job = {
  name: "account-moves",
  schedule: "* * * * *",
  only: "one of several",
  async run(source, whole = source) {
    const moves = await source<Begun[]>`
      select account_id as id, server as to from account_moves
      where state = 'ended' or state = 'held' and held_until <= now()
        or coalesce(held_until, started_at) < now() - ${UNATTENDED_MS} * interval '1 millisecond'
      order by started_at`;
    let ended = 0;
    for (const move of moves) if (await end(whole, source, move)) ended += 1;
    await report(source);
    return ended;
  },
};

/** Returns false if a command is at work, or a server that the move needs is away. */
async function end(whole: Db, source: Db, { id, to }: Begun): Promise<boolean> {
  const [listed] = await whole<{ alias: string }[]>`
    select alias from account_homes where account_id = ${id}`;
  if (!listed) return false;
  try {
    const server = await finishMove(whole, { alias: listed.alias, to }, source);
    if (server === undefined) return false;
    observe({ kind: "move-ended", accountId: id, server });
    return true;
  } catch (error) {
    if (isDatabaseAway(error) || error instanceof ApiError) return false;
    throw error;
  }
}

async function report(source: Db): Promise<void> {
  const [seen] = await source<{ accounts: number; oldestMs: number }[]>`
    select count(*)::integer as accounts,
      coalesce(1000 * extract(epoch from now() - min(started_at)), 0)::float8 as "oldestMs"
    from account_moves where state <> 'ended'`;
  observe({ kind: "moves-seen", server: source.server, accounts: 0, oldestMs: 0, ...seen });
}
