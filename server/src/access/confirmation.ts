import { forbidden } from "../base/errors.ts";
import type { Tx } from "../store/db.ts";
import type { Actor, Assignment } from "./actor.ts";

/**
 * A caller's rights are read when the request begins, and a write may wait long after that: for a connection, for a row,
 * for an equal request. What was taken from the caller meanwhile is not used any more.
 *
 *   an operation that changes what somebody may do   asks always, once it holds its locks and before it writes: of two
 *                                                    who take each other's rights the second has none left
 *   every other write                                asks at its end, and only if it took long: what was taken a moment
 *                                                    ago might as well have been taken a moment later
 */
export class Confirmation {
  readonly #caller: Actor;
  readonly #options: ConfirmationOptions;
  #asked = false;

  constructor(caller: Actor, options: ConfirmationOptions) {
    this.#caller = caller;
    this.#options = options;
  }

  async now(tx: Tx): Promise<void> {
    this.#asked = true;
    if (!stillHolds(this.#caller, await this.#options.identifyAgain(tx)))
      throw forbidden("This person's rights were taken while the request waited.");
  }

  /** Only once, because later writes of this transaction may concern the caller. */
  async beforeCommit(tx: Tx): Promise<void> {
    const age = performance.now() - this.#options.knownAt;
    if (!this.#asked && age > this.#options.ageMsMax) await this.now(tx);
  }
}

export interface ConfirmationOptions {
  /** Repeats the identification, or throws the 401 or 403 that applies now. */
  identifyAgain: (tx: Tx) => Promise<Actor>;
  /** The time of identification, by `performance.now()`. */
  knownAt: number;
  ageMsMax: number;
}

const ranks = ["none", "administrator", "full-administrator"] as const;

/** Whether all former rights are still held. Additional rights do not matter. */
export function stillHolds(before: Actor, now: Actor): boolean {
  if (now.administrativeStatus === "full-administrator") return true;
  return (
    ranks.indexOf(now.administrativeStatus) >= ranks.indexOf(before.administrativeStatus) &&
    before.assignments.every((held) => now.assignments.some((one) => covers(one, held)))
  );
}

const covers = (one: Assignment, held: Assignment): boolean =>
  one.scopeType === held.scopeType &&
  held.scopeIds.every((id) => one.scopeIds.includes(id)) &&
  held.permissions.every((permission) => one.permissions.includes(permission));
