import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { createContext, runInContext } from "node:vm";

/** The worker with what a browser gives it: the caches of the device, the network and the open pages. */
const ORIGIN = "https://church.example";
const source = readFileSync(new URL("sw.js", import.meta.url), "utf8");

type Handler = (event: Record<string, unknown>) => void;
type Asked = { url: string; mode: string };

/** The files of each kept version, by the name of its cache. */
let device: Map<string, Map<string, string>>;
let isOnline: boolean;
let claims: number;

beforeEach(() => {
  device = new Map();
  isOnline = true;
  claims = 0;
});

const pathOf = (asked: string | Asked) =>
  new URL(typeof asked === "string" ? asked : asked.url, ORIGIN).pathname;

async function network(asked: Asked): Promise<{ status: number; body: string }> {
  if (!isOnline) throw new TypeError("Failed to fetch");
  return { status: 200, body: `network ${pathOf(asked)}` };
}

const caches = {
  keys: async () => [...device.keys()],
  delete: async (name: string) => device.delete(name),
  open: async (name: string) => ({
    addAll: async (paths: string[]) =>
      void device.set(name, new Map(paths.map((path) => [path, `${name} ${path}`]))),
  }),
  match: async (asked: string | Asked, { cacheName }: { cacheName?: string }) => {
    const files = cacheName === undefined ? [...device.values()] : [device.get(cacheName)];
    const body = files.find((one) => one?.has(pathOf(asked)))?.get(pathOf(asked));
    return body === undefined ? undefined : { status: 200, body };
  },
};

/** Installs a version, which takes over as the browser lets it. Returns how it answers. */
async function install(build: string) {
  const handlers = new Map<string, Handler>();
  const files = JSON.stringify(["/", `/assets/${build}.js`]);
  const scope = {
    addEventListener: (name: string, handler: Handler) => handlers.set(name, handler),
    caches,
    clients: { claim: async () => (claims += 1) },
    fetch: network,
    location: { origin: ORIGIN },
    skipWaiting: () => undefined,
    URL,
  };
  runInContext(source.replace("BUILD", build).replace('["FILES"]', files), createContext(scope));
  for (const name of ["install", "activate"]) {
    let done: unknown;
    handlers.get(name)?.({ waitUntil: (work: unknown) => (done = work) });
    await done;
  }
  return async (path: string, mode = "no-cors") => {
    let answer: unknown;
    const request = { url: ORIGIN + path, mode };
    handlers.get("fetch")?.({ request, respondWith: (given: unknown) => (answer = given) });
    return (await (answer as Promise<{ body: string }> | undefined))?.body;
  };
}

test("the page of the first visit starts parts of the app without a network", async () => {
  const answer = await install("one");
  assert.equal(claims, 1);
  isOnline = false;
  assert.equal(await answer("/assets/one.js"), "shell-one /assets/one.js");
  assert.equal(await answer("/people", "navigate"), "shell-one /");
});

test("after an update, a tab of the version before still finds its parts, and a start is the new version", async () => {
  await install("one");
  await install("two");
  const answer = await install("three");
  assert.deepEqual([...device.keys()], ["shell-two", "shell-three"]);
  isOnline = false;
  assert.equal(await answer("/assets/two.js"), "shell-two /assets/two.js");
  assert.equal(await answer("/people", "navigate"), "shell-three /");
});

test("the service answers what the shell does not have", async () => {
  const answer = await install("one");
  assert.equal(await answer("/v1/people"), undefined);
  assert.equal(await answer("/assets/zero.js"), "network /assets/zero.js");
  assert.equal(await answer("/people", "navigate"), "network /people");
});
