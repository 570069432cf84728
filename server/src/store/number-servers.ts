import { newId } from "../base/ids.ts";
import type { Db, Queryable } from "./db.ts";

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
 * because it knows the installation. A home that is the only server is not noted.
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
}

export async function placeOf(db: Queryable): Promise<Place | undefined> {
  const [place] = await db<Place[]>`select number, installation from this_server`;
  return place;
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
