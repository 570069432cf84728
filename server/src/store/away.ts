/** The code of a check that the database did not answer in time. */
export const ANSWER_LATE = "ANSWER_LATE";

/** Error codes of failed connections: those of this room, and those of the operating system. */
const CONNECTION = new Set([
  ANSWER_LATE,
  "CONNECTION_LOST",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

const READ_ONLY = "25006";

/** Whether the database rejects writes. After a switchover this is the former primary, or a replica. */
export const isReadOnly = (error: unknown): boolean =>
  (error as { code?: unknown } | null | undefined)?.code === READ_ONLY;

export const readOnlyDatabase = (): Error =>
  Object.assign(new Error("The database is read-only."), { code: READ_ONLY });

/** Whether a transaction failed because its account moves to another server at the moment. See `pass_moves`. */
export const isMoving = (error: unknown): boolean =>
  (error as { code?: unknown } | null | undefined)?.code === "55V01";

/**
 * Whether a statement failed because the database is unreachable, restarting, full or too slow. The classes are 08
 * (connection), 53 (resources), 57 (shutting down, starting up, cancelled by the time limit) and 58 (the disk, or a server behind a
 * pooler). 25P03 means idle in a
 * transaction for too long, 55000 that the database accepts no connections, and 25006 that it rejects writes.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (typeof code !== "string") return false;
  return (
    CONNECTION.has(code) ||
    /^(08|53|57|58)\w{3}$/.test(code) ||
    ["25P03", "55000", READ_ONLY].includes(code)
  );
}

/** Whether the database was reached and did not finish in time. The code 57014 is that of a statement over its time limit. */
export const isDatabaseSlow = (error: unknown): boolean =>
  [ANSWER_LATE, "57014"].includes(String((error as { code?: unknown } | null | undefined)?.code));

/** Which of several servers is away. */
export const serverOfError = (error: unknown): number | undefined => {
  const { server } = (error ?? {}) as { server?: unknown };
  return typeof server === "number" ? server : undefined;
};

/** The reason as an error of an unreachable database, so that requests get 503. */
export const asAway = (reason: Error): Error =>
  isDatabaseAway(reason)
    ? reason
    : Object.assign(new Error(reason.message, { cause: reason }), { code: "55000" });
