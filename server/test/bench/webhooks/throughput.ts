import type { Usage } from "../child.ts";
import { median } from "../routes.ts";
import { type DatabaseUsage, databaseUsage } from "./database-usage.ts";
import { EngineChild, type EngineUsage } from "./engine.ts";
import { FloorChild } from "./floor.ts";
import { ReceiverChild } from "./receiver.ts";
import {
  type Bench,
  clear,
  clearHistory,
  type Figure,
  makeReceivers,
  queueWork,
  type Receiver,
  type Stand,
} from "./stand.ts";

const ACCOUNTS = 16;
const EVENTS_OF_EACH = 3_750;
const DELIVERIES = ACCOUNTS * EVENTS_OF_EACH;
/** With more at a time the floor is slower. */
const AT_A_TIME = 192;

/** How fast what waits is sent and recorded, where receivers answer at once. */
export const throughput: Bench = {
  title: `Throughput: ${DELIVERIES.toLocaleString("en")} deliveries wait for ${ACCOUNTS} receivers`,
  async run(stand) {
    await using receiver = await new ReceiverChild().start("counts");
    await using engine = new EngineChild(stand.profile);
    await using floor = new FloorChild();
    await clear(stand.db);
    const receivers = await makeReceivers(stand.db, receiver.origin, { accounts: ACCOUNTS });
    const ours = () => sendAll(stand, { engine, receiver, receivers });
    // Once each without counting it: both have their code compiled then.
    const { bytes } = await ours();
    const theirs = () => postAll(stand, { floor, receiver, bytesOfEach: bytes });
    await theirs();
    const all: { ours: Sent; floor: Posted }[] = [];
    for (let round = 0; round < stand.rounds; round += 1)
      all.push({ floor: await theirs(), ours: await ours() });

    const ofOurs = (name: keyof Sent) => median(all.map((one) => one.ours[name]));
    const ofFloor = (name: keyof Posted) => median(all.map((one) => one.floor[name]));
    const both = (what: string, name: keyof Posted): Figure => ({
      what,
      unit: "µs",
      measured: ofOurs(name),
      floor: ofFloor(name),
    });
    return [
      {
        what: `deliveries, of ${bytes} bytes`,
        unit: "/s",
        measured: ofOurs("perSecond"),
        floor: ofFloor("perSecond"),
        ratio: median(all.map((one) => one.ours.perSecond / one.floor.perSecond)),
        budget: { of: "ratio", atLeast: 0.4 },
      },
      both("own CPU of one", "cpuMicroseconds"),
      both("waiting for a processor, of one", "waitedMicroseconds"),
      both("the receivers' CPU of one", "receiverCpuMicroseconds"),
      {
        what: "PostgreSQL's CPU of one",
        unit: "µs",
        measured: ofOurs("databaseCpuMicroseconds"),
      },
      { what: "write-ahead log of one", unit: "bytes", measured: ofOurs("walBytes") },
      {
        what: "round trips to the database for one",
        unit: "",
        measured: ofOurs("roundTrips"),
      },
    ];
  },
};

interface Posted extends Usage {
  perSecond: number;
  receiverCpuMicroseconds: number;
}

interface Sent extends Posted, EngineUsage, DatabaseUsage {
  bytes: number;
}

async function sendAll(
  { authority, databaseUrl, db }: Stand,
  how: { engine: EngineChild; receiver: ReceiverChild; receivers: readonly Receiver[] },
): Promise<Sent> {
  const { engine, receiver, receivers } = how;
  await clearHistory(db);
  await queueWork(db, receivers, EVENTS_OF_EACH);
  await db`vacuum analyze webhook_queue, webhook_deliveries, webhook_events`;
  await receiver.forget();
  const taken = await ofEach(
    async () => ({
      ...(await engine.usage()),
      ...(await databaseUsage(db)),
      ...(await usageOf(receiver)),
    }),
    async () => {
      await engine.startEngine({ databaseUrl, authority });
      await engine.settled(DELIVERIES);
    },
  );
  await engine.stopEngine();
  const { bytes, requests } = await receiver.received(DELIVERIES);
  const [left] = await db<{ count: number }[]>`
    select count(*)::int from webhook_deliveries where status <> 'delivered'`;
  if (requests !== DELIVERIES || left?.count !== 0)
    throw new Error(`${requests} of ${DELIVERIES} came, and ${left?.count} are left.`);
  return { ...taken, bytes: Math.round(bytes / requests) };
}

const postAll = (
  { authority }: Stand,
  how: { floor: FloorChild; receiver: ReceiverChild; bytesOfEach: number },
): Promise<Posted> => {
  const { bytesOfEach, floor, receiver } = how;
  return ofEach(
    async () => ({ ...(await floor.usage()), ...(await usageOf(receiver)) }),
    async () => {
      await floor.send({
        origin: receiver.origin,
        authority,
        messages: DELIVERIES,
        bytesOfEach,
        atATime: AT_A_TIME,
      });
    },
  );
};

const usageOf = async (receiver: ReceiverChild) => ({
  receiverCpuMicroseconds: (await receiver.usage()).cpuMicroseconds,
});

/** The usage per delivery of the resource that `count` measures. */
async function ofEach<Counts extends Record<keyof Counts, number>>(
  count: () => Promise<Counts>,
  send: () => Promise<void>,
): Promise<Counts & { perSecond: number }> {
  const before = await count();
  const startedAt = performance.now();
  await send();
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await count();
  const taken = Object.entries<number>(after).map(([name, value]) => [
    name,
    (value - before[name as keyof Counts]) / DELIVERIES,
  ]);
  return { ...(Object.fromEntries(taken) as Counts), perSecond: DELIVERIES / seconds };
}
