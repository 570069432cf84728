import { setTimeout as wait } from "node:timers/promises";
import { copyIntegrations } from "../../access/integrations.ts";
import { SECOND } from "../../base/clock.ts";
import { fail } from "../../base/errors.ts";
import { queueDeliveries, unqueueDeliveries } from "../../events/move-deliveries.ts";
import {
  copyJobs,
  discardJobs,
  hasRunningJobs,
  putOffJobs,
  removeJobs,
  resumeJobs,
} from "../../jobs/move-jobs.ts";
import { type Db, HOME, inGlobalTransaction, inTransaction, type Tx } from "../../store/db.ts";
import { KNOWN_MS } from "../../store/directory.ts";
import { removeStaged, StagedAccount } from "../../store/staged-account.ts";
import { emptyAccount } from "./delete-account.ts";

/**
 * Moves an account to another server, while it is used.
 *
 *     copy      rows arrive beside the tables of the target. Changes made meanwhile are copied again, until few are left
 *     hold      a row in `account_moves` of the source refuses every transaction of the account: 503
 *     place     the last changes are copied, and the account is added to the tables of the target in one transaction
 *     direct    the directory leads to the target. The account is used there
 *     empty     three seconds later, when every node knows, the rows of the source are deleted, and with them the hold
 *
 * Each step can be repeated, so a move that was killed is finished by the same command. Before the account is placed, it can
 * also be given up. From then on only the target is right, because its workers may have sent something already.
 */
export interface Move {
  alias: string;
  to: number;
  /** Deletes the copy of another server that a restore brought back. */
  discardsCopy?: boolean;
  /** Told after each step, and after each round of copying with its number of rows. */
  reached: (step: MoveStep, rows?: number) => void | Promise<void>;
}

export type MoveStep = "copied" | "refusing" | "placed" | "directed" | "emptied";

export interface Moved {
  account: { id: string; alias: string };
  from: number;
  to: number;
  /** For how long changes of the account were refused, as far as this run of the command knows. */
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

export function moveAccount(db: Db, move: Move): Promise<Moved> {
  return inGlobalTransaction(db, async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = 0`;
    const [listed] = await tx<{ id: string; server: number }[]>`
      select account_id as id, server from account_homes where alias = ${move.alias}`;
    if (!listed) throw fail("not-found", `No account has the alias ${JSON.stringify(move.alias)}.`);
    const [alone] = await tx<{ locked: boolean }[]>`
      select pg_try_advisory_xact_lock(lock_of_moves(${listed.id}) + 1) as locked`;
    if (!alone?.locked) throw fail("conflict", `Another command moves ${move.alias}.`);
    return new AccountMove(db, listed.id, move).from(listed.server);
  });
}

/** The server to which a server gives an account at the moment. */
async function destinationIn(db: Db, id: string): Promise<number | undefined> {
  const [row] = await db<{ server: number }[]>`
    select server from account_moves where account_id = ${id}`;
  return row?.server;
}

async function isIn(server: Db, id: string): Promise<boolean> {
  const [found] = await server`select from accounts where id = ${id}`;
  return found !== undefined;
}

async function lastChange(server: Db, id: string): Promise<string> {
  const [row] = await server<{ at: string | null }[]>`
    select to_char(last_change_of(${id}), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`;
  return `server ${server.server}, last changed at ${row?.at ?? "an unknown time"}`;
}

class AccountMove {
  readonly #db: Db;
  readonly #id: string;
  readonly #move: Move;
  readonly #target: Db;
  /** The source is a copy that a restore brought back. */
  #discards = false;
  #heldAt: number | undefined;
  #heldMs = 0;

  constructor(db: Db, id: string, move: Move) {
    this.#db = db;
    this.#id = id;
    this.#move = move;
    this.#target = this.#server(move.to);
  }

  async from(listed: number): Promise<Moved> {
    const { alias, to } = this.#move;
    await this.#requireOneCopy(listed);
    if (listed === to) return this.#finish();
    const source = this.#server(listed);
    const destination = await destinationIn(source, this.#id);
    if (destination !== undefined && destination !== to)
      throw fail(
        "conflict",
        `${alias} is on its way to server ${destination}. Finish that move with --to ${destination}, or give it up with --to ${listed}.`,
      );
    await this.#copy(source);
    await this.#direct(source);
    return this.#empty(source);
  }

  /** A server that was restored to an earlier moment can have an account that has moved since, or lack one. */
  async #requireOneCopy(listed: number): Promise<void> {
    const { alias, discardsCopy, to } = this.#move;
    const holders: Db[] = [];
    for (const server of this.#db.servers) {
      if ((await destinationIn(server, this.#id)) !== undefined) return;
      if (await isIn(server, this.#id)) holders.push(server);
    }
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
    this.#discards = true;
    for (const server of holders)
      if (server.server !== to)
        await inGlobalTransaction(
          server,
          (tx) => tx`insert into account_moves (account_id, server) values (${this.#id}, ${to})`,
        );
  }

  // -- Copy ----------------------------------------------------------------------------------------------------------

  async #copy(source: Db): Promise<void> {
    if (await isIn(this.#target, this.#id)) return;
    if (this.#target.home) await copyIntegrations(this.#target.home, this.#target);
    const staged = await StagedAccount.prepare(source, this.#target, this.#id);
    for (let round = 1; round <= ROUNDS_MAX; round += 1) {
      const rows = await staged.bring();
      await this.#move.reached("copied", rows);
      if (rows < FEW_ROWS) break;
    }
    let isPlacing = false;
    try {
      await this.#hold(source);
      await this.#move.reached("refusing");
      await staged.bring();
      isPlacing = true;
      await inGlobalTransaction(this.#target, (tx) => this.#place(source, staged, tx));
    } catch (error) {
      if (!isPlacing || (await this.#isKnownAbsent()))
        await this.#giveUp(source).catch(() => undefined);
      throw error;
    }
    await this.#move.reached("placed");
  }

  /** A commit whose answer was lost may have placed the account. The move is then left as it is. */
  #isKnownAbsent(): Promise<boolean> {
    return isIn(this.#target, this.#id).then(
      (placed) => !placed,
      () => false,
    );
  }

  async #hold(source: Db): Promise<void> {
    this.#heldAt = performance.now();
    await inGlobalTransaction(source, async (tx) => {
      await tx`
        insert into account_moves (account_id, server) values (${this.#id}, ${this.#move.to})
        on conflict do nothing`;
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
    // The home has copies of the log-ins of all servers.
    await staged.place(tx, this.#target.server === HOME ? ["logins"] : []);
    await queueDeliveries(tx, this.#id);
    await copyJobs(source, tx, this.#id);
  }

  /** Lets the account be used on the source again. */
  async #giveUp(source: Db): Promise<void> {
    await inTransaction(source, this.#id, async (tx) => {
      await tx`delete from account_moves where account_id = ${this.#id}`;
      await resumeJobs(tx, this.#id);
      await queueDeliveries(tx, this.#id);
    });
    this.#heldMs += performance.now() - (this.#heldAt ?? performance.now());
  }

  // -- After the account is placed -----------------------------------------------------------------------------------

  async #direct(source: Db): Promise<void> {
    await this.#db`
      update account_homes set server = ${this.#move.to}
      where account_id = ${this.#id} and server = ${source.server}`;
    this.#heldMs += performance.now() - (this.#heldAt ?? performance.now());
    await this.#move.reached("directed");
  }

  async #empty(source: Db): Promise<Moved> {
    const { alias, to } = this.#move;
    // Nodes that read the directory just before still read the source.
    await wait(KNOWN_MS + SECOND);
    if (this.#discards) await discardJobs(source, this.#id);
    else await this.#moveJobs(source);
    await removeStaged(this.#target, this.#id);
    const kept = source.server === HOME ? ["account_homes", "logins"] : ["account_homes"];
    await inTransaction(source, this.#id, (tx) => emptyAccount(tx, this.#id, kept));
    await this.#move.reached("emptied");
    const account = { id: this.#id, alias };
    return { account, from: source.server, to, heldMs: Math.round(this.#heldMs) };
  }

  /** A few are added without an account meanwhile, such as those of forgotten passwords. */
  async #moveJobs(source: Db): Promise<void> {
    const jobs = await inGlobalTransaction(this.#target, (tx) => copyJobs(source, tx, this.#id));
    await removeJobs(source, jobs);
  }

  /** The directory leads to the wanted server already. A move that was killed is finished or given up. */
  async #finish(): Promise<Moved> {
    const { alias, to } = this.#move;
    for (const source of this.#db.servers)
      if (source.server !== to && (await destinationIn(source, this.#id)) === to)
        return this.#empty(source);
    const destination = await destinationIn(this.#target, this.#id);
    if (destination !== undefined) {
      if (await isIn(this.#server(destination), this.#id))
        throw fail(
          "conflict",
          `Server ${destination} has all of ${alias} and may have sent messages. Finish the move with --to ${destination}.`,
        );
      await this.#giveUp(this.#target);
    }
    for (const server of this.#db.servers) await removeStaged(server, this.#id);
    const account = { id: this.#id, alias };
    return { account, from: to, to, heldMs: 0 };
  }

  #server(number: number): Db {
    const found = this.#db.servers[number - HOME];
    if (!found) throw fail("not-found", `There is no server ${number}.`);
    return found;
  }
}
