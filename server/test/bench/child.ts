import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The options of a server, sent as a message because other users can read arguments. */
export interface ServerSettings {
  databaseUrl: string;
  /** All servers of the installation, the home first. The default is one, that of `databaseUrl`. */
  databaseShards?: readonly string[];
  origin: string;
  /** The role of the service: `all`, as with `npm start`, or `api`, which sends no webhooks. */
  role: "all" | "api";
  /** The default is the configuration's. */
  filesDir?: string;
}

/** Links of both the service and the floor begin with it. */
export const PUBLIC_URL = "http://localhost";

/** To the database, as many as the service opens for requests. */
export const POOL_SIZE = 10;

/** The processor time and the peak memory of a server so far. */
export interface Usage {
  cpuMicroseconds: number;
  /** Its main thread had work and no processor; not a number where there is no /proc to read it from. */
  waitedMicroseconds: number;
  maxRssBytes: number;
}

type Question = { settings: ServerSettings } | "usage";

/** One of our own processes, asked and answering one thing at a time. */
export class Child {
  readonly #process: ChildProcess;

  constructor(
    file: string,
    execArgv: readonly string[] = [],
    environment: Readonly<Record<string, string>> = {},
  ) {
    this.#process = fork(fileURLToPath(new URL(file, import.meta.url)), {
      // None of ours: the launcher's are for the process that it launched.
      execArgv: [...execArgv],
      env: { ...process.env, ...environment },
      serialization: "advanced",
    });
  }

  async ask<T>(question: unknown): Promise<T> {
    const ended = new AbortController();
    const { signal } = ended;
    this.#process.send(question as object);
    try {
      return await Promise.race([
        once(this.#process, "message", { signal }).then(([answer]) => answer as T),
        once(this.#process, "exit", { signal }).then(([code]) => {
          throw new Error(`A process of the bench ended with ${code}.`);
        }),
      ]);
    } finally {
      ended.abort();
    }
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exit = once(this.#process, "exit");
    this.#process.disconnect();
    await exit;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

const root = new URL("../../../", import.meta.url);
const started = JSON.parse(readFileSync(new URL("server/bin/process.json", root), "utf8")) as {
  flags: string[];
  workerFlags: string[];
  environment: Record<string, string>;
  compileCache: string;
};

/** Flags and environment as bin/launch.mjs gives them to the service, and where CPU profiles go, if anywhere. */
export function asServed(
  profile?: string,
  role: "api" | "worker" = "api",
): [flags: string[], environment: Record<string, string>] {
  const own = role === "worker" ? started.workerFlags : [];
  const profiling = profile
    ? ["--cpu-prof", `--cpu-prof-dir=${profile}`, "--cpu-prof-interval=200"]
    : [];
  const cache = fileURLToPath(new URL(started.compileCache, root));
  return [
    [...started.flags, ...own, ...profiling],
    { ...started.environment, NODE_COMPILE_CACHE: cache },
  ];
}

/** A server in a process of its own. */
export class ServerChild {
  readonly #child: Child;
  #port = 0;

  constructor(...how: ConstructorParameters<typeof Child>) {
    this.#child = new Child(...how);
  }

  async start(settings: ServerSettings): Promise<void> {
    this.#port = await this.#child.ask<number>({ settings } satisfies Question);
  }

  get port(): number {
    return this.#port;
  }

  usage(): Promise<Usage> {
    return this.#child.ask<Usage>("usage" satisfies Question);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** The server's side. Starts, reports its port, and then reports its usage until the bench ends. */
export function serveBench(start: (settings: ServerSettings) => Promise<number>): void {
  answerBench<Question>(async (question) =>
    question === "usage" ? usage() : start(question.settings),
  );
}

/** Answers one question after the other until the bench lets go. */
export function answerBench<Q>(answer: (question: Q) => Promise<unknown>): void {
  process.on("message", (question: Q) => {
    // An undefined message cannot be sent.
    answer(question).then((answered) => void process.send?.(answered ?? null), fail);
  });
  process.on("disconnect", () => process.exit());
}

/** Resources used by this process. */
export function usage(): Usage {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return {
    cpuMicroseconds: userCPUTime + systemCPUTime,
    waitedMicroseconds: waited(),
    maxRssBytes: maxRSS * 1_024,
  };
}

function waited(): number {
  try {
    const [, nanoseconds] = readFileSync("/proc/self/schedstat", "utf8").split(" ");
    return Number(nanoseconds) / 1_000;
  } catch {
    return Number.NaN;
  }
}

function fail(error: unknown): void {
  console.error(error);
  process.exit(1);
}
