import { isDatabaseAway, isMoving } from "./away.ts";
import { type Availability, watchServers } from "./availability.ts";
import { connect, type Db, HOME, type PoolOptions, queryable, type Tx } from "./db.ts";
import { Directory } from "./directory.ts";
import type { Send } from "./sql.ts";

interface ServersOptions extends PoolOptions {
  /** Those of `watchServers`, which other pools share. Otherwise these pools have their own. */
  availabilities?: readonly Availability[];
  /** How long a server may take to answer before it counts as away, if these pools have their own. */
  answerMsMax?: number;
}

/** Connects to the servers of an installation, the home first. Most have one, which nothing stands in front of. */
export function connectServers(
  urls: readonly string[],
  { answerMsMax, availabilities, ...options }: ServersOptions = {},
): Db {
  const [first = "", ...others] = urls;
  if (others.length === 0) return connect(first, options);
  const home = connect(first, { ...options, place: { server: HOME } });
  const beside = others.map((url, index) =>
    connect(url, { ...options, place: { server: HOME + 1 + index, home } }),
  );
  const own = availabilities ? [] : watchServers(urls, { answerMsMax });
  const all = availabilities ?? own;
  const servers = [home, ...beside].map((server, index) => {
    const availability = all[index];
    return availability ? guarded(server, availability) : server;
  });
  return overServers(servers, async () => {
    await Promise.all(own.map((one) => one.end()));
  });
}

/** Fails at once while the server is away. The error says which server it is. */
function guarded(server: Db, availability: Availability): Db {
  const during = <T>(work: () => Promise<T>): Promise<T> =>
    availability.during(work).catch((error: unknown) => {
      if (isDatabaseAway(error)) Object.assign(error as Error, { server: server.server });
      throw error;
    });
  const servers: Db[] = [];
  const partsOf = (db: Db): Db => {
    const send: Send = (query) => during(() => db.send(query));
    return Object.assign(queryable(send), {
      kind: "database" as const,
      address: server.address,
      server: server.server,
      home: server.home,
      servers,
      serverOf: (): Db => whole,
      serverOfAlias: (): Promise<Db> => Promise.resolve(whole),
      ofAccount: (accountId: string) => partsOf(server.ofAccount(accountId)),
      listen: server.listen,
      begin: <T>(accountId: string | undefined, run: (tx: Tx) => Promise<T>) =>
        during(() => db.begin(accountId, run)),
      end: server.end,
      send,
    });
  };
  const whole = partsOf(server);
  servers.push(whole);
  return whole;
}

/** One database made of several servers. */
function overServers(servers: readonly Db[], ended: () => Promise<void>): Db {
  const numbered = (server: number): Db => {
    const found = servers[server - HOME];
    if (!found)
      throw new Error(`The directory names server ${server}, which DATABASE_SHARDS does not list.`);
    return found;
  };
  const home = numbered(HOME);
  const directory = new Directory(home);
  const serverOf = async (accountId: string) => numbered(await directory.serverOf(accountId));

  const common = {
    kind: "database" as const,
    address: home.address,
    server: HOME,
    home: undefined,
    servers,
    serverOf: (accountId: string) => reachedBy(() => serverOf(accountId)),
    serverOfAlias: async (alias: string) => numbered(await directory.serverOfAlias(alias)),
    ofAccount: (accountId: string) =>
      reachedBy(async () => (await serverOf(accountId)).ofAccount(accountId)),
    end: async (options?: { timeout?: number }) => {
      await Promise.all(servers.map((server) => server.end(options)));
      await ended();
    },
  };

  const beginOn = async <T>(
    reach: () => Db | Promise<Db>,
    accountId: string | undefined,
    run: (tx: Tx) => Promise<T>,
  ): Promise<T> => {
    try {
      return await (await reach()).begin(accountId, run);
    } catch (error) {
      if (accountId !== undefined && isMoving(error)) directory.forget(accountId);
      throw error;
    }
  };

  /** Each statement asks `reach` for its database. */
  const reachedBy = (reach: () => Promise<Db>): Db => {
    const send: Send = async (query) => (await reach()).send(query);
    const begin: Db["begin"] = (accountId, run) => beginOn(reach, accountId, run);
    const listen: Db["listen"] = async (...given) => (await reach()).listen(...given);
    return Object.assign(queryable(send), { ...common, begin, listen, send });
  };

  const begin: Db["begin"] = (accountId, run) =>
    beginOn(() => (accountId === undefined ? home : serverOf(accountId)), accountId, run);
  const { listen, send } = home;
  return Object.assign(queryable(send), { ...common, begin, listen, send });
}
