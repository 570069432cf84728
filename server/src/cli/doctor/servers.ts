import { SECOND } from "../../base/clock.ts";
import { LEASE_MS } from "../../features/accounts/move-account.ts";
import { placeOf } from "../../store/number-servers.ts";
import { type Db, HOME } from "../../store/db.ts";
import { stagedAccounts } from "../../store/staged-account.ts";
import { type Finding, few, finding } from "./finding.ts";

/** Compares servers of an installation with each other and with the directory at home, if it is one of them. */
export async function* examineServers(servers: readonly Db[]): AsyncGenerator<Finding> {
  const home = servers.find(({ server }) => server === HOME);
  yield* examineSettings(servers);
  if (home) {
    yield* examinePlaces(home, servers);
    const moves = await movesIn(servers);
    yield* examineMoves(home, moves);
    const moving = new Set(moves.map(({ id }) => id));
    for (const server of servers) yield* examineDirectory(home, server, moving);
  }
  for (const server of servers) yield* examineRows(server);
}

interface UnfinishedMove {
  id: string;
  /** Undefined if the account does not refuse changes. */
  from?: number;
  to: number;
  /** The account is on its new server, or may be. */
  isPlaced?: boolean;
}

async function movesIn(servers: readonly Db[]): Promise<UnfinishedMove[]> {
  const moves = await Promise.all(
    servers.map(async (server) => {
      const rows = await server<{ id: string; to: number; isPlaced: boolean }[]>`
        select account_id as id, server as to, state in ('placing', 'discarding') as "isPlaced"
        from account_moves`;
      return rows.map((row): UnfinishedMove => ({ ...row, from: server.server }));
    }),
  );
  const begun = moves.flat();
  const copies = await Promise.all(
    servers.map(async (server) => {
      const ids = await stagedAccounts(server);
      return ids.map((id): UnfinishedMove => ({ id, to: server.server }));
    }),
  );
  return [...begun, ...copies.flat().filter(({ id }) => !begun.some((move) => move.id === id))];
}

async function* examineMoves(home: Db, moves: readonly UnfinishedMove[]): AsyncGenerator<Finding> {
  for (const { from, id, isPlaced, to } of moves) {
    const [account] = await home<{ alias: string }[]>`
      select alias from account_homes where account_id = ${id}`;
    const alias = account?.alias ?? id;
    const command = `npx vestry accounts move --alias ${alias} --to`;
    const [problem, remedy] =
      from === undefined
        ? [
            `Server ${to} has a copy of ${alias}, which has begun to move there.`,
            `If no command moves it at the moment: ${command} ${to}. To give the move up, name the present server.`,
          ]
        : [
            `${alias} moves from server ${from} to server ${to}, and its changes are refused meanwhile.`,
            isPlaced
              ? `If its command was killed, a worker finishes the move within two minutes. So does ${command} ${to}.`
              : `If its command was killed, changes are accepted again after ${LEASE_MS / SECOND} s. To move it: ${command} ${to}.`,
          ];
    yield finding("account-moves", problem, remedy);
  }
}

async function* examinePlaces(home: Db, servers: readonly Db[]): AsyncGenerator<Finding> {
  const installation = (await placeOf(home))?.installation;
  for (const server of servers) {
    const place = await placeOf(server);
    if (place && (place.number !== server.server || place.installation !== installation))
      yield finding(
        "servers-mixed-up",
        `The address of server ${server.server} leads to server ${place.number}${place.installation === installation ? "" : " of another installation"}.`,
        "List the servers in DATABASE_SHARDS in the order in which they were added.",
      );
  }
}

interface Settings {
  version: number;
  collation: string;
}

/** All churches of an installation get the same order of names and the same features. */
async function* examineSettings(servers: readonly Db[]): AsyncGenerator<Finding> {
  const all = await Promise.all(
    servers.map(async (server) => {
      const [row] = await server<Settings[]>`
        select current_setting('server_version_num')::int / 10000 as version,
          concat_ws(' ', datlocprovider, datcollate, datctype) as collation
        from pg_database where datname = current_database()`;
      return { version: 0, collation: "", ...row, server: server.server };
    }),
  );
  const [first] = all;
  const others = (name: keyof Settings) =>
    all.flatMap((one) => (one[name] === first?.[name] ? [] : [String(one.server)]));
  for (const [name, word] of [
    ["version", "version of PostgreSQL"],
    ["collation", "collation"],
  ] as const)
    if (others(name).length > 0)
      yield finding(
        `servers-differ-in-${name}`,
        `The ${word} of these servers differs from that of server ${first?.server}: ${few(others(name))}.`,
        "Give all servers the same version and collation.",
      );
}

async function* examineDirectory(
  home: Db,
  server: Db,
  moving: ReadonlySet<string>,
): AsyncGenerator<Finding> {
  const present = await server<{ id: string; alias: string }[]>`select id, alias from accounts`;
  const listed = await home<{ id: string; alias: string }[]>`
    select account_id as id, alias from account_homes where server = ${server.server}`;
  const ids = new Set(listed.map(({ id }) => id));
  const unlisted = present.filter(({ id }) => !ids.has(id) && !moving.has(id));
  if (unlisted.length > 0)
    yield finding(
      "accounts-unlisted",
      `The directory does not lead to these accounts of server ${server.server}: ${few(unlisted.map(({ alias }) => alias))}.`,
      "The worker of the server lists them within a minute. If it does not, another server has the alias or the account, for example because one of them was restored.",
    );
  const found = new Set(present.map(({ id }) => id));
  const absent = listed.filter(({ id }) => !found.has(id));
  if (absent.length > 0)
    yield finding(
      "accounts-absent",
      `The directory leads to server ${server.server} for accounts that it does not have: ${few(absent.map(({ alias }) => alias))}.`,
      "If the server was restored to an earlier moment, restore a later one. The worker of the server removes the entry after an hour.",
    );
}

/** Rows that no account of the server owns. Each look-up jumps to the next account of the table. */
async function* examineRows(server: Db): AsyncGenerator<Finding> {
  const tables = await server<{ name: string }[]>`
    select relation.relname as name from pg_class relation
    join pg_index key on key.indrelid = relation.oid and key.indisprimary
    join pg_attribute attribute on attribute.attrelid = relation.oid and attribute.attname = 'account_id'
      and attribute.attnum = key.indkey[0]
    where relation.relnamespace = current_schema()::regnamespace and relation.relkind in ('r', 'p')
      and not relation.relispartition and relation.relname <> 'account_homes'
    order by relation.relname`;
  for (const { name } of tables) {
    const rows = await server<{ id: string }[]>`
      with recursive owners as (
        (select account_id from ${server(name)} order by account_id limit 1)
        union all
        select (select account_id from ${server(name)} where account_id > owners.account_id
          order by account_id limit 1)
        from owners where owners.account_id is not null)
      select account_id as id from owners
      where account_id is not null and not exists (select from accounts where id = owners.account_id)`;
    if (rows.length > 0)
      yield finding(
        "rows-without-account",
        `Server ${server.server} has rows in ${name} of accounts that it does not have: ${few(rows.map(({ id }) => id))}.`,
        "A restore or a copy by hand can leave such rows. Examine them before you delete them.",
      );
  }
}
