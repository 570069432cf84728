import { median } from "../routes.ts";
import { databaseUsage } from "./database-usage.ts";
import { EngineChild } from "./engine.ts";
import { FloorChild } from "./floor.ts";
import { ReceiverChild } from "./receiver.ts";
import {
  type Bench,
  clear,
  clearHistory,
  makeReceivers,
  queueWork,
  type Receiver,
  type Stand,
} from "./stand.ts";

const CHURCHES = 16;
const EVENTS_OF_EACH = 3_750;
const DELIVERIES = CHURCHES * EVENTS_OF_EACH;
/** With more at a time the floor is slower. */
const AT_A_TIME = 192;

/** How fast what waits is sent and recorded, where receivers answer at once. */
export const throughput: Bench = {
  title: `Throughput: ${DELIVERIES.toLocaleString("en")} deliveries wait for ${CHURCHES} receivers`,
  async run(stand) {
    await using receiver = await new ReceiverChild().start("counts");
    await using engine = new EngineChild(stand.profile);
    await using floor = new FloorChild();
    await clear(stand.db);
    const receivers = await makeReceivers(stand.db, receiver.origin, { churches: CHURCHES });
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
    return [
      {
        what: `deliveries, of ${bytes} bytes`,
        unit: "/s",
        measured: ofOurs("perSecond"),
        floor: ofFloor("perSecond"),
        ratio: median(all.map((one) => one.ours.perSecond / one.floor.perSecond)),
        aim: "ratio ≥ 0.6",
      },
      {
        what: "own CPU of one",
        unit: "µs",
        measured: ofOurs("cpu"),
        floor: ofFloor("cpu"),
        ratio: median(all.map((one) => one.floor.cpu / one.ours.cpu)),
      },
      { what: "PostgreSQL's CPU of one", unit: "µs", measured: ofOurs("databaseCpu") },
      { what: "write-ahead log of one", unit: "bytes", measured: ofOurs("wal") },
      { what: "round trips to the database for one", unit: "", measured: ofOurs("roundTrips") },
    ];
  },
};

interface Sent extends Posted {
  bytes: number;
  databaseCpu: number;
  wal: number;
  roundTrips: number;
}

interface Posted {
  perSecond: number;
  cpu: number;
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
  const before = { ...(await engine.usage()), ...(await databaseUsage(db)) };
  const startedAt = performance.now();
  await engine.startEngine({ databaseUrl, authority });
  await engine.settled(DELIVERIES);
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = { ...(await engine.usage()), ...(await databaseUsage(db)) };
  await engine.stopEngine();
  const { bytes, requests } = await receiver.received(DELIVERIES);
  const [left] = await db<{ count: number }[]>`
    select count(*)::int from webhook_deliveries where status <> 'delivered'`;
  if (requests !== DELIVERIES || left?.count !== 0)
    throw new Error(`${requests} of ${DELIVERIES} came, and ${left?.count} are left.`);
  const ofOne = (name: "cpuMicroseconds" | "databaseCpuMicroseconds" | "walBytes" | "roundTrips") =>
    (after[name] - before[name]) / DELIVERIES;
  return {
    bytes: Math.round(bytes / requests),
    perSecond: DELIVERIES / seconds,
    cpu: ofOne("cpuMicroseconds"),
    databaseCpu: ofOne("databaseCpuMicroseconds"),
    wal: ofOne("walBytes"),
    roundTrips: ofOne("roundTrips"),
  };
}

async function postAll(
  { authority }: Stand,
  how: { floor: FloorChild; receiver: ReceiverChild; bytesOfEach: number },
): Promise<Posted> {
  const { bytesOfEach, floor, receiver } = how;
  const before = await floor.usage();
  const seconds = await floor.send({
    origin: receiver.origin,
    authority,
    messages: DELIVERIES,
    bytesOfEach,
    atATime: AT_A_TIME,
  });
  const after = await floor.usage();
  return {
    perSecond: DELIVERIES / seconds,
    cpu: (after.cpuMicroseconds - before.cpuMicroseconds) / DELIVERIES,
  };
}
