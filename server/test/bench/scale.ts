import type { Db } from "../../src/store/db.ts";
import { type TestAccount, makeAccount } from "../support/make.ts";
import { ServerChild } from "./child.ts";
import type { Judged } from "./budgets.ts";
import { addPeople } from "./congregation.ts";
import { benchFiles } from "./files.ts";
import { benchImport } from "./imports.ts";
import { benchCourses } from "./courses.ts";
import { benchMerge } from "./merge.ts";
import { benchNetwork } from "./network.ts";
import { median } from "./routes.ts";

export interface ScaleOptions {
  databaseUrl: string;
  db: Db;
  say: (line: string) => void;
  /** The number of people in the installation. */
  people?: number;
  /** Only the import, which needs none of the other people. */
  onlyImport?: boolean;
}

/** Milliseconds, in each of the two accounts. */
export interface PageTime {
  title: string;
  small: number;
  large: number;
}

export interface ScaleResult {
  accounts: number;
  people: number;
  pages: PageTime[];
  network: Judged[];
}

const ORIGIN = "http://localhost";
const LARGE = 100_000;
const SMALL = 5_000;
const REPEATS = 40;

const pages: readonly (readonly [title: string, query: string])[] = [
  ["page 1, with `meta.total`", "page[size]=25"],
  ["page 2", "page[number]=2&page[size]=25"],
  ["page 500, of ten a page", "page[number]=500&page[size]=10"],
  ["first page by cursor", "page[after]=&page[size]=25"],
  ["page by cursor, from the middle", "page[after]={cursor}&page[size]=25"],
  ["page 1, last changed first", "sort=-modified-at&page[size]=25"],
  ["`filter[name]`, rare", "filter[name]=quintanilha&page[size]=25"],
  ["`filter[name]`, one in nine", "filter[name]=silva&page[size]=25"],
  ["`filter[name]`, two words", "filter[name]=vitoria barros&page[size]=25"],
  ["`filter[q]`, an e-mail address", "filter[q]=person.4321@example.org&page[size]=25"],
  ["`filter[q]`, two words", "filter[q]=joao queiroz&page[size]=25"],
  ["`filter[q]`, a telephone number", "filter[q]=85930&page[size]=25"],
  ["`filter[q]`, two letters, of one in three", "filter[q]=an&page[size]=25"],
  ["`filter[q]`, two letters, of nobody", "filter[q]=zx&page[size]=25"],
  ["`filter[membership-status]`, half", "filter[membership-status]=member&page[size]=25"],
  ["`filter[modified-since]`, nobody", "filter[modified-since]=2999-01-01&page[size]=25"],
];

/** The same pages of a large and of a small account, which are neighbours in one installation of a million people. */
export async function benchScale(options: ScaleOptions): Promise<ScaleResult> {
  const { db, onlyImport, say, people = 1_000_000 } = options;
  if (onlyImport) return { accounts: 1, people: 0, pages: [], network: await benchImport(options) };
  const { large, small, accounts } = await populate(db, people, say);
  const timed = await timePages(options, { small, large });
  const network = [
    ...(await benchNetwork(options, large)),
    ...(await benchMerge(options, large)),
    ...(await benchFiles(options, large)),
    ...(await benchImport(options)),
    ...(await benchCourses(options, large)),
  ];
  return { accounts, people, pages: timed, network };
}

export async function timePages(
  { databaseUrl, say }: ScaleOptions,
  accounts: { large: TestAccount; small: TestAccount },
): Promise<PageTime[]> {
  const service = new ServerChild("./service.ts");
  try {
    await service.start({ databaseUrl, origin: ORIGIN, role: "all" });
    const times: PageTime[] = [];
    for (const [title, query] of pages) {
      const small = await timing(service, accounts.small, query);
      const large = await timing(service, accounts.large, query);
      for (let repeat = 0; repeat < REPEATS; repeat += 1) {
        await small.measure();
        await large.measure();
      }
      times.push({ title, small: small.median(), large: large.median() });
      say(`${title}: ${JSON.stringify(times.at(-1))}`);
    }
    return times;
  } finally {
    await service.stop();
  }
}

export async function populate(db: Db, people: number, say: (line: string) => void) {
  // Indexes are made afterwards: one by one they take a third of the time.
  const indexes = await db<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = any('{people,person_search}'::regclass[]) and not indisprimary`;
  for (const { name } of indexes) await db.query(`drop index ${name}`);
  const add = async (count: number) => {
    const account = await makeAccount(db);
    await addPeople(db, account, count - 1);
    return account;
  };
  const large = await add(LARGE);
  const small = await add(SMALL);
  const others = 198;
  const left = people - LARGE - SMALL;
  let done = LARGE + SMALL;
  for (let account = 0; account < others; account += 1) {
    await add(Math.floor(left / others) + (account < left % others ? 1 : 0));
    done += Math.floor(left / others);
    if (account % 20 === 0) say(`${done.toLocaleString("en")} people …`);
  }
  say("Indexes …");
  await db.begin(undefined, async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`set local maintenance_work_mem = '512MB'`;
    for (const { definition } of indexes) await tx.query(definition);
  });
  await db`vacuum analyze`;
  return { large, small, accounts: others + 2 };
}

/** Warms caches and prepared statements, then returns how to time one more request. */
async function timing(service: ServerChild, account: TestAccount, query: string) {
  const get = async (what: string) => {
    const startedAt = performance.now();
    const answer = await fetch(`http://127.0.0.1:${service.port}/v1/people?${what}`, {
      headers: { Origin: ORIGIN, Authorization: `Bearer ${account.administrator.token}` },
    });
    const text = await answer.text();
    const took = performance.now() - startedAt;
    if (answer.status !== 200) throw new Error(text);
    return { took, text };
  };
  const what = query.includes("{cursor}") ? query.replace("{cursor}", await middle(get)) : query;
  for (let time = 0; time < 25; time += 1) await get(what);
  const taken: number[] = [];
  return {
    async measure() {
      taken.push((await get(what)).took);
    },
    median: () => median(taken),
  };
}

/** The cursor behind the first hundred people whose names begin with J. */
async function middle(get: (what: string) => Promise<{ text: string }>): Promise<string> {
  const { text } = await get("page[after]=&page[size]=100");
  const { links } = JSON.parse(text) as { links: { next: string } };
  const cursor = new URLSearchParams(links.next.split("?")[1]).get("page[after]") ?? "";
  const [name, , id] = JSON.parse(Buffer.from(cursor, "base64url").toString()) as string[];
  return Buffer.from(JSON.stringify([name, "joao", id])).toString("base64url");
}
