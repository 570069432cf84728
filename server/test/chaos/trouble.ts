import { setTimeout as wait } from "node:timers/promises";
import { SECOND } from "../../src/base/clock.ts";
import { webhookLimits } from "../../src/base/webhook-limits.ts";
import type { Outage } from "./judgement.ts";
import type { Load } from "./load.ts";
import type { Node } from "./node.ts";
import type { Server } from "./servers.ts";

export interface Trouble {
  /** How often each kind of trouble occurred. */
  readonly done: ReadonlyMap<string, number>;
  /** When one of several servers was away. */
  readonly outages: readonly Outage[];
  /** Resumes all suspended processes, and starts the servers that are away. */
  stop(): Promise<void>;
}

interface Victims {
  api: Node;
  workers: readonly Node[];
  servers: readonly Server[];
  load: Load;
  say: (line: string) => void;
}

const PAUSE_MS_MAX = 6 * SECOND;
/** The supervisor of PostgreSQL gives up if it dies too often. */
const BETWEEN_POSTGRES_MS = 40 * SECOND;
/** A node notices a frozen server within two seconds, and remembers the server of an account for two. */
const OUTAGE_MS = { min: 6 * SECOND, max: 14 * SECOND };

/** Causes random trouble, and once suspends a worker for longer than its leases. One of several servers at a time is away. */
export function startTrouble({ api, load, say, servers, workers }: Victims): Trouble {
  const done = new Map<string, number>();
  const outages: Outage[] = [];
  const ended = new AbortController();
  const pick = <T>(from: readonly T[]): T | undefined =>
    from[Math.floor(Math.random() * from.length)];
  const pause = () => wait(PAUSE_MS_MAX * Math.random(), undefined, ended).catch(() => undefined);

  const troubles: readonly (readonly [weight: number, name: string, act: () => unknown])[] = [
    [5, "workers killed", () => pick(workers)?.kill()],
    [2, "API killed", () => api.kill()],
    [2, "PostgreSQL killed", () => pick(servers)?.kill()],
    [1, "connections terminated", () => pick(servers)?.terminateConnections()],
  ];
  const bag = troubles.flatMap((trouble) => Array.from({ length: trouble[0] }, () => trouble));
  let postgresMayDieAt = 0;
  /** Failed requests to the other servers then have no other cause. */
  let onlyWorkersDie = false;
  let acting = Promise.resolve();
  const count = (name: string) => done.set(name, (done.get(name) ?? 0) + 1);
  const report = (name: string) => (error: unknown) =>
    say(`${name}: ${error instanceof Error ? error.message : String(error)}`);

  const random = (async () => {
    while (!ended.signal.aborted) {
      const [, name, act] = pick(bag) ?? [];
      const tooSoon =
        (name === "PostgreSQL killed" && performance.now() < postgresMayDieAt) ||
        (name !== "workers killed" && onlyWorkersDie);
      if (name && act && !tooSoon) {
        if (name === "PostgreSQL killed")
          postgresMayDieAt = performance.now() + BETWEEN_POSTGRES_MS;
        count(name);
        acting = Promise.resolve(act()).then(() => undefined, report(name));
        await acting;
      }
      await pause();
    }
  })();
  const frozen = (async () => {
    const [worker] = workers;
    if (!worker) return;
    count("worker stopped for longer than a lease");
    await worker.freeze(webhookLimits.leaseMs + 15 * SECOND);
  })();

  async function outage(server: Server, how: "crash" | "freeze"): Promise<void> {
    onlyWorkersDie = true;
    try {
      await acting;
      // The API may have been killed a moment ago.
      await load.everyAccountServed(ended.signal);
      if (ended.signal.aborted) return;
      count(`server ${server.number} ${how === "crash" ? "away after a crash" : "frozen"}`);
      const from = performance.now();
      const comeBack = await server[how]();
      await wait(OUTAGE_MS.min + (OUTAGE_MS.max - OUTAGE_MS.min) * Math.random());
      outages.push({ server: server.number, from, to: performance.now() });
      await comeBack();
    } finally {
      onlyWorkersDie = false;
    }
  }
  const away = (async () => {
    const kinds = servers.flatMap((server) =>
      (["crash", "freeze"] as const).map((how) => [server, how] as const),
    );
    while (servers.length > 1 && !ended.signal.aborted)
      for (const kind of kinds.toSorted(() => Math.random() - 0.5)) {
        await pause();
        if (!ended.signal.aborted) await outage(...kind).catch(report("server away"));
      }
  })();

  return {
    done,
    outages,
    async stop() {
      ended.abort();
      await Promise.all([random, frozen, away]);
    },
  };
}
