import { makeLiveEndpoint } from "../../support/engine.ts";
import { makeCongregation } from "../congregation.ts";
import { type Figures, measuring, median, routesOf, startServers } from "../routes.ts";
import { type Bench, clear, clearHistory } from "./stand.ts";

/** Whole seconds of each round: many short rounds see the same disturbances. */
const SECONDS = 3;

/** What a church pays for an endpoint with each change it makes. */
export const capture: Bench = {
  title: "Capture: a change that nobody, or one endpoint, is told of; nothing is sent",
  async run({ databaseUrl, db, rounds }) {
    await clear(db);
    const congregation = await makeCongregation(db);
    const accountId = congregation.church.id;
    const url = "https://receiver.example/";
    const { id } = await makeLiveEndpoint(db, accountId, { url, events: ["person.updated"] });
    const listen = async (status: "active" | "deleted") => {
      await clearHistory(db);
      await db`
        update webhook_endpoints set status = ${status} where account_id = ${accountId} and id = ${id}`;
    };
    await db`vacuum analyze`;
    const route = routesOf(congregation).find(({ name }) => name === "patch");
    if (!route) throw new Error("There is no route that changes something.");
    await using servers = await startServers({ databaseUrl }, "api");
    const measure = await measuring(route, servers);

    const all: { floor: Figures; unheard: Figures; heard: Figures }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const floor = await measure("floor", SECONDS);
      await listen("deleted");
      const unheard = await measure("service", SECONDS);
      await listen("active");
      const heard = await measure("service", SECONDS);
      const [queued] = await db<{ count: number }[]>`select count(*)::int from webhook_queue`;
      if ((queued?.count ?? 0) < heard.perSecond) throw new Error("Nothing was captured.");
      all.push({ floor, unheard, heard });
    }
    const of = (
      name: "floor" | "unheard" | "heard",
      what: "perSecond" | "cpuMicroseconds" = "perSecond",
    ) => median(all.map((one) => one[name][what]));
    return [
      {
        what: `${route.title}, nobody listens`,
        unit: "/s",
        measured: of("unheard"),
        floor: of("floor"),
        ratio: median(all.map(({ floor, unheard }) => unheard.perSecond / floor.perSecond)),
      },
      {
        what: `${route.title}, one endpoint listens, against nobody`,
        unit: "/s",
        measured: of("heard"),
        floor: of("unheard"),
        ratio: median(all.map(({ heard, unheard }) => heard.perSecond / unheard.perSecond)),
        aim: "ratio ≥ 0.85",
      },
      {
        what: "own CPU of one, against nobody",
        unit: "µs",
        measured: of("heard", "cpuMicroseconds"),
        floor: of("unheard", "cpuMicroseconds"),
      },
    ];
  },
};
