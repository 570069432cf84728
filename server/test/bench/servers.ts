import { connect, type Db, HOME } from "../../src/store/db.ts";
import { startEmbedded } from "../../src/store/embedded.ts";
import { migrate } from "../../src/store/migrate.ts";
import type { Budget, Judged } from "./budgets.ts";
import { asServed, Child, ServerChild, type ServerSettings } from "./child.ts";
import { makeCongregation } from "./congregation.ts";
import {
  measuring,
  ORIGIN,
  type RouteResult,
  type RoutesOptions,
  routesOf,
  startOnce,
  takeTurns,
} from "./routes.ts";

export interface ServersOptions
  extends Pick<
    RoutesOptions,
    "databaseUrl" | "db" | "only" | "profile" | "rounds" | "say" | "seconds"
  > {
  /** For the data of the second server. */
  dataDir: string;
}

export interface ServersResult {
  servers: Judged[];
}

export const serversBenchNames = ["read", "patch"] as const;

/** The least requests per second of an account on another server than the home, against a node that has one server. */
const RATIO_MIN = 0.9;
/** The longest time by which its median answer may be later. */
const LATER_MS = 3;

/**
 * A read and a change of an account on the second of two servers, beside a node for which that server is the only one. Both nodes
 * have the same account, so that disturbances affect both.
 */
export async function benchServers(options: ServersOptions): Promise<ServersResult> {
  const { databaseUrl, dataDir, db: home, only, profile, say } = options;
  const embedded = await startEmbedded({ dataDir, say });
  const place = { server: HOME + 1, home };
  const second = connect(embedded.url, { max: 4, statementMsMax: 0, place });
  try {
    await migrate(second);
    say("Seeding 5,000 people …");
    const congregation = await makeCongregation(second);
    for (const db of [home, second]) await db`vacuum analyze`;

    await using children = new AsyncDisposableStack();
    const settings = { databaseUrl: embedded.url, origin: ORIGIN, role: "api" } as const;
    const start = async (more: Partial<ServerSettings> = {}, into?: string) => {
      const child = children.use(new ServerChild("./service.ts", ...asServed(into)));
      await child.start({ ...settings, ...more });
      return child;
    };
    await startOnce(settings);
    // In this order, because the second server does not serve by itself once it has its number.
    const floor = await start();
    const service = await start({ databaseShards: [databaseUrl, embedded.url] }, profile);
    const client = children.use(new Child("./load.ts"));

    const servers: Judged[] = [];
    for (const route of routesOf(congregation).filter(({ name }) => only.includes(name))) {
      say(`${route.title} …`);
      const measure = await measuring(route, { service, floor, client });
      const before = await writesOf(home, second, congregation.account.id);
      const result = await takeTurns(route, measure, options);
      const after = await writesOf(home, second, congregation.account.id);
      servers.push(...judgeRoute(result));
      if (after.changes > before.changes) servers.push(...judgeWrites(before, after));
    }
    return { servers };
  } finally {
    await second.end();
    await embedded.stop();
  }
}

const figure = (what: string, value: number, budget: Budget = {}): Judged => ({
  what,
  value,
  budget,
});

const judgeRoute = ({ floor, msLater, ratio, service, title }: RouteResult): Judged[] => [
  figure(`${title}, one server: requests/s`, floor.perSecond),
  figure(`${title}, second of two servers: requests/s`, service.perSecond),
  figure(`${title}: ratio to one server`, ratio, { atLeast: RATIO_MIN }),
  figure(`${title}, one server, p50: ms`, floor.p50),
  figure(`${title}, second of two servers, p50: ms`, service.p50),
  figure(`${title}, one server, own CPU: µs`, floor.cpuMicroseconds),
  figure(`${title}, second of two servers, own CPU: µs`, service.cpuMicroseconds),
  figure(`${title}, p50 above one server: ms`, msLater, { below: LATER_MS }),
];

interface Writes {
  /** The changes of people that the account has committed. */
  readonly changes: number;
  /** The transactions of each server that have written anything. */
  readonly home: number;
  readonly second: number;
}

async function writesOf(home: Db, second: Db, accountId: string): Promise<Writes> {
  const [row] = await second<{ changes: number }[]>`
    select sum(version)::integer as changes from people where account_id = ${accountId}`;
  return {
    changes: row?.changes ?? 0,
    home: await transactionsOf(home),
    second: await transactionsOf(second),
  };
}

/** PostgreSQL numbers a transaction when it writes for the first time, and others not at all. */
async function transactionsOf(db: Db): Promise<number> {
  const [row] = await db<{ next: number }[]>`
    select pg_snapshot_xmax(pg_current_snapshot())::text::float8 as next`;
  return row?.next ?? 0;
}

function judgeWrites(before: Writes, after: Writes): Judged[] {
  const changes = after.changes - before.changes;
  return [
    figure("changes, of both nodes", changes),
    figure(
      "writing transactions on their server, for each",
      (after.second - before.second) / changes,
      {
        atLeast: 1,
      },
    ),
    figure("writing transactions at home, for all", after.home - before.home, { below: 1 }),
  ];
}
