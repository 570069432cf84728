import type { TestAccount } from "../../support/make.ts";
import { ServerChild } from "../child.ts";
import { median } from "../routes.ts";
import { daysAgo } from "./days.ts";
import { fillMonth } from "./month.ts";
import type { Bench, Figure } from "./stand.ts";

const ORIGIN = "http://localhost";
const REPEATS = 40;
/** Also for the account with a million deliveries. */
const PAGE_MS = 200;

/** Pages of history, each with its `meta.total`. `{endpoint}` and the like are put in for each account. */
const pages: readonly (readonly [title: string, path: string])[] = [
  ["deliveries", "webhook-deliveries?page[size]=25"],
  ["deliveries, page 100", "webhook-deliveries?page[number]=100"],
  ["deliveries of an endpoint", "webhook-deliveries?filter[endpoint]={endpoint}"],
  ["deliveries that failed", "webhook-deliveries?filter[status]=failed-permanent"],
  ["deliveries that arrived", "webhook-deliveries?filter[status]=delivered"],
  ["deliveries of a type", "webhook-deliveries?filter[event-type]=person.created"],
  ["deliveries of an event", "webhook-deliveries?filter[event]={event}"],
  ["deliveries of a day", "webhook-deliveries?filter[from]={from}&filter[to]={to}"],
  [
    "deliveries of an endpoint, of a type, that failed, of a day",
    "webhook-deliveries?filter[endpoint]={endpoint}&filter[event-type]=person.created" +
      "&filter[status]=failed-permanent&filter[from]={from}&filter[to]={to}",
  ],
  ["one delivery with its attempts", "webhook-deliveries/{delivery}"],
  ["events", "webhook-events?page[size]=25"],
  ["events of a type", "webhook-events?filter[event-type]=person.created"],
  ["events of a day", "webhook-events?filter[from]={from}&filter[to]={to}"],
];

/** The response times of the history with a month of data. */
export const history: Bench = {
  title: "History: pages of a month, of a usual account and of one that has half of everything",
  async run(stand) {
    const { databaseUrl, db } = stand;
    const { largest, usual } = await fillMonth(stand);
    const figures: Figure[] = [];
    await using service = new ServerChild("./service.ts");
    await service.start({ databaseUrl, origin: ORIGIN, role: "api" });
    const days = { from: await dayOf(10), to: await dayOf(9) };
    async function dayOf(ago: number) {
      return new Date(await daysAgo(db, ago)).toISOString();
    }

    const get = async (account: TestAccount, path: string) => {
      const startedAt = performance.now();
      const answer = await fetch(`http://127.0.0.1:${service.port}/v1/${path}`, {
        headers: { Origin: ORIGIN, Authorization: `Bearer ${account.administrator.token}` },
      });
      const text = await answer.text();
      const took = performance.now() - startedAt;
      if (answer.status !== 200) throw new Error(`${path}: ${text}`);
      return { took, document: JSON.parse(text) };
    };
    const time = async (account: TestAccount, template: string) => {
      const { document } = await get(account, "webhook-deliveries?page[size]=1");
      const [delivery] = document.data;
      const endpoint = delivery.relationships.endpoint.data?.id ?? (await endpointOf(account));
      const event = delivery.relationships.event.data?.id ?? "";
      const known: Record<string, string> = { ...days, delivery: delivery.id, endpoint, event };
      const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? "");
      // For caches and prepared statements.
      for (let repeat = 0; repeat < 10; repeat += 1) await get(account, path);
      const all: number[] = [];
      for (let repeat = 0; repeat < REPEATS; repeat += 1) all.push((await get(account, path)).took);
      const { meta } = (await get(account, path)).document;
      return { took: median(all), total: meta?.total as number | undefined };
    };
    const endpointOf = async (account: TestAccount) =>
      (await get(account, "webhook-endpoints?page[size]=1")).document.data[0].id as string;

    for (const [title, template] of pages)
      for (const [whose, account] of [
        ["usual", usual[0]],
        ["largest", largest],
      ] as const) {
        if (!account) continue;
        const { took, total } = await time(account, template);
        const of = total === undefined ? "" : `, of ${total.toLocaleString("en")}`;
        figures.push({
          what: `${title}${of} (${whose})`,
          unit: "ms",
          measured: took,
          budget: { of: "measured", below: PAGE_MS },
        });
      }
    return figures;
  },
};
