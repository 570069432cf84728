import { copyIntegrations } from "../../access/integrations.ts";
import { copyLogins } from "../../access/logins.ts";
import { HOUR } from "../../base/clock.ts";
import type { Job } from "../../jobs/jobs.ts";
import type { Db } from "../../store/db.ts";

interface Listed {
  id: string;
  alias: string;
}

/** An account that is missing for less than this time may be one that an operation creates at the moment. */
const UNDER_WAY_MS = HOUR;

/**
 * Repairs the copies at home of the accounts and log-ins of this server, and the copies here of the integrations of the home.
 * Usually nothing differs, because operations write both. An operation that was killed between two commits leaves a difference.
 */
export const directoryJob: Job = {
  name: "directory",
  schedule: "* * * * *",
  only: "beside the home",
  async run(server) {
    const { home } = server;
    if (!home) return 0;
    const accounts = await server<Listed[]>`select id, alias from accounts order by id`;
    const listed = await listAccounts(home, server.server, accounts);
    const ids = accounts.map(({ id }) => id);
    const forgotten = await forgetAccounts(home, server.server, ids);
    const logins = await copyLogins(home, server, await ownAccounts(home, server, ids));
    return listed + forgotten + logins + (await copyIntegrations(home, server));
  },
};

/** An alias that another account has in the meantime stays with that one. `doctor` reports it. */
async function listAccounts(
  home: Db,
  server: number,
  accounts: readonly Listed[],
): Promise<number> {
  const { count } = await home`
    insert into account_homes (account_id, alias, server)
    select id, alias, ${server}
    from unnest(${accounts.map(({ id }) => id)}::uuid[], ${accounts.map(({ alias }) => alias)}::text[]) as found (id, alias)
    on conflict do nothing`;
  return count;
}

/** Without those that move, or that a restore brought back: their log-ins are newer on another server. */
async function ownAccounts(home: Db, server: Db, ids: readonly string[]): Promise<string[]> {
  const listed = await home<{ id: string }[]>`
    select account_id as id from account_homes
    where server = ${server.server} and account_id = any(${[...ids]}::uuid[])`;
  const moving = await server<{ id: string }[]>`select account_id as id from account_moves`;
  const left = new Set(moving.map(({ id }) => id));
  return listed.flatMap(({ id }) => (left.has(id) ? [] : [id]));
}

async function forgetAccounts(home: Db, server: number, ids: readonly string[]): Promise<number> {
  const { count } = await home`
    delete from account_homes
    where server = ${server} and account_id <> all(${[...ids]}::uuid[])
      and created_at < now() - ${UNDER_WAY_MS} * interval '1 millisecond'`;
  return count;
}
