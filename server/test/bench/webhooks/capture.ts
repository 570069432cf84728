import { makeLiveEndpoint } from "../../support/engine.ts";
import { makeCongregation } from "../congregation.ts";
import { type Figures, measuring, median, routesOf, startServers } from "../routes.ts";
import { type DatabaseUsage, databaseUsage } from "./database-usage.ts";
import { type Bench, clear, clearHistory, type Figure } from "./stand.ts";

const WARM_UP_SECONDS = 6;
const FLOOR_SECONDS = 3;

/** Turns of a second: the two of a pair see the same machine, whose speed changes from one few seconds to the next. */
const PAIRS_OF_A_ROUND = 4;
const PER_SECOND = 200;
const PACED_SECONDS = 10;
const TURN_SECONDS = 1;

type Turn = Figures & DatabaseUsage;

interface Pair {
  readonly unheard: Turn;
  readonly heard: Turn;
}

/** The cost of an endpoint for each change in its account. */
export const capture: Bench = {
  title: "Capture: a change that nobody, or one endpoint, is told of; nothing is sent",
  async run({ databaseUrl, db, profile, rounds }) {
    await clear(db);
    const congregation = await makeCongregation(db);
    const accountId = congregation.account.id;
    const url = "https://receiver.example/";
    const { id } = await makeLiveEndpoint(db, accountId, { url, events: ["person.updated"] });
    await db`vacuum analyze`;
    const route = routesOf(congregation).find(({ name }) => name === "patch");
    if (!route) throw new Error("There is no route that changes something.");
    await using servers = await startServers({ databaseUrl, profile }, "api");
    const measure = await measuring(route, servers);

    const listen = (status: "active" | "deleted") =>
      db`update webhook_endpoints set status = ${status} where account_id = ${accountId} and id = ${id}`;
    const turn = async (status: "active" | "deleted", connections?: number): Promise<Turn> => {
      await listen(status);
      const before = await databaseUsage(db);
      const figures = await measure("service", TURN_SECONDS, connections);
      const after = await databaseUsage(db);
      const ofOne = (name: keyof DatabaseUsage) =>
        (after[name] - before[name]) / (figures.perSecond * TURN_SECONDS);
      return {
        ...figures,
        databaseCpuMicroseconds: ofOne("databaseCpuMicroseconds"),
        walBytes: ofOne("walBytes"),
      };
    };
    /** The one that goes first in one pair is the second in the next. */
    const pair = async (nth: number, connections?: number): Promise<Pair> => {
      const swapped = nth % 2 === 1;
      const first = await turn(swapped ? "active" : "deleted", connections);
      const second = await turn(swapped ? "deleted" : "active", connections);
      const [unheard, heard] = swapped ? [second, first] : [first, second];
      return { unheard, heard };
    };
    const pairs = async (connections?: number): Promise<Pair[]> => {
      const all: Pair[] = [];
      for (let nth = 0; nth < PAIRS_OF_A_ROUND; nth += 1) all.push(await pair(nth, connections));
      return all;
    };

    // As a service is that has been told of changes for a while: with its code compiled, and the statement planned.
    await listen("active");
    await measure("service", WARM_UP_SECONDS);
    await clearHistory(db);
    await pair(0);
    const floors: { floor: Figures; unheard: Figures }[] = [];
    const crowded: Pair[] = [];
    const alone: Pair[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const floor = await measure("floor", FLOOR_SECONDS);
      const ofRound = await pairs();
      for (const { unheard } of ofRound) floors.push({ floor, unheard });
      crowded.push(...ofRound);
      alone.push(...(await pairs(1)));
    }

    await listen("active");
    const paced = await measure("service", PACED_SECONDS, undefined, PER_SECOND);

    const told = [...crowded, ...alone].reduce((sum, { heard }) => sum + heard.perSecond, 0);
    const [queued] = await db<{ count: number }[]>`select count(*)::int from webhook_queue`;
    if ((queued?.count ?? 0) < told * TURN_SECONDS) throw new Error("Not all was captured.");

    const against = (what: string, unit: string, name: keyof Turn, of = crowded): Figure => ({
      what: `${what}, against nobody`,
      unit,
      measured: median(of.map(({ heard }) => heard[name])),
      floor: median(of.map(({ unheard }) => unheard[name])),
    });
    const ratio = (of: readonly Pair[]) =>
      median(of.map(({ heard, unheard }) => heard.perSecond / unheard.perSecond));
    return [
      {
        what: `${route.title}, nobody listens`,
        unit: "/s",
        measured: median(floors.map(({ unheard }) => unheard.perSecond)),
        floor: median(floors.map(({ floor }) => floor.perSecond)),
        ratio: median(floors.map(({ floor, unheard }) => unheard.perSecond / floor.perSecond)),
      },
      {
        ...against(`${route.title}, one endpoint listens`, "/s", "perSecond"),
        ratio: ratio(crowded),
      },
      {
        ...against("the same, one after the other", "/s", "perSecond", alone),
        ratio: ratio(alone),
      },
      ...(["p50", "p99"] as const).map((name) => ({
        what: `answer at ${PER_SECOND} changes a second, one endpoint listens, ${name}`,
        unit: "ms",
        measured: paced[name],
      })),
      against("own CPU of one", "µs", "cpuMicroseconds"),
      against("PostgreSQL's CPU of one", "µs", "databaseCpuMicroseconds"),
      against("write-ahead log of one", "bytes", "walBytes"),
    ];
  },
};
