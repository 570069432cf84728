import { fail } from "./errors.ts";

/** The statuses that may follow each status. */
export type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

/** Returns whether the status changes. A status that cannot follow the present one is an error. */
export function checkTransition<Status extends string>(
  transitions: Transitions<Status>,
  from: Status,
  to: Status,
): boolean {
  if (from === to) return false;
  const allowed = transitions[from];
  if (!allowed.includes(to))
    throw fail(
      "invalid-transition",
      `The status cannot change from ${from} to ${to}.`,
      { pointer: "/data/attributes/status" },
      { from, to, allowed },
    );
  return true;
}
