import { databaseUsage } from "./webhooks/database-usage.ts";
import { Child } from "./child.ts";
import type { Job, Load } from "./load.ts";
import { type Machine, machine } from "./report.ts";
import { median } from "./routes.ts";
import { contextSwitches, cpuMicroseconds, isPinned, LOAD_CORE, pin } from "./processes.ts";
import { Church } from "./path/church.ts";
import { ReceiverChild } from "./webhooks/receiver.ts";

/**
 * The whole path of a change at saturation: a request of the API, its event, and the delivery to an HTTPS receiver until it is
 * recorded. The service is a process of its own that is reached by HTTP alone, so that another commit runs the same bench.
 */

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 5;

export const pathNames = ["delivered", "patch", "create", "read"] as const;

/** A kind of request. The first two differ only in the endpoint that listens. */
interface Work {
  readonly title: string;
  readonly requests: (church: Church) => readonly string[];
  readonly isHeard?: true;
}

const works: Readonly<Record<(typeof pathNames)[number], Work>> = {
  delivered: {
    title: "a change, delivered to one endpoint",
    requests: (church) => church.patches(),
    isHeard: true,
  },
  patch: { title: "the same change without an endpoint", requests: (church) => church.patches() },
  create: { title: "a new person", requests: (church) => [church.create()] },
  read: { title: "a person, read", requests: (church) => church.reads() },
};

/** The costs of one request of its kind. */
export interface PathFigures {
  readonly perSecond: number;
  readonly processorMicroseconds: number;
  readonly serviceMicroseconds: number;
  readonly databaseMicroseconds: number;
  readonly statements: number;
  readonly serviceSwitches: number;
  readonly databaseSwitches: number;
  readonly walBytes: number;
}

export interface PathOptions {
  /** The checkouts whose services are measured in turns. */
  readonly checkouts: readonly string[];
  readonly directory: string;
  readonly only: readonly string[];
  readonly seconds: number;
  readonly turns: number;
  /** Ends the turns of a work early. It sees the ratios so far. */
  readonly until?: (ratios: readonly number[]) => boolean;
  readonly say: (line: string) => void;
}

export interface PathResult {
  readonly title: string;
  /** In the order of the checkouts: the median of the turns. */
  readonly figures: readonly PathFigures[];
  /** The processor time of the last checkout to that of the first, in each turn. */
  readonly ratios: readonly number[];
}

export interface PathsResult {
  readonly machine: Machine;
  readonly path: readonly PathResult[];
}

export async function benchPath(options: PathOptions): Promise<PathsResult> {
  const { checkouts, directory, only, say, seconds, turns, until = () => false } = options;
  if (!isPinned) say("The processes share all cores, because this system has no taskset.");
  await using stack = new AsyncDisposableStack();
  const receiver = stack.use(await new ReceiverChild().start("answers"));
  const client = stack.use(new Child("./load.ts"));
  for (const child of [receiver, client]) pin(child.pid, LOAD_CORE);
  const churches: Church[] = [];
  for (const [at, checkout] of checkouts.entries()) {
    say(`Starting the service of ${checkout} …`);
    churches.push(
      stack.use(await Church.start({ checkout, directory, name: `${at}`, receiver, say })),
    );
  }
  const about = await machine((churches[0] as Church).db);
  const path: PathResult[] = [];
  for (const name of pathNames.filter((one) => only.includes(one))) {
    const work = works[name];
    say(`${work.title} …`);
    const measures: ((seconds: number) => Promise<PathFigures>)[] = [];
    for (const church of churches)
      measures.push(await measuring(work, { church, client, receiver }));
    for (const measure of measures) await measure(WARM_UP_SECONDS);
    const all: PathFigures[][] = [];
    const ratios: number[] = [];
    for (let turn = 0; turn < turns && !until(ratios); turn += 1) {
      const figures: PathFigures[] = [];
      // The one that goes first in one turn is the last in the next.
      const order = [...measures.keys()];
      for (const at of turn % 2 === 0 ? order : order.reverse())
        figures[at] = (await measures[at]?.(seconds)) as PathFigures;
      all.push(figures);
      ratios.push(ratioOf(figures));
    }
    path.push({
      title: work.title,
      figures: churches.map((_, at) => medians(all.map((turn) => turn[at] as PathFigures))),
      ratios,
    });
  }
  return { machine: about, path };
}

type Stand = { church: Church; client: Child; receiver: ReceiverChild };

/** Answers how to measure the work in this church for a while. */
async function measuring(work: Work, { church, client, receiver }: Stand) {
  await church.listen(work.isHeard ?? false);
  const requests = work.requests(church);
  const lengths: number[] = [];
  for (const request of requests) lengths.push(await church.lengthOf(request));
  let from = requests.length;
  return async (seconds: number): Promise<PathFigures> => {
    await church.isAtRest();
    await receiver.forget();
    const job: Job = {
      port: church.port,
      connections: CONNECTIONS,
      seconds,
      requests,
      lengths,
      from,
    };
    const before = await usage(church);
    const startedAt = performance.now();
    const load = await client.ask<Load>(job);
    if (work.isHeard) {
      await receiver.received(load.requests);
      await church.isAtRest();
    }
    const elapsed = (performance.now() - startedAt) / 1_000;
    const after = await usage(church);
    from += load.requests + CONNECTIONS;
    const ofOne = (name: keyof typeof before) => (after[name] - before[name]) / load.requests;
    return {
      perSecond: load.requests / elapsed,
      processorMicroseconds: ofOne("service") + ofOne("database"),
      serviceMicroseconds: ofOne("service"),
      databaseMicroseconds: ofOne("database"),
      statements: ofOne("statements"),
      serviceSwitches: ofOne("serviceSwitches"),
      databaseSwitches: ofOne("databaseSwitches"),
      walBytes: ofOne("wal"),
    };
  };
}

async function usage(church: Church) {
  const { databaseCpuMicroseconds, walBytes } = await databaseUsage(church.db);
  return {
    service: cpuMicroseconds(church.pid),
    database: databaseCpuMicroseconds,
    statements: await church.statements(),
    serviceSwitches: contextSwitches(church.pid),
    databaseSwitches: contextSwitches(await church.postmaster()),
    wal: walBytes,
  };
}

function ratioOf(figures: readonly PathFigures[]): number {
  const [first, last] = [figures[0], figures.at(-1)] as [PathFigures, PathFigures];
  return last.processorMicroseconds / first.processorMicroseconds;
}

function medians(all: readonly PathFigures[]): PathFigures {
  const names = Object.keys(all[0] ?? {}) as (keyof PathFigures)[];
  return Object.fromEntries(
    names.map((name) => [name, median(all.map((one) => one[name]))]),
  ) as unknown as PathFigures;
}
