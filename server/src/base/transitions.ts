import { type ApiError, fail, type Source } from "./errors.ts";

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
