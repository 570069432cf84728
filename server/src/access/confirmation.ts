import { forbidden } from "../base/errors.ts";
import type { Tx } from "../store/db.ts";
import { type Actor, type Assignment, ranksAbove } from "./actor.ts";

/**
 * Rights can be revoked while a write waits. A write of a member that changes rights (`changesRights` of a definition) checks
 * them again after locking, so that two callers cannot revoke each other's rights. Other writes check again before commit if
 * the request took longer than `ageMsMax`.
 */
export class Confirmation {
  readonly #caller: Actor;
  readonly #options: ConfirmationOptions;
  #confirmed = false;

  constructor(caller: Actor, options: ConfirmationOptions) {
    this.#caller = caller;
    this.#options = options;
  }

  /** Runs at most once, because this transaction may already have changed the caller. */
  async now(tx: Tx): Promise<void> {
    if (this.#confirmed) return;
    this.#confirmed = true;
    if (!stillHolds(this.#caller, await this.#options.identifyAgain(tx)))
      throw forbidden("The caller's rights were revoked while the request waited.");
  }

  async beforeCommit(tx: Tx): Promise<void> {
    const age = performance.now() - this.#options.knownAt;
    if (age > this.#options.ageMsMax) await this.now(tx);
  }
}

export interface ConfirmationOptions {
  /** Identifies the caller again, or throws 401 or 403. */
  identifyAgain: (tx: Tx) => Promise<Actor>;
  /** The time of identification, by `performance.now()`. */
  knownAt: number;
  ageMsMax: number;
}

/** Whether all former rights are still held. Additional rights do not matter. */
export function stillHolds(before: Actor, now: Actor): boolean {
  if (now.administrativeStatus === "full-administrator") return true;
  return (
    !ranksAbove(before.administrativeStatus, now) &&
    before.assignments.every((former) => now.assignments.some((one) => covers(one, former)))
  );
}

const covers = (one: Assignment, former: Assignment): boolean =>
  one.scopeType === former.scopeType &&
  former.scopeIds.every((id) => one.scopeIds.includes(id)) &&
  former.permissions.every((permission) => one.permissions.includes(permission));
