/** The longest wait that is said in seconds. */
const SECONDS_MAX = 90;

/** A wait as people say it. Minutes are rounded up, because a try before the end fails. */
export const waitOf = (seconds: number): { count: number; unit: "second" | "minute" } =>
  seconds > SECONDS_MAX
    ? { count: Math.ceil(seconds / 60), unit: "minute" }
    : { count: seconds, unit: "second" };
