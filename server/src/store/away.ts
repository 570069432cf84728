/** Error codes of failed connections: the one of `store/connection.ts`, and those of the operating system. */
const CONNECTION = new Set([
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

/**
 * Whether a statement failed because the database is unreachable, restarting, full or too slow. The classes are 08
 * (connection), 53 (resources) and 57 (shutting down, starting up, cancelled by the time limit). 25P03 means idle in a
 * transaction for too long, and 55000 that the database accepts no connections.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (typeof code !== "string") return false;
  return (
    CONNECTION.has(code) || /^(08|53|57)\w{3}$/.test(code) || ["25P03", "55000"].includes(code)
  );
}
