import type { Db } from "../../src/store/db.ts";
import type { TestAccount } from "../support/make.ts";
import type { Judged } from "./budgets.ts";
import { addCells } from "./congregation.ts";
import { addMeetings, timeMeetings } from "./meetings.ts";
import { median } from "./routes.ts";
import { ServerChild } from "./child.ts";

const ORIGIN = "http://localhost";
const CELLS = 5_000;
const REPEATS = 40;

/** Work that needs the cells of a large account. Each figure has its budget. */
export async function benchNetwork(
  { databaseUrl, db, say }: { databaseUrl: string; db: Db; say: (line: string) => void },
  account: TestAccount,
): Promise<Judged[]> {
  say(`${CELLS} cells …`);
  const { root, supervisor } = await addCells(db, account, CELLS);
  say("A year of meetings …");
  await addMeetings(db, account);
  await db`vacuum analyze`;
  const service = new ServerChild("./service.ts");
  try {
    await service.start({ databaseUrl, origin: ORIGIN, role: "all" });
    const ratios: Judged[] = [];
    for (const type of ["people", "cells"]) {
      const list = (token: string) => () => get(service, token, `/v1/${type}?page[size]=25`);
      const [all, tree] = await medians(list(account.administrator.token), list(supervisor.token));
      ratios.push({
        what: `first page of the ${type} in a tree of 5,000 cells: ratio to the page of all ${type}`,
        value: tree / all,
        budget: { below: 2 },
      });
    }
    return [...ratios, ...(await timeMeetings(db, service, { account, root, supervisor }))];
  } finally {
    await service.stop();
  }
}

/** Runs two requests in turns, so that both meet the same load of the machine. */
async function medians(
  one: () => Promise<number>,
  other: () => Promise<number>,
): Promise<[number, number]> {
  for (let time = 0; time < 25; time += 1) await Promise.all([one(), other()]);
  const taken: [number[], number[]] = [[], []];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    taken[0].push(await one());
    taken[1].push(await other());
  }
  return [median(taken[0]), median(taken[1])];
}

async function get({ port }: ServerChild, token: string, path: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { Origin: ORIGIN, Authorization: `Bearer ${token}` },
  });
  const text = await answer.text();
  const took = performance.now() - startedAt;
  if (answer.status !== 200) throw new Error(text);
  return took;
}
