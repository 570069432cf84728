import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { SECOND } from "../../src/base/clock.ts";
import { connect } from "../../src/store/db.ts";
import type { EmbeddedServer } from "../../src/store/embedded.ts";
import { webhookLimits } from "../../src/base/webhook-limits.ts";
import type { Node } from "./node.ts";

export interface Trouble {
  /** How often each kind of trouble occurred. */
  readonly done: ReadonlyMap<string, number>;
  /** Resumes all suspended processes. */
  stop(): Promise<void>;
}

interface Victims {
  api: Node;
  workers: readonly Node[];
  server: EmbeddedServer;
  say: (line: string) => void;
}

const PAUSE_MS_MAX = 6 * SECOND;
/** The supervisor of PostgreSQL gives up if it dies too often. */
const BETWEEN_POSTGRES_MS = 40 * SECOND;

/** Causes random trouble, and once suspends a worker for longer than its leases. */
export function startTrouble({ api, say, server, workers }: Victims): Trouble {
  const done = new Map<string, number>();
  const ended = new AbortController();
  const pick = <T>(from: readonly T[]): T | undefined =>
    from[Math.floor(Math.random() * from.length)];

  const troubles: readonly (readonly [weight: number, name: string, act: () => unknown])[] = [
    [5, "workers killed", () => pick(workers)?.kill()],
    [2, "API killed", () => api.kill()],
    [2, "PostgreSQL killed", () => killPostgres(server)],
    [1, "connections terminated", () => terminateAll(server)],
  ];
  const bag = troubles.flatMap((trouble) => Array.from({ length: trouble[0] }, () => trouble));
  let postgresMayDieAt = 0;
  const count = (name: string) => done.set(name, (done.get(name) ?? 0) + 1);

  const random = (async () => {
    while (!ended.signal.aborted) {
      const [, name, act] = pick(bag) ?? [];
      const tooSoon = name === "PostgreSQL killed" && performance.now() < postgresMayDieAt;
      if (name && act && !tooSoon) {
        if (name === "PostgreSQL killed")
          postgresMayDieAt = performance.now() + BETWEEN_POSTGRES_MS;
        count(name);
        await Promise.resolve(act()).then(
          () => undefined,
          (error: unknown) =>
            say(`${name}: ${error instanceof Error ? error.message : String(error)}`),
        );
      }
      await wait(PAUSE_MS_MAX * Math.random(), undefined, ended).catch(() => undefined);
    }
  })();
  const frozen = (async () => {
    const [worker] = workers;
    if (!worker) return;
    count("worker stopped for longer than a lease");
    await worker.freeze(webhookLimits.leaseMs + 15 * SECOND);
  })();

  return {
    done,
    async stop() {
      ended.abort();
      await Promise.all([random, frozen]);
    },
  };
}

async function killPostgres({ adminUrl }: EmbeddedServer): Promise<void> {
  const administrator = connect(adminUrl, { max: 1, name: "chaos" });
  try {
    const [shown] = await administrator<{ directory: string }[]>`
      select current_setting('data_directory') as directory`;
    const pidFile = await readFile(join(shown?.directory ?? "", "postmaster.pid"), "utf8");
    process.kill(Number(pidFile.split("\n")[0]), "SIGKILL");
  } finally {
    await administrator.end({ timeout: 1 });
  }
}

async function terminateAll({ adminUrl }: EmbeddedServer): Promise<void> {
  const administrator = connect(adminUrl, { max: 1, name: "chaos" });
  try {
    await administrator`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'vestry%' and pid <> pg_backend_pid()`;
  } finally {
    await administrator.end({ timeout: 1 });
  }
}
