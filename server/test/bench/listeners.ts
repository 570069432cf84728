import { limits } from "../../src/base/limits.ts";
import type { Db } from "../../src/store/db.ts";
import { makeCell, makeMember } from "../support/cells.ts";
import { makeAccount, makePerson, makeToken, type TestAccount } from "../support/make.ts";
import type { Judged } from "./budgets.ts";
import { asServed, Child, ServerChild } from "./child.ts";
import type { Heard, ListenersQuestion } from "./listener-child.ts";
import { type Job, type Load, numbered } from "./load.ts";
import { answerTo, median, ORIGIN } from "./routes.ts";

export interface ListenersOptions {
  databaseUrl: string;
  db: Db;
  say: (line: string) => void;
  seconds: number;
  rounds: number;
}

export interface ListenersResult {
  listeners: Judged[];
}

const WRITES_PER_SECOND = 100;
const CONNECTIONS = 16;
const PEOPLE = 200;
const WRITES_KEPT_MIN = 0.8;
const LAG_MS_MAX = 1_000;

/** The listeners are people with the same rights, or people with a cell each. */
const audiences = {
  "of the whole account": async (db: Db, { id }: TestAccount) =>
    (await makePerson(db, id, { administrativeStatus: "full-administrator" })).token,
  "with a cell each": async (db: Db, { id }: TestAccount) => {
    const leader = await makeMember(db, id, await makeCell(db, id), { cell_role: "leader" });
    return makeToken(db, id, leader.id);
  },
};

/** The rate of writes alone and beside as many listeners as an account may have, and how late these get the changes. */
export async function benchListeners(options: ListenersOptions): Promise<ListenersResult> {
  const { databaseUrl, db, rounds, say, seconds } = options;
  const listeners: Judged[] = [];
  for (const [who, make] of Object.entries(audiences)) {
    await using service = new ServerChild("./service.ts", ...asServed());
    await service.start({ databaseUrl, origin: ORIGIN, role: "all" });
    const account = await makeAccount(db);
    await using writers = await writersOf(service.port, db, account);
    await writers.run(seconds);
    const alone: number[] = [];
    for (let round = 0; round < rounds; round += 1) alone.push(await writers.run(seconds));
    await using audience = new Child("./listener-child.ts");
    say(`Opening ${limits.streamsPerAccount} streams ${who} …`);
    const tokens: string[] = [];
    for (let at = 0; at < limits.streamsPerAccount / limits.streamsPerPerson; at += 1)
      tokens.push(await make(db, account));
    const requests = tokens.flatMap((token) =>
      Array<string>(limits.streamsPerPerson).fill(
        requestText("GET", "/v1/changes/stream?filter%5Btypes%5D=people", token),
      ),
    );
    await audience.ask({ port: service.port, requests } satisfies ListenersQuestion);
    const beside: number[] = [];
    const lags: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      beside.push(await writers.run(seconds));
      const heard = await audience.ask<Heard>("heard" satisfies ListenersQuestion);
      if (heard.ended > 0) throw new Error(`${heard.ended} streams have ended.`);
      lags.push(heard.lags[Math.floor(heard.lags.length * 0.95)] ?? Number.NaN);
    }
    const figure = (what: string, value: number, budget: Judged["budget"] = {}): Judged => ({
      what: `${requests.length} listeners ${who}: ${what}`,
      value,
      budget,
    });
    listeners.push(
      figure("writes per second", median(beside)),
      figure("writes, ratio to no listener", median(beside) / median(alone), {
        atLeast: WRITES_KEPT_MIN,
      }),
    );
    // A leader of a cell does not see these people.
    if (lags.every(Number.isFinite))
      listeners.push(figure("lag, p95: ms", median(lags), { below: LAG_MS_MAX }));
  }
  return { listeners };
}

function requestText(method: string, path: string, token: string, body = ""): string {
  const type = "application/vnd.api+json";
  const content =
    body === "" ? "" : `Content-Type: ${type}\r\nContent-Length: ${numbered(body, 0).length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${ORIGIN}\r\nAuthorization: Bearer ${token}\r\n${content}\r\n${body}`;
}

/** Changes people of the account, and answers how many a second. */
async function writersOf(port: number, db: Db, account: TestAccount) {
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, () => makePerson(db, account.id)),
  );
  const requests = people.map(({ id }) => {
    const data = { type: "people", id, attributes: { occupation: "Carpenter {n}" } };
    const body = JSON.stringify({ data });
    return requestText("PATCH", `/v1/people/${id}`, account.administrator.token, body);
  });
  const lengths: number[] = [];
  for (const request of requests)
    lengths.push(Buffer.byteLength(await answerTo(numbered(request, 0), port)));
  const client = new Child("./load.ts");
  let from = requests.length;
  return {
    run: async (seconds: number): Promise<number> => {
      const load = await client.ask<Load>({
        port,
        connections: CONNECTIONS,
        seconds,
        perSecond: WRITES_PER_SECOND,
        requests,
        lengths,
        from,
      } satisfies Job);
      from += load.requests + CONNECTIONS;
      return load.requests / load.seconds;
    },
    [Symbol.asyncDispose]: () => client.stop(),
  };
}
