import type { Db } from "../../../store/db.ts";

/** The servers with accounts in which an e-mail address can log in. The home has a copy of the log-ins of all servers. */
export async function serversOfLogin(db: Db, email: string): Promise<readonly Db[]> {
  if (db.servers.length === 1) return db.servers;
  const rows = await db<{ server: number }[]>`
    select distinct home.server from logins login
    join account_homes home on home.account_id = login.account_id
    where login.email = ${email}`;
  const numbers = new Set(rows.map(({ server }) => server));
  return db.servers.filter(({ server }) => numbers.has(server));
}
