/** The engine in a process of its own, as `vestry serve --role worker` runs it, but for its log and metrics. */
import { Socket } from "node:net";
import { onObservation } from "../../../src/base/observe.ts";
import { connect, type Db } from "../../../src/store/db.ts";
import { startListening } from "../../../src/webhooks/engine/notify.ts";
import { type Engine, startEngine } from "../../../src/webhooks/engine/dispatcher.ts";
import { testCipher, testSender } from "../../support/engine.ts";
import { answerBench, asServed, Child, type Usage, usage } from "../child.ts";
import { type AtRate, tellAtRate } from "./at-rate.ts";
import { monotonic, type Told } from "./stand.ts";

interface Settings {
  readonly databaseUrl: string;
  /** The one that receivers' certificates are from. */
  readonly authority: string;
}

export interface EngineUsage extends Usage {
  /** Writes to the database's sockets. Statements sent together count once. */
  readonly roundTrips: number;
}

type Question = { settings: Settings } | { until: number } | { tell: AtRate } | "usage" | "stop";

export class EngineChild {
  readonly #child: Child;

  constructor(profile?: string) {
    this.#child = new Child("./webhooks/engine.ts", ...asServed(profile, "worker"));
  }

  /** Any number of times, one after the other. */
  async startEngine({ authority, databaseUrl }: Settings): Promise<void> {
    await this.#child.ask({ settings: { authority, databaseUrl } } satisfies Question);
  }

  /** Sends what it has begun, and settles it. */
  async stopEngine(): Promise<void> {
    await this.#child.ask("stop" satisfies Question);
  }

  /** Resolves when that many attempts have been settled since it was started: when that was, by `monotonic`. */
  settled(until: number): Promise<number> {
    return this.#child.ask<number>({ until } satisfies Question);
  }

  /** Captures in the engine's own process, as one that serves requests does. */
  tell(job: AtRate): Promise<readonly Told[]> {
    return this.#child.ask<readonly Told[]>({ tell: job } satisfies Question);
  }

  usage(): Promise<EngineUsage> {
    return this.#child.ask<EngineUsage>("usage" satisfies Question);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child.stop();
  }
}

if (import.meta.main) {
  let running: { engine: Engine; db: Db; unhear: () => Promise<void> } | undefined;
  let settled = 0;
  let settledAt = 0;
  let happened = () => {};
  let roundTrips = 0;

  onObservation((one) => {
    if (one.kind === "engine-failed") console.error(one);
    if (one.kind !== "attempt-finished") return;
    settled += 1;
    settledAt = monotonic();
    happened();
  });

  // A socket to the database carries the host's name, for its certificate; one to a receiver does not.
  const write = Reflect.get(Socket.prototype, "write");
  Socket.prototype.write = function count(this: Socket, ...args: never[]) {
    if (Object.hasOwn(this, "host")) roundTrips += 1;
    return Reflect.apply(write, this, args);
  } as typeof write;

  const start = async ({ authority, databaseUrl }: Settings) => {
    settled = 0;
    const db = connect(databaseUrl, { max: 4, name: "bench-engine", byIndex: true });
    const unhear = await startListening(db);
    const engine = startEngine({
      db,
      cipher: testCipher,
      sender: testSender({ authorities: authority }),
      userAgent: "Vestry/bench",
    });
    running = { engine, db, unhear };
  };

  const stop = async () => {
    await running?.engine.stop();
    await running?.unhear();
    await running?.db.end({ timeout: 5 });
    running = undefined;
  };

  answerBench<Question>(async (question) => {
    if (question === "usage") return { ...usage(), roundTrips } satisfies EngineUsage;
    if (question === "stop") return stop();
    if ("settings" in question) return start(question.settings);
    if ("tell" in question) return tellAtRate(question.tell);
    while (settled < question.until)
      await new Promise<void>((resolve) => {
        happened = resolve;
      });
    return settledAt;
  });
}
