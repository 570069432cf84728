import assert from "node:assert/strict";
import { after, test } from "node:test";
import { limits } from "../../../src/base/limits.ts";
import { feedOf, told } from "../../support/changes.ts";
import { listen } from "../../support/event-stream.ts";
import { makeCell } from "../../support/cells.ts";
import { makeAssignment, makePerson } from "../../support/make.ts";
import { codes, document, one, startService } from "../../support/service.ts";
import { cookieFor, PAGE } from "../../support/session.ts";
import { makeLogin } from "../../support/sign-in.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const create = async (name: string) =>
  one(await service.post("/v1/people", document("people", { "full-name": name })));

test("200 · a row reaches a listener in less than a second", async () => {
  const stream = await listen(service);
  await stream.next("id");
  const delays: number[] = [];
  // A busy machine can delay one of them.
  for (const name of ["Abel", "Ada"]) {
    await create(name);
    const begun = performance.now();
    await stream.next("change");
    delays.push(performance.now() - begun);
  }
  const { id } = await create("Ana");
  const begun = performance.now();
  const event = await stream.next("change");
  delays.push(performance.now() - begun);
  assert.ok(Math.min(...delays) < 1_000, delays.join(", "));
  const { changes } = await feedOf(service).read(undefined, "page[size]=1000");
  assert.deepEqual(event.data, changes.at(-1));
  assert.deepEqual(
    [event.id, told([event.data as never])],
    [changes.at(-1)?.id, [`created people ${id}`]],
  );
  assert.match(stream.headers.get("content-type") ?? "", /^text\/event-stream/);
  assert.equal(stream.headers.get("content-encoding"), null);
  stream.close();
});

test("200 · Last-Event-ID continues after the last event, also within a page", async () => {
  const stream = await listen(service, { query: "filter[types]=people" });
  await stream.next("id");
  const people = [await create("Bia"), await create("Caio"), await create("Davi")];
  const first = await stream.next("change");
  stream.close();
  const again = await listen(service, {
    query: "filter[types]=people&page[after]=now",
    lastEventId: first.id,
  });
  const events = [await again.next("change"), await again.next("change")];
  again.close();
  assert.deepEqual(
    told([first, ...events].map(({ data }) => data as never)),
    people.map(({ id }) => `created people ${id}`),
  );
});

test("200 · an id without data moves Last-Event-ID over rows that the caller does not see", async () => {
  const paul = await makePerson(db, account.id);
  const stream = await listen(service, { as: paul.token });
  const opened = await stream.next("id");
  await create("Eva");
  const moved = await stream.next("id");
  stream.close();
  assert.ok(moved.id > opened.id);
  assert.equal(moved.id, await feedOf(service).now(paul));
});

test("200 · the cookie of a browser session opens a stream", async () => {
  const { email } = await makeLogin(db, account, "Hugo");
  const headers = { ...PAGE, Cookie: await cookieFor(service, email) };
  const stream = await listen(service, { headers });
  await stream.next("id");
  stream.close();
});

test("200 · a stream ends when its token is revoked, before it sends another row", async () => {
  const paul = await makePerson(db, account.id, { administrativeStatus: "full-administrator" });
  const stream = await listen(service, { as: paul.token });
  await stream.next("id");
  await service.post(
    "/v1/access-token-revocations",
    document(
      "access-token-revocations",
      {},
      {
        relationships: { person: { data: { type: "people", id: paul.id } } },
      },
    ),
  );
  await create("Fabio");
  assert.deepEqual(await stream.rest(), []);
});

test("200 · a stream ends with the event gone when the rights of its person change, before it sends another row", async () => {
  const paul = await makePerson(db, account.id);
  const stream = await listen(service, { as: paul.token });
  await stream.next("id");
  await makeAssignment(db, account.id, { personId: paul.id, role: "secretary" });
  await create("Gil");
  const { data } = await stream.next("gone");
  assert.equal((data as { code: string }).code, "reach-changed");
  assert.deepEqual(await stream.rest(), []);
});

test("200 · a stream ends with the event gone when a place that its person reaches moves", async () => {
  const [above, beside] = [await makeCell(db, account.id), await makeCell(db, account.id)];
  const paul = await makePerson(db, account.id);
  await makeAssignment(db, account.id, {
    personId: paul.id,
    role: "cell-supervisor",
    scopeType: "cell-tree",
    scopeIds: [above],
  });
  await db`update cells set cell_type = 'supervision', level = 1 where account_id = ${account.id} and id = ${above}`;
  const stream = await listen(service, { as: paul.token });
  await stream.next("id");
  const parent = { data: { type: "cells", id: above } };
  const moved = document("cells", {}, { id: beside, relationships: { parent } });
  assert.equal((await service.patch(`/v1/cells/${beside}`, moved)).status, 200);
  const { data } = await stream.next("gone");
  assert.equal((data as { code: string }).code, "reach-changed");
  assert.deepEqual(await stream.rest(), []);
});

test("200 · a stream ends when the service stops, which does not wait for it", async () => {
  const own = await startService({ rateLimits: true });
  const stream = await listen(own);
  await stream.next("id");
  await Promise.all([own.app.close(), stream.rest()]);
  await own.stop();
});

test("200 · listeners that wait for the same rows read them once", async (context) => {
  let reads = 0;
  const counting = new Proxy(db, {
    get: (target, name) =>
      name === "ofAccount"
        ? (id: string) =>
            new Proxy(db.ofAccount(id), {
              apply: (query, self, [text, ...values]: [TemplateStringsArray]) => {
                if (text.join("").includes("with found as")) reads += 1;
                return Reflect.apply(query, self, [text, ...values]) as unknown;
              },
            })
        : (Reflect.get(target, name) as unknown),
  });
  const own = await startService({ db: counting });
  context.after(() => own.stop());
  const administrators = await Promise.all(
    Array.from({ length: 4 }, () =>
      makePerson(db, own.account.id, { administrativeStatus: "full-administrator" }),
    ),
  );
  const streams = await Promise.all(
    administrators.map(({ token }) => listen(own, { as: token, query: "filter[types]=people" })),
  );
  for (const stream of streams) await stream.next("id");
  reads = 0;
  await own.post("/v1/people", document("people", { "full-name": "Abel" }));
  for (const stream of streams) await stream.next("change");
  // The first interval can wake the listeners once before there is a row.
  assert.ok(reads <= 2, String(reads));
  streams.forEach((one) => one.close());
});

test("400 · malformed positions", async () => {
  const path = "/v1/changes/stream";
  assert.equal((await service.get(`${path}?page[after]=yesterday`)).status, 400);
  const answer = await service.get(path, { headers: { "Last-Event-ID": "yesterday" } });
  assert.deepEqual([answer.status, codes(answer)], [400, ["invalid-header"]]);
});

test("405 · HEAD, which would hold a stream", async () => {
  assert.equal((await service.request("HEAD", "/v1/changes/stream")).status, 405);
});

test("429 · a person has at most five streams, and closing one makes room", async () => {
  const paul = await makePerson(db, account.id);
  const open = () => listen(service, { as: paul.token });
  const streams = await Promise.all(Array.from({ length: limits.streamsPerPerson }, open));
  const refused = await service.get("/v1/changes/stream", { as: paul.token });
  assert.deepEqual([refused.status, codes(refused)], [429, ["rate-limited"]]);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  streams[0]?.close();
  await roomFor(paul.token);
  streams.slice(1).forEach((one) => one.close());
});

/** The service notices the end of a connection a moment later. */
async function roomFor(token: string): Promise<void> {
  for (;;) {
    const controller = new AbortController();
    const answer = await fetch(`${service.url}/v1/changes/stream`, {
      headers: { Authorization: `Bearer ${token}`, Origin: "http://vestry.test" },
      signal: controller.signal,
    });
    controller.abort();
    if (answer.status === 200) return;
    assert.equal(answer.status, 429);
  }
}
