import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeAccount, makePerson } from "../../support/make.ts";
import {
  codes,
  document,
  etag,
  eventsOf,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const patch = (
  attributes: Record<string, unknown>,
  options: Parameters<typeof service.patch>[2] = {},
  id = account.id,
) => service.patch(`/v1/accounts/${id}`, document("accounts", attributes, { id }), options);
const fields = (people: Record<string, unknown>) => patch({ "custom-properties": { people } });
const attributesOf = async () => one(await service.get("/v1/accounts/me")).attributes;
const settings = async () => (await attributesOf())["settings"];
const definitions = async () =>
  ((await attributesOf())["custom-properties"] as Record<string, Record<string, unknown>>)[
    "people"
  ];

test("200 · the response has the new attributes, and account.updated is captured once", async () => {
  const sent = {
    "church-name": "Igreja da Graça",
    "settings": { lang: "pt-BR" },
    "acronym": "IG",
    "email": "office@example.org",
    "phone": "+55 11 1234",
    "website": "https://example.org/",
    "address": { city: "São Paulo", latitude: -23.5 },
  };
  const events = await eventsOf(async () => {
    const answer = await patch(sent);
    assert.equal(answer.status, 200, answer.text);
    assert.partialDeepStrictEqual(one(answer).attributes, sent);
  });
  assert.deepEqual(events, ["account.updated"]);
  const tag = etag(await service.get("/v1/accounts/me"));
  assert.deepEqual(await eventsOf(() => patch(sent)), []);
  assert.equal(etag(await service.get("/v1/accounts/me")), tag);
});

test("200 · the id me names the account in the path and the document", async () => {
  for (const at of ["me", account.id])
    for (const id of ["me", account.id]) {
      const sent = document("accounts", { acronym: "ME" }, { id });
      const answer = await service.patch(`/v1/accounts/${at}`, sent);
      assert.deepEqual([answer.status, one(answer).id], [200, account.id]);
    }
});

test("200 · settings merge one level deep, and null removes a setting", async () => {
  const all = {
    "lang": "de",
    "time-zone": "Europe/Berlin",
    "country": "DE",
    "currency": "EUR",
    "date-format": "dd.MM.yyyy",
    "time-format": "24h",
    "first-weekday": 1,
    "cell-label": "Hauskreis",
    "cells-label": "Hauskreise",
    "cell-levels": [{ level: 1, label: "Bezirk" }],
    "report-due-hours": 24,
    "member-statuses": { member: "Mitglied", visitor: "Gast" },
    "child-age-limit": 14,
    "public-origins": ["https://example.org"],
  };
  await patch({ settings: all });
  assert.deepEqual(await settings(), all);
  await patch({ settings: { "lang": "en", "currency": null, "member-statuses": { member: "M" } } });
  const { currency: _, ...rest } = all;
  assert.deepEqual(await settings(), { ...rest, "lang": "en", "member-statuses": { member: "M" } });
  await patch({ settings: {} });
  assert.equal(((await settings()) as { lang: string }).lang, "en");
  await patch({ settings: Object.fromEntries(Object.keys(all).map((name) => [name, null])) });
  assert.deepEqual(await settings(), {});
});

test("200 · concurrent changes to different settings all survive", async () => {
  const changes = {
    "lang": "fr",
    "country": "FR",
    "currency": "CHF",
    "first-weekday": 0,
    "cell-label": "Cellule",
    "report-due-hours": 5,
    "date-format": "x",
  };
  const answers = await Promise.all(
    Object.entries(changes).map(([name, value]) => patch({ settings: { [name]: value } })),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  assert.partialDeepStrictEqual(await settings(), changes);
});

test("200 · concurrent changes with different idempotency keys do not deadlock", async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    const answers = await Promise.all(
      ["a", "b", "c", "d"].map((acronym) =>
        patch({ acronym: acronym + turn }, { headers: { "Idempotency-Key": newId() } }),
      ),
    );
    assert.ok(answers.every(({ status }) => status === 200));
  }
});

test("200 · custom-properties merge by field, and null archives a field", async () => {
  await fields({ tribe: { type: "string", label: "Tribe" }, size: { type: "integer" } });
  await fields({ size: { type: "integer", min: 1 } });
  assert.deepEqual(await definitions(), {
    tribe: { type: "string", label: "Tribe" },
    size: { type: "integer", min: 1 },
  });
  await fields({ tribe: null, never: null, constructor: null });
  assert.deepEqual(await definitions(), {
    tribe: { type: "string", label: "Tribe", archived: true },
    size: { type: "integer", min: 1 },
  });
  await patch({ "custom-properties": { courses: { room: { type: "string" } } } });
  assert.deepEqual(Object.keys((await definitions()) ?? {}).sort(), ["size", "tribe"]);
});

test("409 · a field keeps its type while values exist, even if it is archived", async () => {
  await fields({ shirt: { type: "string" }, unused: { type: "string" } });
  const person = one(
    await service.post(
      "/v1/people",
      document("people", { "full-name": "x", "custom-properties": { shirt: "M" } }),
    ),
  );
  const before = await definitions();
  const answer = await fields({ shirt: { type: "integer" }, unused: { type: "integer" } });
  assert.deepEqual([answer.status, ...codes(answer)], [409, "custom-property-in-use"]);
  assert.deepEqual(pointers(answer), ["/data/attributes/custom-properties/people/shirt"]);
  assert.deepEqual(await definitions(), before);
  await fields({ shirt: null });
  assert.equal((await fields({ shirt: { type: "integer" } })).status, 409);
  assert.equal((await fields({ unused: { type: "integer" } })).status, 200);
  await fields({ shirt: { type: "string" } });
  await service.patch(
    `/v1/people/${person.id}`,
    document("people", { "custom-properties": { shirt: null } }, { id: person.id }),
  );
  assert.equal((await fields({ shirt: { type: "integer" } })).status, 200);
});

test("422 · an invalid field definition is rejected, each mistake with its pointer", async () => {
  const before = await definitions();
  const option = { value: "a" };
  const bad: Record<string, [unknown, string]> = {
    "no-type": [{}, "/type"],
    "unknown-type": [{ type: "colour" }, "/type"],
    "unknown-member": [{ type: "string", colour: 1 }, "/colour"],
    "no-options": [{ type: "select" }, "/options"],
    "empty-options": [{ type: "multi-select", options: [] }, "/options"],
    "foreign-options": [{ type: "string", options: [option] }, "/options"],
    "twice": [{ type: "select", options: [option, option] }, "/options"],
    "comma": [{ type: "select", options: [{ value: "a,b" }] }, "/options/0/value"],
    "range": [{ type: "integer", min: 5, max: 1 }, "/max"],
    "default": [{ type: "integer", default: "x" }, "/default"],
    "default-person": [{ type: "person", default: account.administrator.id }, "/default"],
    "default-option": [{ type: "select", options: [option], default: "b" }, "/default"],
    "label": [{ type: "string", label: "x".repeat(121) }, "/label"],
    "help": [{ type: "string", help: "x".repeat(501) }, "/help"],
    "options": [{ type: "select", options: optionsOf(201) }, "/options"],
    "access": [{ "type": "string", "read-access": "everyone" }, "/read-access"],
  };
  for (const [name, [definition, place]] of Object.entries(bad)) {
    const answer = await fields({ good: { type: "string" }, [name]: definition });
    assert.equal(answer.status, 422, name);
    const at = `/data/attributes/custom-properties/people/${name}${place}`;
    assert.ok(pointers(answer).includes(at), `${name}: ${answer.text}`);
  }
  const wrong = {
    "Upper": { type: "select" },
    ...Object.fromEntries(Object.entries(bad).map(([name, [definition]]) => [name, definition])),
  };
  const together = new Set(pointers(await fields(wrong)));
  const places = Object.entries(bad).map(([name, [, place]]) => name + place);
  for (const place of ["Upper", "Upper/options", ...places])
    assert.ok(together.has(`/data/attributes/custom-properties/people/${place}`), place);
  for (const name of ["Upper", "9lives", "with space", "__proto__", "x".repeat(64), ""])
    assert.equal((await patchText(`{"people":{"${name}":{"type":"string"}}}`)).status, 422, name);
  for (const resource of ["accounts", "roles", "__proto__", "constructor"])
    assert.equal(
      (await patchText(`{"${resource}":{"x":{"type":"string"}}}`)).status,
      422,
      resource,
    );
  const many = Object.fromEntries(
    Array.from({ length: 101 }, (_, n) => [`f${n}`, { type: "string" }]),
  );
  assert.equal((await fields(many)).status, 422);
  assert.deepEqual(await definitions(), before);
});

const optionsOf = (length: number) => Array.from({ length }, (_, n) => ({ value: `v${n}` }));

const patchText = (custom: string) =>
  service.patch(
    `/v1/accounts/${account.id}`,
    `{"data":{"type":"accounts","id":"${account.id}","attributes":{"custom-properties":${custom}}}}`,
  );

test("422 · the limits of a field definition may be reached and not passed", async () => {
  const choices = (count: number) => Array.from({ length: count }, (_, n) => ({ value: `${n}` }));
  const cases: [place: string, within: unknown[], beyond: unknown[]][] = [
    ["custom-properties/people/bounds/label", ["ñ".repeat(120)], ["ñ".repeat(121)]],
    ["custom-properties/people/bounds/help", ["ñ".repeat(500)], ["ñ".repeat(501)]],
    ["custom-properties/people/chosen/options", [choices(1), choices(200)], [choices(201)]],
  ];
  const attributesWith = (place: string, value: unknown): Record<string, unknown> => {
    const [first = "", ...rest] = place.split("/");
    if (rest.length === 0) return { [first]: value };
    const inner = attributesWith(rest.join("/"), value);
    const type = { bounds: "string", chosen: "select" }[first];
    return { [first]: { ...(type && { type }), ...inner } };
  };
  for (const [place, within, beyond] of cases) {
    for (const value of within) {
      const answer = await patch(attributesWith(place, value));
      assert.equal(answer.status, 200, `${place} ${answer.text}`);
    }
    for (const value of beyond) {
      const answer = await patch(attributesWith(place, value));
      assert.equal(answer.status, 422, place);
      assert.ok(pointers(answer)[0]?.startsWith(`/data/attributes/${place}`), answer.text);
    }
  }
});

test("422 · a type has at most 100 custom fields, existing ones included", async () => {
  const own = await makeAccount(db);
  const as = own.administrator.token;
  const named = (from: number, count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`f${from + n}`, { type: "string" }]),
    );
  const define = (resource: string, definitions: Record<string, unknown>) =>
    patch({ "custom-properties": { [resource]: definitions } }, { as }, own.id);
  assert.equal((await define("people", named(0, 60))).status, 200);
  const over = await define("people", named(60, 41));
  assert.deepEqual(
    [over.status, ...pointers(over)],
    [422, "/data/attributes/custom-properties/people"],
  );
  assert.equal((await define("people", named(60, 40))).status, 200);
  assert.equal((await define("people", named(0, 100))).status, 200);
  assert.equal((await define("people", named(100, 1))).status, 422);
  assert.equal((await define("courses", named(0, 100))).status, 200);
  const longest = `a${"-9z".repeat(20)}bc`;
  assert.equal(longest.length, 63);
  assert.equal((await define("cells", { [longest]: { type: "string" } })).status, 200);
});

test("403 · administrators change settings but not custom-properties, and members change neither", async () => {
  const administrator = await makePerson(db, account.id, { administrativeStatus: "administrator" });
  const as = administrator.token;
  assert.equal((await patch({ settings: { lang: "it" } }, { as })).status, 200);
  const answer = await patch({ "settings": { lang: "es" }, "custom-properties": {} }, { as });
  assert.deepEqual(
    [answer.status, ...pointers(answer)],
    [403, "/data/attributes/custom-properties"],
  );
  assert.equal(((await settings()) as { lang: string }).lang, "it");
  const member = await makePerson(db, account.id);
  assert.equal((await patch({ settings: { lang: "es" } }, { as: member.token })).status, 403);
});
