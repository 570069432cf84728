import { HOUR, MINUTE, random } from "../base/clock.ts";
import { sweepIdempotencyKeys } from "../jsonapi/request/idempotency.ts";
import { observe } from "../base/observe.ts";
import { sweepThrottles } from "../features/sign-in/throttle.ts";
import { type Db, inTransaction } from "../store/db.ts";
import { dropPartitions, ensurePartitions } from "../store/partitions.ts";
import { webhookLimits } from "../base/webhook-limits.ts";
import { sweepRecords } from "../webhooks/index.ts";

/** Forgets rows whose time is over; answers how many. */
interface Sweep {
  what: string;
  run: (db: Db) => Promise<number>;
}

async function sweepAccessTokens(db: Db): Promise<number> {
  const { count } = await db`delete from access_tokens where expires_at <= now()`;
  return count;
}

const sweepHistory = async (db: Db): Promise<number> =>
  (await dropPartitions(db, webhookLimits.retentionMs)).length;

const sweeps: readonly Sweep[] = [
  { what: "missing-partitions", run: ensurePartitions },
  { what: "history", run: sweepHistory },
  { what: "webhook-records", run: sweepRecords },
  { what: "idempotency-keys", run: sweepIdempotencyKeys },
  { what: "login-throttles", run: sweepThrottles },
  { what: "access-tokens", run: sweepAccessTokens },
];

const EVERY_MS = HOUR;
/** Nodes that were started together should not all come at the same moment. */
const JITTER = 0.2;

/** Any constant will do, as long as no other program locks it: "swep" in ASCII. */
const SWEEP_LOCK = 0x73_77_65_70;

/** One round, unless another node is at it. What fails is told, keeps no other from its turn, and is left to the next round. */
export async function sweep(db: Db): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [row] = await tx<{ locked: boolean }[]>`
      select pg_try_advisory_xact_lock(${SWEEP_LOCK}::bigint) as locked`;
    if (row?.locked !== true) return false;
    // Meanwhile nothing is said on this connection, and a round may take longer than others may be silent.
    await tx`set local idle_in_transaction_session_timeout = 0`;
    for (const { what, run } of sweeps) {
      try {
        // On a connection of its own: one that fails must not take the others with it.
        observe({ kind: "sweep-finished", what, rows: await run(db) });
      } catch (error) {
        observe({ kind: "sweep-failed", what, error });
      }
    }
    return true;
  });
}

/** A round soon after the start and then each hour. Answers the function that ends it. */
export function startSweeping(db: Db): () => Promise<void> {
  let timer: NodeJS.Timeout;
  let round: Promise<unknown> = Promise.resolve();
  const plan = (ms: number) => {
    timer = setTimeout(
      () => {
        round = sweep(db).catch((error: unknown) => {
          observe({ kind: "sweep-failed", what: "round", error });
        });
        plan(EVERY_MS);
      },
      ms * (1 + (random() - 0.5) * JITTER),
    );
    timer.unref();
  };
  plan(MINUTE);
  return async () => {
    clearTimeout(timer);
    await round;
  };
}
