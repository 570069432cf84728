/**
 * The Unix socket directory of an address in the form of libpq and psql, which percent-encode it as the host name:
 * `postgres://user:password@%2Frun%2Fpostgresql:5432/vestry`. The driver does not decode it.
 */
export function socketDirectoryOf(url: string): string | undefined {
  const host = decodeURIComponent(new URL(url).hostname);
  return host.startsWith("/") ? host : undefined;
}

export interface Address {
  user: string;
  password: string;
  /** A host name, or the directory of a Unix socket. */
  host: string;
  port: number;
  database: string;
}

export function addressOf({ user, password, host, port, database }: Address): string {
  const [name, secret, place, base] = [user, password, host, database].map(encodeURIComponent);
  return `postgres://${name}:${secret}@${place}:${port}/${base}`;
}
