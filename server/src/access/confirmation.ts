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

  /** Not a second time: what was written since then may be about the caller. */
  async beforeCommit(tx: Tx): Promise<void> {
    const age = performance.now() - this.#options.knownAt;
    if (!this.#asked && age > this.#options.ageMsMax) await this.now(tx);
  }
}

export interface ConfirmationOptions {
  /** As the request was identified, or the 401 or 403 that it would be answered by now. */
  identifyAgain: (tx: Tx) => Promise<Actor>;
  /** When that was, by `performance.now()`. */
  knownAt: number;
  ageMsMax: number;
}

const ranks = ["none", "administrator", "full-administrator"] as const;

/** Whether nothing of what somebody held is gone. What they gained does not matter. */
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
