import { setTimeout as wait } from "node:timers/promises";
import { SECOND } from "../../../src/base/clock.ts";
import { EngineChild } from "./engine.ts";
import { ReceiverChild } from "./receiver.ts";
import { SourceChild } from "./source.ts";
import {
  type Bench,
  clear,
  lagsOf,
  makeReceivers,
  percentile,
  queueWork,
  type Stand,
} from "./stand.ts";

const ACCOUNTS = 20;
const PER_SECOND = 50;
const WAITING = 10_000;

/** The effect of hanging receivers with much due work on the receivers of other accounts. */
export const isolation: Bench = {
  title: `Isolation: ${WAITING.toLocaleString("en")} deliveries wait for receivers that never answer`,
  async run(stand) {
    const none = await p99With(stand, 0);
    const one = await p99With(stand, 1);
    const ten = await p99With(stand, 10);
    const others = `${ACCOUNTS} others, ${PER_SECOND} events a second: p99`;
    const budget = { of: "measured", below: SECOND } as const;
    return [
      { what: `${others}, one that hangs`, unit: "ms", measured: one, floor: none, budget },
      {
        what: `${others}, ten of an account that hang`,
        unit: "ms",
        measured: ten,
        floor: none,
        budget,
      },
    ];
  },
};

/** The p99 of the other receivers' lag, in milliseconds. */
async function p99With(
  { authority, databaseUrl, db, say, seconds }: Stand,
  hanging: number,
): Promise<number> {
  await using receiver = await new ReceiverChild().start("reads");
  await using deaf = await new ReceiverChild().start("hangs");
  await using engine = new EngineChild();
  await using source = new SourceChild();
  await clear(db);
  const others = await makeReceivers(db, receiver.origin, { accounts: ACCOUNTS });
  if (hanging > 0) {
    const hung = await makeReceivers(db, deaf.origin, { accounts: 1, each: hanging });
    await queueWork(db, hung, WAITING / hanging);
  }
  await engine.startEngine({ databaseUrl, authority });
  // Until they hold whatever they may hold.
  await wait(SECOND);
  const told = await source.tell({
    databaseUrl,
    accountIds: others.map(({ accountId }) => accountId),
    perSecond: PER_SECOND,
    seconds,
  });
  const { requests } = await receiver.received(told.length);
  const lags = lagsOf(told, await receiver.arrivals());
  const hung = (await deaf.received(hanging)).requests;
  say(`${hanging} that hang were sent ${hung}, the others ${requests}.`);
  await engine.stopEngine();
  return percentile(lags, 0.99);
}
