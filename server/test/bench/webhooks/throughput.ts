import { goodCertificate, testAuthority } from "../../support/receiver.ts";
import { median } from "../routes.ts";
import { databaseUsage } from "./database-usage.ts";
import { EngineChild } from "./engine.ts";
import { FloorChild } from "./floor.ts";
import { ReceiverChild } from "./receiver.ts";
import { type Bench, clear, clearHistory, makeReceivers, queueWork } from "./stand.ts";

const CHURCHES = 16;
const DELIVERIES = 30_000;
/** As many as the engine sends at a time when there is no end of work: the last quarter of its slots is kept free. */
const AT_A_TIME = 192;

/** How fast what waits is sent and recorded, where receivers answer at once. */
export const throughput: Bench = {
  title: `Throughput: ${DELIVERIES.toLocaleString("en")} deliveries wait for ${CHURCHES} receivers`,
  async run({ databaseUrl, db, profile, rounds }) {
    const receiver = new ReceiverChild();
    const engine = new EngineChild(profile);
    const floor = new FloorChild();
    const authority = testAuthority().cert;
    try {
      await receiver.start({ certificate: goodCertificate() });
      const receivers = await makeReceivers(db, receiver.origin, { churches: CHURCHES });

      const ours = async () => {
        await clearHistory(db);
        await queueWork(db, receivers, Math.ceil(DELIVERIES / CHURCHES));
        const messages = Math.ceil(DELIVERIES / CHURCHES) * CHURCHES;
        await db`vacuum analyze webhook_queue, webhook_deliveries, webhook_events`;
        await receiver.forget();
        const before = { ...(await engine.usage()), ...(await databaseUsage(db)) };
        const startedAt = performance.now();
        await engine.startEngine({ databaseUrl, authority });
        await engine.settled(messages);
        const seconds = (performance.now() - startedAt) / 1_000;
        const after = { ...(await engine.usage()), ...(await databaseUsage(db)) };
        await engine.stopEngine();
        const { bytes, requests } = await receiver.received(messages);
        const [left] = await db`
          select count(*)::int as deliveries from webhook_deliveries where status <> 'delivered'`;
        if (requests !== messages || left?.["deliveries"] !== 0)
          throw new Error(`${requests} of ${messages} came, and ${left?.["deliveries"]} are left.`);
        return {
          bytes: Math.round(bytes / requests),
          perSecond: messages / seconds,
          cpu: (after.cpuMicroseconds - before.cpuMicroseconds) / messages,
          databaseCpu: (after.databaseCpuMicroseconds - before.databaseCpuMicroseconds) / messages,
          wal: (after.walBytes - before.walBytes) / messages,
          roundTrips: (after.roundTrips - before.roundTrips) / messages,
        };
      };
      const theirs = async (bytesOfEach: number) => {
        const before = await floor.usage();
        const job = { origin: receiver.origin, authority, messages: DELIVERIES, bytesOfEach };
        const seconds = await floor.send({ ...job, atATime: AT_A_TIME });
        const { cpuMicroseconds } = await floor.usage();
        return {
          perSecond: DELIVERIES / seconds,
          cpu: (cpuMicroseconds - before.cpuMicroseconds) / DELIVERIES,
        };
      };

      const { bytes } = await ours();
      await theirs(bytes);
      const all: {
        ours: Awaited<ReturnType<typeof ours>>;
        floor: Awaited<ReturnType<typeof theirs>>;
      }[] = [];
      for (let round = 0; round < rounds; round += 1)
        all.push({ floor: await theirs(bytes), ours: await ours() });
      await clear(db);

      return [
        {
          what: `deliveries, of ${bytes} bytes`,
          unit: "/s",
          measured: median(all.map((one) => one.ours.perSecond)),
          floor: median(all.map((one) => one.floor.perSecond)),
          ratio: median(all.map((one) => one.ours.perSecond / one.floor.perSecond)),
          aim: "ratio ≥ 0.6",
        },
        {
          what: "own CPU of one",
          unit: "µs",
          measured: median(all.map((one) => one.ours.cpu)),
          floor: median(all.map((one) => one.floor.cpu)),
        },
        {
          what: "PostgreSQL's CPU of one",
          unit: "µs",
          measured: median(all.map((one) => one.ours.databaseCpu)),
        },
        {
          what: "write-ahead log of one",
          unit: "bytes",
          measured: median(all.map((one) => one.ours.wal)),
        },
        {
          what: "round trips to the database for one",
          unit: "",
          measured: median(all.map((one) => one.ours.roundTrips)),
        },
      ];
    } finally {
      await Promise.all([engine.stop(), floor.stop(), receiver.stop()]);
    }
  },
};
