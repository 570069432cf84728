/** Error codes of a connection that failed: ours in `store/connection.ts`, and the operating system's. */
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
 * Whether a statement failed because the database is away, restarting, full or too slow, and not because of what it
 * said. Classes: 08 connection, 53 resources, 57 shut down, starting up, cancelled by the time limit; 25P03 idle
 * too long, 55000 takes no connections just now.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (typeof code !== "string") return false;
  return (
    CONNECTION.has(code) || /^(08|53|57)\w{3}$/.test(code) || ["25P03", "55000"].includes(code)
  );
}
