import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../src/base/ids.ts";
import { makePerson } from "../support/make.ts";
import { type Answer, codes, document, one, startService } from "../support/service.ts";
import { catalogue, unreachable } from "./definitions.ts";

const service = await startService({}, catalogue);
after(() => service.stop());
const { account, db } = service;

let made = 0;

function newUrl(): string {
  made += 1;
  return `https://host-${made}.example/`;
}

const create = (attributes: Record<string, unknown>, headers = {}) =>
  service.post("/v1/signposts", document("signposts", attributes), { headers });
const makeSignpost = async () => one(await create({ url: newUrl() })).id;

/** Points it elsewhere, which replaces its secret. */
const point = (id: string, url: string, headers: Record<string, string | null>, as?: string) =>
  service.patch(`/v1/signposts/${id}`, document("signposts", { url }, { id }), {
    headers: { "If-Match": '"signpost-1"', ...headers },
    ...(as !== undefined && { as }),
  });

const refused = (answer: Answer) => [answer.status, ...codes(answer)];
const isReplay = (answer: Answer) => answer.headers.get("idempotent-replay") === "true";

function secretOf(answer: Answer): string {
  const secret = one(answer).meta?.["secret"];
  assert.ok(typeof secret === "string" && secret.startsWith("secret "), answer.text);
  return secret;
}

const kept = (key: string) => db<{ body: string; reveals: unknown }[]>`
  select body, reveals from idempotency_keys where account_id = ${account.id} and key like ${`% ${key}`}`;

const generationOf = async (id: string) =>
  one(await service.get(`/v1/signposts/${id}`)).attributes["secret-generation"];

/** Every text the database holds, but where the secrets are. */
async function everythingKept(): Promise<string> {
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'webhook_secrets'`;
  const texts = await Promise.all(
    tables.map(
      ({ name }) => db<{ all: string | null }[]>`
      select string_agg(t::text, ' ') as all from ${db(name)} t`,
    ),
  );
  return texts.map(([row]) => row?.all ?? "").join(" ");
}

test("201 · the response contains the secret once and forbids caching", async () => {
  const answer = await create({ url: newUrl() });
  assert.equal(answer.status, 201);
  const secret = secretOf(answer);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const read = await service.get(`/v1/signposts/${one(answer).id}`);
  assert.equal(one(read).meta, undefined);
  assert.ok(!read.text.includes(secret));
  assert.ok(!(await everythingKept()).includes(secret));
});

test("201 · a type that ignores keys stores nothing and replays nothing", async () => {
  const key = newId();
  const headers = { "Idempotency-Key": key };
  const url = newUrl();
  assert.equal((await create({ url }, headers)).status, 201);
  const again = await create({ url }, headers);
  assert.deepEqual(refused(again), [409, "already-exists"]);
  assert.equal(again.document.data, undefined);
  for (const unread of ["", "x".repeat(200)])
    assert.equal((await create({ url: newUrl() }, { "Idempotency-Key": unread })).status, 201);
  assert.deepEqual([...(await kept(key))], []);
});

test("200 · a repeated request gets the same secret and needs no current If-Match", async () => {
  const id = await makeSignpost();
  const key = newId();
  const url = newUrl();
  const first = await point(id, url, { "Idempotency-Key": key });
  assert.equal(first.status, 200, first.text);
  for (const version of ["1", "2", "7"]) {
    const headers = { "Idempotency-Key": key, "If-Match": `"signpost-${version}"` };
    const again = await point(id, url, headers);
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.ok(isReplay(again));
    assert.equal(again.headers.get("cache-control"), "no-store");
  }
  assert.equal(await generationOf(id), 2);
});

test("200 · the stored response has a reference instead of the secret", async () => {
  const id = await makeSignpost();
  const key = newId();
  const secret = secretOf(await point(id, newUrl(), { "Idempotency-Key": key }));
  const [row] = await kept(key);
  assert.deepEqual(row?.reveals, { id, generation: 2 });
  assert.equal((JSON.parse(row.body) as { data: { meta?: unknown } }).data.meta, undefined);
  assert.ok(!(await everythingKept()).includes(secret));
});

test("200 · twenty concurrent equal requests replace the secret once and all get the new one", async () => {
  const id = await makeSignpost();
  const headers = { "Idempotency-Key": newId() };
  const url = newUrl();
  const answers = await Promise.all(Array.from({ length: 20 }, () => point(id, url, headers)));
  assert.equal(new Set(answers.map(secretOf)).size, 1);
  assert.equal(answers.filter(isReplay).length, 19);
  assert.equal(await generationOf(id), 2);
});

test("409 · a repeated request gets no secret after the secret was replaced", async () => {
  const id = await makeSignpost();
  const headers = { "Idempotency-Key": newId() };
  const url = newUrl();
  const secret = secretOf(await point(id, url, headers));
  const later = { "Idempotency-Key": newId(), "If-Match": '"signpost-2"' };
  const next = secretOf(await point(id, newUrl(), later));
  const again = await point(id, url, headers);
  assert.deepEqual(refused(again), [409, "secret-superseded"]);
  for (const each of [secret, next]) assert.ok(!again.text.includes(each));
  assert.equal(await generationOf(id), 3);
});

test("409 · a different request with the same key gets no secret", async () => {
  const id = await makeSignpost();
  const headers = { "Idempotency-Key": newId() };
  const url = newUrl();
  const secret = secretOf(await point(id, url, headers));
  const answer = await point(id, newUrl(), headers);
  assert.deepEqual(refused(answer), [409, "idempotency-key-reused"]);
  assert.ok(!answer.text.includes(secret));
  // The key of another person is another key, and the version of the request is stale.
  const colleague = await makePerson(db, account.id, {
    administrativeStatus: "full-administrator",
  });
  const theirs = await point(id, url, headers, colleague.token);
  assert.deepEqual(refused(theirs), [409, "stale-version"]);
  assert.ok(!theirs.text.includes(secret));
});

test("403 · a caller who lost the permission gets no secret on a replay", async () => {
  const id = await makeSignpost();
  const headers = { "Idempotency-Key": newId() };
  const url = newUrl();
  const person = await makePerson(db, account.id, { administrativeStatus: "full-administrator" });
  assert.equal((await point(id, url, headers, person.token)).status, 200);
  await db`
    update people set administrative_status = 'administrator'
    where account_id = ${account.id} and id = ${person.id}`;
  assert.deepEqual(refused(await point(id, url, headers, person.token)), [403, "forbidden"]);
});

test("409 · after a day the key is new, so a stale version is rejected", async () => {
  const id = await makeSignpost();
  const key = newId();
  const url = newUrl();
  assert.equal((await point(id, url, { "Idempotency-Key": key })).status, 200);
  await db`update idempotency_keys set created_at = now() - interval '25 hours' where key like ${`% ${key}`}`;
  const again = await point(id, url, { "Idempotency-Key": key });
  assert.deepEqual(refused(again), [409, "stale-version"]);
});

test("400 · an operation may require a key for some of its requests", async () => {
  const id = await makeSignpost();
  const answer = await point(id, newUrl(), {});
  assert.deepEqual(refused(answer), [400, "idempotency-key-required"]);
  assert.deepEqual(answer.document.errors?.[0]?.source, { header: "Idempotency-Key" });
  const renamed = await service.patch(
    `/v1/signposts/${id}`,
    document("signposts", { name: "Named" }, { id }),
    { headers: { "If-Match": '"signpost-1"' } },
  );
  assert.equal(renamed.status, 200);
  assert.equal(one(renamed).meta, undefined);
});

test("422 · a request rejected before the transaction stores neither a row nor its key", async () => {
  unreachable.add("nowhere.example");
  const url = "https://nowhere.example/";
  assert.deepEqual(refused(await create({ url })), [422, "invalid-attribute"]);
  const id = await makeSignpost();
  const key = newId();
  const headers = { "Idempotency-Key": key };
  assert.deepEqual(refused(await point(id, url, headers)), [422, "invalid-attribute"]);
  assert.deepEqual([...(await kept(key))], []);
  const corrected = await point(id, newUrl(), headers);
  assert.equal(corrected.status, 200);
  assert.ok(!isReplay(corrected));
});

test("404 · an absent resource hides the result of earlier checks", async () => {
  unreachable.add("nowhere.example");
  const answer = await point(newId(), "https://nowhere.example/", { "Idempotency-Key": newId() });
  assert.deepEqual(refused(answer), [404, "not-found"]);
});

test("200 · a replay ignores later changes", async () => {
  const id = await makeSignpost();
  const headers = { "Idempotency-Key": newId(), "If-Match": '"signpost-1"' };
  // The generation is what it was, and with the effect no longer is.
  const url = "https://fading.example/";
  const body = document("signposts", { url, "secret-generation": 1 }, { id });
  const path = `/v1/signposts/${id}`;
  const first = await service.patch(path, body, { headers });
  assert.equal(first.status, 200, first.text);
  unreachable.add("fading.example");
  const again = await service.patch(path, body, { headers });
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assert.ok(isReplay(again));
  const other = { ...headers, "Idempotency-Key": newId() };
  assert.equal((await service.patch(path, body, { headers: other })).status, 422);
});

test("428 · a repeated request needs an If-Match too", async () => {
  const id = await makeSignpost();
  const url = newUrl();
  const key = newId();
  assert.equal((await point(id, url, { "Idempotency-Key": key })).status, 200);
  const again = await point(id, url, { "Idempotency-Key": key, "If-Match": null });
  assert.deepEqual(refused(again), [428, "precondition-required"]);
});

test("409 · nothing is created if its secret cannot be returned", async () => {
  const url = newUrl();
  const answer = await create({ url, name: "Forgetful" });
  assert.deepEqual(refused(answer), [409, "secret-superseded"]);
  assert.equal((await create({ url })).status, 201, "the URL is still free");
});
