import assert from "node:assert/strict";
import { request as send } from "node:http";
import type { Db } from "../../src/store/db.ts";
import { asServed, Child, ServerChild, type ServerSettings } from "./child.ts";
import { type Congregation, makeCongregation } from "./congregation.ts";
import { type Job, type Load, numbered } from "./load.ts";

/** Requests of one kind, and the members in which both responses must agree. */
export interface Route {
  name: string;
  title: string;
  requests: readonly string[];
}

export const ORIGIN = "http://localhost";
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;

export interface RoutesOptions {
  databaseUrl: string;
  db: Db;
  only: readonly string[];
  seconds: number;
  rounds: number;
  /** Where to put CPU profiles of the service, if anywhere. */
  profile?: string;
  say: (line: string) => void;
}

export interface Figures {
  perSecond: number;
  p50: number;
  p99: number;
  /** Processor time of the server's own process for one request, PostgreSQL's not included. */
  cpuMicroseconds: number;
}

export interface RouteResult {
  name: string;
  title: string;
  service: Figures;
  floor: Figures;
  ratio: number;
  /** The p50 of the service minus that of the floor. */
  msLater: number;
}

export interface RoutesResult {
  routes: RouteResult[];
  serviceMaxRssBytes: number;
}

export const routeNames = ["read", "list", "include", "patch"] as const;

export function routesOf({ account, people, courses }: Congregation): Route[] {
  const head = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${ORIGIN}\r\n` +
    `Accept: application/vnd.api+json\r\nAuthorization: Bearer ${account.administrator.token}\r\n`;
  const get = (path: string) => `${head("GET", path)}\r\n`;
  const patch = (id: string) => {
    const attributes = { occupation: "Carpenter {n}" };
    const body = JSON.stringify({ data: { type: "people", id, attributes } });
    const length = numbered(body, 0).length;
    return (
      `${head("PATCH", `/v1/people/${id}`)}Content-Type: application/vnd.api+json\r\n` +
      `Content-Length: ${length}\r\n\r\n${body}`
    );
  };
  return [
    {
      name: "read",
      title: "`GET /v1/people/:id`",
      requests: people.map((id) => get(`/v1/people/${id}`)),
    },
    {
      name: "list",
      title: "`GET /v1/people?page[size]=25`, of 5,000",
      requests: [get("/v1/people?page%5Bsize%5D=25")],
    },
    {
      name: "include",
      title: "`GET /v1/courses/:id?include=teachers,lessons,classes`",
      requests: courses.map((id) => get(`/v1/courses/${id}?include=teachers,lessons,classes`)),
    },
    { name: "patch", title: "`PATCH /v1/people/:id`", requests: people.map(patch) },
  ];
}

/** Alternates between both servers on one database, so that disturbances affect both. */
export async function benchRoutes(options: RoutesOptions): Promise<RoutesResult> {
  const { db, say } = options;
  say("Seeding 5,000 people …");
  const congregation = await makeCongregation(db);
  await db`vacuum analyze`;

  await using servers = await startServers(options);
  const wanted = routesOf(congregation).filter(({ name }) => options.only.includes(name));
  const routes: RouteResult[] = [];
  for (const route of wanted) {
    say(`${route.title} …`);
    routes.push(await takeTurns(route, await measuring(route, servers), options));
  }
  const { maxRssBytes } = await servers.service.usage();
  return { routes, serviceMaxRssBytes: maxRssBytes };
}

/** The two that are measured, and who asks them. */
export interface Measured {
  readonly service: ServerChild;
  readonly floor: ServerChild;
  readonly client: Child;
}

export type Servers = Measured & AsyncDisposable;

/** The first start strips types once, so it is not measured. */
export async function startOnce(settings: ServerSettings): Promise<void> {
  await using first = new ServerChild("./service.ts", ...asServed());
  await first.start(settings);
}

export async function startServers(
  { databaseUrl, profile }: { databaseUrl: string; profile?: string | undefined },
  role: ServerSettings["role"] = "all",
): Promise<Servers> {
  const settings = { databaseUrl, origin: ORIGIN, role };
  await startOnce(settings);
  const service = new ServerChild("./service.ts", ...asServed(profile));
  const floor = new ServerChild("./floor.ts");
  const client = new Child("./load.ts");
  const stop = async () => {
    await Promise.all([service.stop(), floor.stop(), client.stop()]);
  };
  try {
    await Promise.all([service.start(settings), floor.start(settings)]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { service, floor, client, [Symbol.asyncDispose]: stop };
}

/** Measures both in turns. */
export async function takeTurns(
  route: Route,
  measure: Measure,
  { rounds: count, seconds }: Pick<RoutesOptions, "rounds" | "seconds">,
): Promise<RouteResult> {
  const rounds: { service: Figures; floor: Figures }[] = [];
  for (let round = 0; round < count; round += 1)
    rounds.push({
      service: await measure("service", seconds),
      floor: await measure("floor", seconds),
    });
  return {
    name: route.name,
    title: route.title,
    service: medians(rounds.map((round) => round.service)),
    floor: medians(rounds.map((round) => round.floor)),
    ratio: median(rounds.map((round) => round.service.perSecond / round.floor.perSecond)),
    msLater: median(rounds.map((round) => round.service.p50 - round.floor.p50)),
  };
}

export type Measure = (
  which: "service" | "floor",
  seconds: number,
  connections?: number,
  perSecond?: number,
) => Promise<Figures>;

/** Compares the two servers, warms them up, and answers how to measure one of them for a while. */
export async function measuring(route: Route, { client, ...servers }: Measured): Promise<Measure> {
  const lengths = await compare(route, servers.service.port, servers.floor.port);
  let from = route.requests.length;
  const measure: Measure = async (which, seconds, connections = CONNECTIONS, perSecond) => {
    const job: Job = {
      port: servers[which].port,
      connections,
      seconds,
      requests: route.requests,
      lengths: lengths[which],
      perSecond,
      from,
    };
    const before = await servers[which].usage();
    const load = await client.ask<Load>(job);
    const after = await servers[which].usage();
    from += load.requests + connections;
    return figuresOf(load, after.cpuMicroseconds - before.cpuMicroseconds);
  };
  await measure("service", WARM_UP_SECONDS);
  await measure("floor", WARM_UP_SECONDS);
  return measure;
}

function figuresOf({ latencies, requests, seconds }: Load, cpuMicroseconds: number): Figures {
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return {
    perSecond: requests / seconds,
    p50: at(0.5),
    p99: at(0.99),
    cpuMicroseconds: cpuMicroseconds / requests,
  };
}

function medians(all: readonly Figures[]): Figures {
  const of = (name: keyof Figures) => median(all.map((one) => one[name]));
  return {
    perSecond: of("perSecond"),
    p50: of("p50"),
    p99: of("p99"),
    cpuMicroseconds: of("cpuMicroseconds"),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/**
 * Sends every request once to both servers. The documents must be equal except for the times of changes. The length of
 * each response is compared with every response under load.
 */
async function compare(route: Route, service: number, floor: number) {
  const lengths: { service: number[]; floor: number[] } = { service: [], floor: [] };
  for (const [at, request] of route.requests.entries()) {
    const [ours, theirs] = [
      await answerTo(numbered(request, at), service),
      await answerTo(numbered(request, at), floor),
    ];
    assert.deepEqual(comparable(ours), comparable(theirs));
    lengths.service.push(Buffer.byteLength(ours));
    lengths.floor.push(Buffer.byteLength(theirs));
  }
  return lengths;
}

function comparable(text: string): unknown {
  const document = JSON.parse(text, (name, value) => (name === "modified-at" ? "then" : value));
  document.included?.sort((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1));
  return document;
}

/** Sends a request as it goes over the wire, and answers the body. */
export function answerTo(request: string, port: number): Promise<string> {
  const [head = "", body = ""] = request.split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const [method, path] = line.split(" ");
  const headers = Object.fromEntries(fields.map((field) => field.split(": ") as [string, string]));
  return new Promise((resolve, reject) => {
    const sent = send({ port, method, path, headers, host: "127.0.0.1" }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () =>
        [200, 201].includes(response.statusCode ?? 0)
          ? resolve(text)
          : reject(new Error(`${line}: ${text}`)),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
