import { setTimeout as wait } from "node:timers/promises";
import { copyIntegrations } from "../../access/integrations.ts";
import { MINUTE, SECOND } from "../../base/clock.ts";
import { fail } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import { queueDeliveries, unqueueDeliveries } from "../../events/move-deliveries.ts";
import {
  copyJobs,
  discardJobs,
  hasRunningJobs,
  putOffJobs,
  removeJobs,
  resumeJobs,
} from "../../jobs/move-jobs.ts";
import { isDatabaseAway } from "../../store/away.ts";
import {
  type Db,
  HOME,
  inGlobalTransaction,
  inTransaction,
  type Queryable,
  type Tx,
} from "../../store/db.ts";
import { KNOWN_MS } from "../../store/directory.ts";
import { askEach } from "../../store/on-each.ts";
import { askWritable } from "../../store/readiness.ts";
import { removeStaged, StagedAccount } from "../../store/staged-account.ts";
import { emptyAccount } from "./delete-account.ts";

/**
 * Moves an account to another server, while it is used.
 *
 *     copy      rows arrive beside the tables of the target. Changes made meanwhile are copied again, until few are left
 *     hold      a row in `account_moves` of the source refuses every transaction of the account: 503. It is a lease
 *     place     the last changes are copied, and the account is added to the tables of the target in one transaction
 *     direct    the directory leads to the target. The account is used there
 *     empty     three seconds later, when every node knows, the rows of the source are deleted, and with them the hold
 *
 * Each step can be repeated, so a move that was killed is finished by the same command. Before the account is placed, the hold
 * ends by itself when the command does not renew it, and the move can also be given up. Just before the account is placed, the
 * hold becomes permanent. From then on only the target is right, because its workers may have sent something already, and a job
 * finishes the move.
 */
export interface Move {
  alias: string;
  to: number;
  /** Deletes the copy of another server that a restore brought back. */
  discardsCopy?: boolean;
  /** Told after each step, and after each round of copying with its number of rows. */
  reached?: (step: MoveStep, rows?: number) => void | Promise<void>;
  /** Told when a server is unreachable and the move tries again. */
  interrupted?: (error: Error) => void;
  /** An unreachable server is waited for so long after the last step. */
  patienceMs?: number;
  /** The account is used again so long after the command died. */
  leaseMs?: number;
}

export type MoveStep = "copied" | "refusing" | "placed" | "directed" | "emptied";

export interface Moved {
  account: { id: string; alias: string };
  from: number;
  to: number;
  /** For how long changes of the account were refused, by the clock of the first server. */
  heldMs: number;
}

/** Further rounds of copying would find as many changes again. */
const ROUNDS_MAX = 5;
const FEW_ROWS = 1_000;

/** Messages and jobs that are under way for longer are repeated on the target. */
const DRAIN_MS_MAX = 2 * SECOND;
/** Commits take so long at most. */
const PASS_MS_MAX = 10 * SECOND;
const ASK_MS = SECOND / 20;

/** The account is used again so long after its command was killed. */
export const LEASE_MS = 15 * SECOND;
const PATIENCE_MS = MINUTE;
const AGAIN_MS = SECOND;

export async function moveAccount(db: Db, move: Move): Promise<Moved> {
  const { patienceMs = PATIENCE_MS, reached } = move;
  let until = performance.now() + patienceMs;
  const progress = (step: MoveStep, rows?: number) => {
    until = performance.now() + patienceMs;
    return reached?.(step, rows);
  };
  const moving = new AccountMove(db, { ...move, reached: progress });
  for (;;) {
    try {
      return await alone(db, move.alias, (listed) => moving.run(listed));
    } catch (error) {
      // The connection that keeps other commands out can be lost when all is done.
      if (moving.moved) return moving.moved;
      if (!isDatabaseAway(error) || performance.now() > until) throw error;
      move.interrupted?.(error as Error);
      await wait(AGAIN_MS);
    }
  }
}

/** Ends a move whose command was killed. See `AccountMove.finish`. */
export const finishMove = (
  db: Db,
  move: Pick<Move, "alias" | "to">,
  source: Db,
): Promise<number | undefined> =>
  alone(db, move.alias, (listed) => new AccountMove(db, move).finish(listed, source));

interface Listed {
  id: string;
  server: number;
}

/** Only one command moves an account at a time. */
const alone = <T>(db: Db, alias: string, run: (listed: Listed) => Promise<T>): Promise<T> =>
  inGlobalTransaction(db, async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = 0`;
    const [listed] = await tx<Listed[]>`
      select account_id as id, server from account_homes where alias = ${alias}`;
    if (!listed) throw fail("not-found", `No account has the alias ${JSON.stringify(alias)}.`);
    const [lock] = await tx<{ locked: boolean }[]>`
      select pg_try_advisory_xact_lock(lock_of_moves(${listed.id}) + 1) as locked`;
    if (!lock?.locked) throw fail("conflict", `Another command moves ${alias}.`);
    return run(listed);
  });

interface Hold {
  to: number;
  state: "held" | "placing" | "discarding" | "ended";
  /** The command. Null for rows of earlier versions, and for copies that a restore brought back. */
  holder: string | null;
  /** The lease was not renewed. */
  isOver: boolean;
  /** For how long the account has refused changes. */
  ms: number;
}

/** The hold of an account that leaves this server. */
async function holdIn(db: Db, id: string): Promise<Hold | undefined> {
  const [hold] = await db<Hold[]>`
    select server as to, state, holder,
      state = 'ended' or state = 'held' and held_until <= now() as "isOver",
      round(1000 * extract(epoch from now() - started_at))::float8 as ms
    from account_moves where account_id = ${id}`;
  return hold;
}

async function isIn(server: Db, id: string): Promise<boolean> {
  const [found] = await server`select from accounts where id = ${id}`;
  return found !== undefined;
}

/** The lock of the transaction that adds an account to the tables of its new server. */
async function isPlacingAlone(tx: Tx, id: string): Promise<boolean> {
  const [lock] = await tx<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(lock_of_moves(${id}) + 2) as locked`;
  return lock?.locked === true;
}

/** Whether the account has been placed, or undefined while a transaction that places it has not ended. */
const isPlacedOn = (target: Db, id: string): Promise<boolean | undefined> =>
  inGlobalTransaction(target, async (tx) => {
    if (!(await isPlacingAlone(tx, id))) return undefined;
    const [found] = await tx`select from accounts where id = ${id}`;
    return found !== undefined;
  });

/** Lets the account be used on the source again. It fails if another command holds the account by now. */
const endHold = (source: Db, id: string, { holder }: Pick<Hold, "holder">): Promise<void> =>
  inTransaction(source, id, async (tx) => {
    const { count } = await tx`
      delete from account_moves where account_id = ${id} and holder is not distinct from ${holder}`;
    if (count === 0) return;
    await resumeJobs(tx, id);
    await queueDeliveries(tx, id);
  });

async function lastChange(server: Db, id: string): Promise<string> {
  const [row] = await server<{ at: string | null }[]>`
    select to_char(last_change_of(${id}), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`;
  return `server ${server.server}, last changed at ${row?.at ?? "an unknown time"}`;
}

class AccountMove {
  readonly #db: Db;
  readonly #move: Move;
  readonly #target: Db;
  readonly #holder = newId();
  readonly #leaseMs: number;
  #id = "";
  /** The servers that answer. The two of the move are among them. */
  #servers: readonly Db[];
  #heldMs = 0;
  /** Set when the move is over. */
  moved: Moved | undefined;

  constructor(db: Db, move: Move) {
    this.#db = db;
    this.#move = move;
    this.#target = this.#server(move.to);
    this.#leaseMs = move.leaseMs ?? LEASE_MS;
    this.#servers = db.servers;
  }

  async run({ id, server: listed }: Listed): Promise<Moved> {
    this.#id = id;
    const { to } = this.#move;
    const { answers, away } = await askEach(this.#db.servers, async (one) => {
      await askWritable(one);
      return one;
    });
    const needed = away.find(({ server: { server } }) => server === listed || server === to);
    if (needed) throw needed.error;
    this.#servers = answers;
    if (!(await this.#begun())) await this.#requireOneCopy(listed);
    const { hold, source = this.#server(listed) } = (await this.#begun()) ?? {};
    if (hold && hold.to !== to) return this.#giveBack(source, hold);
    if (source === this.#target) return this.#stay();
    if (hold?.state !== "discarding") await this.#copy(source, hold);
    return this.#afterPlacing(source, hold);
  }

  /**
   * Ends what a killed command has left. An account that it has placed is brought to the end, and any other is given back. Returns the
   * server of the account, or undefined if there was nothing to end.
   */
  async finish({ id, server }: Listed, source: Db): Promise<number | undefined> {
    this.#id = id;
    const { to } = this.#move;
    const hold = await holdIn(source, id);
    if (hold?.to !== to) return undefined;
    // The account may have moved on since, to a third server.
    if (server !== source.server && server !== to) hold.state = "discarding";
    const isPlaced = server === to || (hold.state === "placing" && (await this.#isPlaced()));
    if (hold.state === "discarding" || isPlaced) {
      await this.#afterPlacing(source, hold);
      return to;
    }
    if (!hold.isOver && hold.state === "held") return undefined;
    await endHold(source, id, hold);
    await removeStaged(this.#target, id);
    return source.server;
  }

  /** The server that has begun to give the account away. */
  async #begun(): Promise<{ source: Db; hold: Hold } | undefined> {
    for (const source of this.#servers) {
      const hold = await holdIn(source, this.#id);
      if (hold?.isOver) await endHold(source, this.#id, hold);
      else if (hold) return { source, hold };
    }
    return undefined;
  }

  async #isPlaced(): Promise<boolean> {
    const placed = await isPlacedOn(this.#target, this.#id);
    if (placed === undefined)
      throw fail("conflict", `Another command places ${this.#move.alias}. Try again later.`);
    return placed;
  }

  /** A server that was restored to an earlier moment can have an account that has moved since, or lack one. */
  async #requireOneCopy(listed: number): Promise<void> {
    const { alias, discardsCopy, to } = this.#move;
    const holders: Db[] = [];
    for (const server of this.#servers) if (await isIn(server, this.#id)) holders.push(server);
    const numbers = holders.map(({ server }) => server);
    if (numbers.length === 1 && (numbers[0] === listed || numbers[0] === to)) return;
    if (!discardsCopy || !numbers.includes(to)) {
      const known = await Promise.all(holders.map((server) => lastChange(server, this.#id)));
      throw fail(
        "conflict",
        `The directory leads to server ${listed} for ${alias}, and these servers have it: ${known.join(", ") || "none"}. ` +
          "One of them was restored. Name the right one with --to, and add --discard-copy if others have it, too.",
      );
    }
    for (const server of holders)
      if (server.server !== to)
        await server`
          insert into account_moves (account_id, server, state)
          values (${this.#id}, ${to}, 'discarding')`;
  }

  // -- Copy ----------------------------------------------------------------------------------------------------------

  async #copy(source: Db, hold: Hold | undefined): Promise<void> {
    if (hold?.state === "placing") {
      if (await this.#isPlaced()) return;
      await endHold(source, this.#id, hold);
    } else if (await isIn(this.#target, this.#id)) return;
    if (this.#target.home) await copyIntegrations(this.#target.home, this.#target);
    const staged = await StagedAccount.prepare(source, this.#target, this.#id);
    for (let round = 1; round <= ROUNDS_MAX; round += 1) {
      const rows = await staged.bring();
      await this.#reached("copied", rows);
      if (rows < FEW_ROWS) break;
    }
    let isPlacing = false;
    const renewing = setInterval(() => void this.#renew(source), this.#leaseMs / 3);
    try {
      await this.#hold(source);
      await this.#reached("refusing");
      await staged.bring();
      isPlacing = true;
      await inGlobalTransaction(this.#target, (tx) => this.#place(source, staged, tx));
    } catch (error) {
      // A commit whose answer was lost may have placed the account. The hold then stays.
      const isAbsent =
        !isPlacing || (await isPlacedOn(this.#target, this.#id).catch(() => undefined)) === false;
      if (isAbsent)
        await endHold(source, this.#id, { holder: this.#holder }).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewing);
    }
    await this.#reached("placed");
  }

  async #hold(source: Db): Promise<void> {
    await inGlobalTransaction(source, async (tx) => {
      const { count } = await tx`
        insert into account_moves as known (account_id, server, state, holder, held_until)
        values (${this.#id}, ${this.#move.to}, 'held', ${this.#holder}, ${this.#leaseEnd(tx)})
        on conflict (account_id) do update set server = excluded.server, state = excluded.state,
          holder = excluded.holder, held_until = excluded.held_until,
          started_at = case when known.state = 'held' then known.started_at else excluded.started_at end
        where known.state in ('held', 'ended')`;
      if (count === 0)
        throw fail("conflict", `Another command places ${this.#move.alias}. Try again later.`);
      await putOffJobs(tx, this.#id);
    });
    await this.#passed(source);
    const until = performance.now() + DRAIN_MS_MAX;
    for (;;) {
      const areSent = !(await unqueueDeliveries(source, this.#id));
      if (areSent && !(await hasRunningJobs(source, this.#id))) return;
      if (performance.now() > until) return;
      await wait(ASK_MS);
    }
  }

  #leaseEnd(db: Queryable) {
    return db`now() + ${this.#leaseMs} * interval '1 millisecond'`;
  }

  /** A lease that cannot be renewed ends, and `#keep` then fails. */
  async #renew(source: Db): Promise<void> {
    try {
      await source`
        update account_moves set held_until = ${this.#leaseEnd(source)}
        where account_id = ${this.#id} and holder = ${this.#holder} and state = 'held'`;
    } catch {}
  }

  /** Makes the hold permanent, if no transaction has passed since the account began to refuse changes. */
  async #keep(source: Db): Promise<void> {
    const { count } = await source`
      update account_moves set state = 'placing'
      where account_id = ${this.#id} and holder = ${this.#holder} and state = 'held'`;
    if (count === 0)
      throw fail(
        "conflict",
        "The account was used again before it was placed, because the command did not renew its hold in time. Run it again.",
      );
  }

  /** Waits for the transactions that were committing when the account began to refuse changes. */
  async #passed(source: Db): Promise<void> {
    const until = performance.now() + PASS_MS_MAX;
    for (;;) {
      const [alone] = await source<{ locked: boolean }[]>`
        select pg_try_advisory_xact_lock(lock_of_moves(${this.#id})) as locked`;
      if (alone?.locked) return;
      if (performance.now() > until)
        throw fail("conflict", "A transaction of the account does not end. Try again later.");
      await wait(ASK_MS);
    }
  }

  async #place(source: Db, staged: StagedAccount, tx: Tx): Promise<void> {
    if (!(await isPlacingAlone(tx, this.#id)))
      throw fail("conflict", `Another command places ${this.#move.alias}. Try again later.`);
    // The home has copies of the log-ins of all servers.
    await staged.place(tx, this.#target.server === HOME ? ["logins"] : []);
    await queueDeliveries(tx, this.#id);
    await copyJobs(source, tx, this.#id);
    await this.#keep(source);
  }

  // -- After the account is placed -----------------------------------------------------------------------------------

  async #afterPlacing(source: Db, hold: Hold | undefined): Promise<Moved> {
    const discards = hold?.state === "discarding";
    await this.#direct(source);
    if (!discards) this.#heldMs = (await holdIn(source, this.#id))?.ms ?? 0;
    await this.#reached("directed");
    // Nodes that read the directory just before still read the source.
    await wait(KNOWN_MS + SECOND);
    if (discards) await discardJobs(source, this.#id);
    else await this.#moveJobs(source);
    await removeStaged(this.#target, this.#id);
    await this.#empty(source);
    this.moved = this.#over(source);
    await this.#reached("emptied");
    return this.moved;
  }

  async #direct(source: Db): Promise<void> {
    await this.#db`
      update account_homes set server = ${this.#move.to}
      where account_id = ${this.#id} and server = ${source.server}`;
  }

  /** The hold shows that no other command has emptied the source and brought the account back meanwhile. */
  async #empty(source: Db): Promise<void> {
    const kept = source.server === HOME ? ["account_homes", "logins"] : ["account_homes"];
    await inTransaction(source, this.#id, async (tx) => {
      const [hold] = await tx`
        select from account_moves
        where account_id = ${this.#id} and server = ${this.#move.to} and state in ('placing', 'discarding')
        for update`;
      if (hold) await emptyAccount(tx, this.#id, kept);
    });
  }

  /** A few are added without an account meanwhile, such as those of forgotten passwords. */
  async #moveJobs(source: Db): Promise<void> {
    const jobs = await inGlobalTransaction(this.#target, (tx) => copyJobs(source, tx, this.#id));
    await removeJobs(source, jobs);
  }

  // -- No move -------------------------------------------------------------------------------------------------------

  /** The account has begun to leave its server, and the command names that one. */
  async #giveBack(source: Db, hold: Hold): Promise<Moved> {
    const { alias, to } = this.#move;
    const isPresent = source.server === to && hold.state !== "discarding";
    if (!isPresent)
      throw fail(
        "conflict",
        `${alias} is on its way to server ${hold.to}. Finish that move with --to ${hold.to}, or give it up with --to ${source.server}.`,
      );
    if (hold.state === "placing" && (await isPlacedOn(this.#server(hold.to), this.#id)) !== false)
      throw fail(
        "conflict",
        `Server ${hold.to} has all of ${alias} and may have sent messages. Finish the move with --to ${hold.to}.`,
      );
    this.#heldMs = hold.ms;
    await endHold(source, this.#id, hold);
    return this.#stay();
  }

  /** The directory leads to the wanted server already. */
  async #stay(): Promise<Moved> {
    for (const server of this.#servers) await removeStaged(server, this.#id);
    return this.#over(this.#target);
  }

  #over({ server: from }: Db): Moved {
    const { alias, to } = this.#move;
    return { account: { id: this.#id, alias }, from, to, heldMs: this.#heldMs };
  }

  async #reached(step: MoveStep, rows?: number): Promise<void> {
    await this.#move.reached?.(step, rows);
  }

  #server(number: number): Db {
    const found = this.#db.servers[number - HOME];
    if (!found) throw fail("not-found", `There is no server ${number}.`);
    return found;
  }
}
