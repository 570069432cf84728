import { type ApiError, fail, type Source } from "./errors.ts";

/** The statuses that may follow each status. */
export type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

/** Changes from one status to others, and the caller or operation that makes them. */
export interface StatusChange<Status extends string = string> {
  from: Status;
  to: readonly Status[];
  by: string;
  /** The status follows from another member or operation. No request sends it. */
  follows?: true;
  /** The status that is stored, if the one in the request only lasts for the request. */
  becomes?: Status;
}

/** The states of the resources of a type, for docs/states.md and the tests. */
export interface StateMachine {
  type: string;
  statuses: readonly string[];
  changes: readonly StatusChange[];
}

/** The changes that a request can ask for. */
export function transitionsOf<Status extends string>(
  statuses: readonly Status[],
  changes: readonly StatusChange<Status>[],
): Transitions<Status> {
  const allowed = (from: Status) =>
    changes.filter((one) => one.from === from && !one.follows).flatMap(({ to }) => to);
  const entries = statuses.map((status) => [status, allowed(status)] as const);
  return Object.fromEntries(entries) as unknown as Transitions<Status>;
}

/** Returns whether the status changes. A status that cannot follow the present one is an error. */
export function checkTransition<Status extends string>(
  transitions: Transitions<Status>,
  from: Status,
  to: Status,
): boolean {
  if (from === to) return false;
  const allowed = transitions[from];
  if (!allowed.includes(to))
    throw invalidTransition({ from, to, allowed }, { pointer: "/data/attributes/status" });
  return true;
}

export const invalidTransition = (
  meta: { from: string; to: string; allowed: readonly string[] },
  source: Source,
): ApiError =>
  fail(
    "invalid-transition",
    `The status cannot change from ${meta.from} to ${meta.to}.`,
    source,
    meta,
  );
