import { setTimeout as wait } from "node:timers/promises";
import { DAY, SECOND } from "../../../src/base/clock.ts";
import { dropPartitions } from "../../../src/store/partitions.ts";
import { median } from "../routes.ts";
import { DAYS_KEPT } from "./days.ts";
import { DAYS_OVER, fillMonth } from "./month.ts";
import { SourceChild } from "./source.ts";
import { type Bench, monotonic, percentile, type Told } from "./stand.ts";

const PER_SECOND = 200;
const ACCOUNTS = 20;
/** Captures within this time after a drop may still wait for it. */
const AFTER_MS = SECOND;

/** The cost of dropping a day, and its effect on concurrent writes. */
export const retention: Bench = {
  title: `Retention: a day that is over is dropped while ${PER_SECOND} events a second are captured`,
  async run(stand) {
    const { databaseUrl, db, seconds } = stand;
    const { deliveries, usual } = await fillMonth(stand);
    await using source = new SourceChild();
    const accountIds = usual.slice(0, ACCOUNTS).map(({ id }) => id);
    const job = { databaseUrl, accountIds, perSecond: PER_SECOND, seconds };
    await source.tell({ ...job, seconds: 2 });
    const before = (await source.tell(job)).map(tookMs);

    const telling = source.tell(job);
    const drops: { from: number; until: number }[] = [];
    for (let over = DAYS_OVER; over > 0; over -= 1) {
      await wait((seconds * SECOND) / (DAYS_OVER + 1));
      const from = monotonic();
      const dropped = await dropPartitions(db, {
        webhooks: (DAYS_KEPT + over - 1) * DAY,
        journal: 0,
      });
      drops.push({ from, until: monotonic() });
      if (dropped.length !== 4) throw new Error(`Dropped were ${dropped.join(", ")}.`);
    }
    const during = (await telling)
      .filter(({ begunAt, committedAt }) =>
        drops.some(({ from, until }) => committedAt > from && begunAt < until + AFTER_MS),
      )
      .map(tookMs);

    const million = `${(deliveries / 1e6).toPrecision(2)} million deliveries`;
    return [
      {
        what: `a day of ${million} is dropped`,
        unit: "ms",
        measured: median(drops.map(({ from, until }) => until - from)),
        budget: { of: "measured", below: SECOND },
      },
      ...([0.5, 0.99, 1] as const).map((share) => ({
        what: `capture meanwhile, ${share === 1 ? "longest" : `p${share * 100}`}`,
        unit: "ms",
        measured: percentile(during, share),
        floor: percentile(before, share),
      })),
    ];
  },
};

const tookMs = ({ begunAt, committedAt }: Told) => committedAt - begunAt;
