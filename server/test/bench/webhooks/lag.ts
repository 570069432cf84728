import { EngineChild } from "./engine.ts";
import { ReceiverChild } from "./receiver.ts";
import { SourceChild } from "./source.ts";
import {
  type Bench,
  clear,
  clearHistory,
  type Figure,
  lagsOf,
  makeReceivers,
  percentile,
  type Told,
} from "./stand.ts";

const PER_SECOND = 200;

/** How long an event takes from its commit to its receiver, where nothing waits. */
export const lag: Bench = {
  title: `Lag: ${PER_SECOND} events a second, each a transaction, to one receiver`,
  async run({ authority, databaseUrl, db, profile, seconds }) {
    await using receiver = await new ReceiverChild().start("reads");
    await using engine = new EngineChild(profile);
    await using source = new SourceChild();
    await clear(db);
    const [one] = await makeReceivers(db, receiver.origin, { accounts: 1 });
    const accountIds = [one?.accountId ?? ""];
    const job = { databaseUrl, accountIds, perSecond: PER_SECOND, seconds };

    const measure = async (told: () => Promise<readonly Told[]>) => {
      await clearHistory(db);
      await receiver.forget();
      const all = await told();
      await receiver.received(all.length);
      return lagsOf(all, await receiver.arrivals());
    };
    const withEngine = async (told: () => Promise<readonly Told[]>) => {
      await engine.startEngine({ databaseUrl, authority });
      const before = await engine.usage();
      const lags = await measure(told);
      await engine.settled(lags.length);
      const after = await engine.usage();
      await engine.stopEngine();
      return {
        lags,
        cpu: (after.cpuMicroseconds - before.cpuMicroseconds) / lags.length,
        roundTrips: (after.roundTrips - before.roundTrips) / lags.length,
      };
    };

    const shortly = { ...job, seconds: 2 };
    await withEngine(() => source.tell(shortly));
    await withEngine(() => engine.tell(shortly));
    const direct = { origin: receiver.origin, authority };
    await measure(() => source.tell({ ...shortly, direct }));
    const floor = await measure(() => source.tell({ ...job, direct }));
    const apart = await withEngine(() => source.tell(job));
    const together = await withEngine(() => engine.tell(job));

    return [
      ...figuresOf("captured by another process", apart.lags, floor),
      ...figuresOf("captured by the same process", together.lags, floor),
      { what: "own CPU of one, captured by another process", unit: "µs", measured: apart.cpu },
      {
        what: "round trips to the database for one, captured by another process",
        unit: "",
        measured: apart.roundTrips,
      },
    ];
  },
};

const figuresOf = (what: string, lags: readonly number[], floor: readonly number[]): Figure[] =>
  (
    [
      ["p50", 0.5, 10],
      ["p99", 0.99, 50],
    ] as const
  ).map(([name, share, below]) => ({
    what: `${what}, ${name}`,
    unit: "ms",
    measured: percentile(lags, share),
    floor: percentile(floor, share),
    budget: { of: "measured", below },
  }));
