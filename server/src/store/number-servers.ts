import { SECOND } from "../base/clock.ts";
import { newId } from "../base/ids.ts";
import { type Db, HOME, type Queryable } from "./db.ts";
import { placeOfPooler } from "./pooler.ts";

interface Place {
  number: number;
  installation: string;
}

/** Does `numberServer` for each server. */
export async function numberServers(db: Db): Promise<void> {
  for (const server of db.servers) await numberServer(db, server);
}

/**
 * Notes on a server its number and the installation it belongs to, or throws if it has another number or belongs to another
 * installation: the list is then in another order, or names a database twice or one that is not ours. The home comes first,
 * because it knows the installation and the number of its servers. A home that is the only server is not noted.
 */
export async function numberServer({ servers: [home], servers }: Db, server: Db): Promise<void> {
  if (!home) return;
  const known = await placeOf(home);
  if (known === undefined && servers.length === 1) return;
  const own = known?.installation ?? newId();
  await server`
    insert into this_server (number, installation) values (${server.server}, ${own})
    on conflict do nothing`;
  // Another node may have numbered the home at the same time.
  const { installation = own } = known ?? (await placeOf(home)) ?? {};
  const place = await placeOf(server);
  if (place?.number !== server.server || place.installation !== installation)
    throw new WrongServer(server, place, installation);
  if (server.server !== HOME) return;
  await server`update this_server set servers = greatest(servers, ${servers.length})`;
  await assertAllKnown({ servers });
}

/** Throws if the installation has servers that this process does not list. */
async function assertAllKnown({ servers }: Pick<Db, "servers">): Promise<void> {
  const [home] = servers;
  const [noted] = home
    ? await home<{ count: number }[]>`select servers as count from this_server`
    : [];
  if (noted && noted.count > servers.length) throw new ServersMissing(servers.length, noted.count);
}

/** A node that began before a server was added writes rows of accounts that have moved there. It stops so soon. */
export const LOOK_MS = SECOND;

/** Looks for servers that were added. Returns a function that ends it. */
export function watchServerCount(db: Db, onMissing: (missing: ServersMissing) => void): () => void {
  const timer = setInterval(() => {
    assertAllKnown(db).catch((error: unknown) => {
      if (error instanceof ServersMissing) onMissing(error);
    });
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

export async function placeOf(db: Queryable): Promise<Place | undefined> {
  const [place] = await db<Place[]>`select number, installation from this_server`;
  return place;
}

/** Describes the database to which a pooler leads, if it is not the server that the pooler stands for. */
export async function wrongPlaceOf(direct: Queryable, pooled: Db): Promise<string | undefined> {
  const [own, through] = await Promise.all([placeOf(direct), placeOf(pooled)]);
  if (own?.number === through?.number && own?.installation === through?.installation)
    return undefined;
  const where =
    through !== undefined && through.installation === own?.installation
      ? `server ${through.number}`
      : "a database of another installation";
  return `The pooler at ${placeOfPooler(pooled)} leads to ${where}, and stands for server ${own?.number ?? HOME}.`;
}

export const POOLERS_IN_ORDER =
  "List the poolers in DATABASE_SHARD_POOLERS in the order of DATABASE_SHARDS.";

export class ServersMissing extends Error {
  constructor(listed: number, count: number) {
    super(
      `This installation has ${count} database servers, and DATABASE_URL and DATABASE_SHARDS list ${listed}. List all of them.`,
    );
    this.name = "ServersMissing";
  }
}

export class WrongServer extends Error {
  constructor({ address, server }: Db, place: Place | undefined, installation: string) {
    const { database, host, port } = address;
    const why =
      place?.installation === installation
        ? `is server ${place.number} of this installation`
        : "belongs to another installation";
    super(
      `The database ${database} on ${host}:${port} ${why}, and DATABASE_SHARDS lists it as server ${server}. ` +
        "List the servers in the order in which they were added.",
    );
    this.name = "WrongServer";
  }
}
