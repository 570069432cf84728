import type { Db } from "../../src/store/db.ts";
import { makeAccount, type TestAccount } from "../support/make.ts";
import type { Judged } from "./budgets.ts";
import { asServed, Child, ServerChild } from "./child.ts";
import { addPeople } from "./congregation.ts";
import type { Job, Load } from "./load.ts";
import { median } from "./routes.ts";

export interface FairOptions {
  databaseUrl: string;
  db: Db;
  say: (line: string) => void;
  seconds: number;
  rounds: number;
}

export interface FairResult {
  fair: Judged[];
}

const ORIGIN = "http://localhost";
const PEOPLE = 40_000;
/** Reads that one account sends at a time. */
const AT_ONCE = 20;
/** The statement reads and sorts all people of the account, and few of them are shown. */
const HEAVY = "/v1/people?sort=-modified-at&page%5Bnumber%5D=5000&page%5Bsize%5D=5";
/** A cheap read of the other account is sent every ten milliseconds. */
const PER_SECOND = 100;

/** The time of a cheap read of one account, without and with heavy reads of another account, in turns. */
export async function benchFair(options: FairOptions): Promise<FairResult> {
  const { databaseUrl, db, rounds, say, seconds } = options;
  say(`Seeding ${PEOPLE.toLocaleString("en")} people …`);
  const [busy, other] = [await makeAccount(db), await makeAccount(db)];
  await addPeople(db, busy, PEOPLE);
  await db`vacuum analyze`;

  await using service = new ServerChild("./service.ts", ...asServed());
  await service.start({ databaseUrl, origin: ORIGIN, role: "all" });
  await using heavy = await loadOf(service, busy, HEAVY, { connections: AT_ONCE });
  const cheapPath = `/v1/people/${other.administrator.id}`;
  await using cheap = await loadOf(service, other, cheapPath, {
    connections: 8,
    perSecond: PER_SECOND,
  });
  await Promise.all([heavy.run(2), cheap.run(2)]);

  const alone: Percentiles[] = [];
  const beside: Percentiles[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(percentiles(await cheap.run(seconds)));
    const [load] = await Promise.all([cheap.run(seconds), heavy.run(seconds + 1)]);
    beside.push(percentiles(load));
    say(JSON.stringify({ alone: alone.at(-1), beside: beside.at(-1) }));
  }
  const ratio = median(beside.map(({ p99 }, round) => p99 / (alone[round]?.p99 ?? 0)));
  const figure = (what: string, value: number, below = Number.POSITIVE_INFINITY): Judged => ({
    what,
    value,
    budget: Number.isFinite(below) ? { below } : {},
  });
  return {
    fair: [
      figure("cheap read alone, p50: ms", median(alone.map(({ p50 }) => p50))),
      figure("cheap read alone, p99: ms", median(alone.map(({ p99 }) => p99))),
      figure(
        "beside heavy reads of another account, p50: ms",
        median(beside.map(({ p50 }) => p50)),
      ),
      figure(
        "beside heavy reads of another account, p99: ms",
        median(beside.map(({ p99 }) => p99)),
      ),
      figure("p99 beside heavy reads ÷ p99 alone", ratio, 3),
    ],
  };
}

interface Percentiles {
  p50: number;
  p99: number;
}

const percentiles = ({ latencies }: Load): Percentiles => ({
  p50: latencies[Math.floor(latencies.length * 0.5)] ?? 0,
  p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
});

/** A client in a process of its own, which sends one request again and again. */
async function loadOf(
  service: ServerChild,
  account: TestAccount,
  path: string,
  how: Pick<Job, "connections" | "perSecond">,
) {
  const headers = { Origin: ORIGIN, Authorization: `Bearer ${account.administrator.token}` };
  const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  const fields = Object.entries({ Host: "localhost", ...headers });
  const request = `GET ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  const client = new Child("./load.ts");
  return {
    run: (seconds: number) =>
      client.ask<Load>({
        ...how,
        port: service.port,
        seconds,
        requests: [request],
        lengths: [Buffer.byteLength(text)],
        from: 0,
      } satisfies Job),
    [Symbol.asyncDispose]: () => client.stop(),
  };
}
