import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY } from "../../src/base/clock.ts";
import { newId } from "../../src/base/ids.ts";
import { isDate } from "../../src/base/timestamps.ts";
import type { Attribute } from "../../src/jsonapi/definition/attributes.ts";
import type { Command } from "../../src/jsonapi/definition/command.ts";
import type { Resource } from "../../src/jsonapi/definition/resource.ts";
import type { WholeCatalogue } from "../../src/jsonapi/definition/whole-catalogue.ts";
import { isLinkable, isWritable } from "../../src/jsonapi/definition/relationships.ts";
import type { Filter } from "../../src/jsonapi/definition/filters.ts";
import { hasBriefLink } from "../../src/jsonapi/definition/members.ts";
import { computedListOf } from "../../src/jsonapi/definition/operations.ts";
import { filtersOf } from "../../src/jsonapi/request/list-filters.ts";
import {
  type Answer,
  codes,
  etag,
  ids,
  many,
  one,
  parameters,
  type RequestOptions,
  type TestService,
} from "../support/service.ts";
import { isChanged } from "../support/changed-types.ts";
import { sample } from "../support/sample.ts";
import { conformFilters, conformOwnFilters, conformSorts } from "./comparisons.ts";
import { conformCursorPages, conformCursors } from "./cursors.ts";
import { edgesOf, rejectedBy } from "./edges.ts";
import { exampleOf } from "./furnish.ts";
import { assertRecorded } from "./journal.ts";
import { unchanged } from "./unchanged.ts";

/**
 * The promises that hold for every type, derived from its definition. A type's own folder under `interface/` holds only
 * the rules of that type. CONTRIBUTING.md says how a new type comes under these tests.
 */
export interface Stage {
  readonly service: TestService;
  readonly catalogue: WholeCatalogue;
  /** One row of every type in the account of the service's administrator. */
  readonly rows: ReadonlyMap<string, string>;
}

const MEDIA_TYPE = "application/vnd.api+json";

const SOME_TYPES = 11;

export function conform(stage: Stage, types: Iterable<Resource>): void {
  // The tests of lists read one page, so they come before the tests that write. Writes also make events.
  const listed = [...types].filter(
    (resource) => resource.operations.list && !computedListOf(resource),
  );
  const lists = sample(listed, {
    what: "types with the promises of lists",
    count: Math.ceil(listed.length / 2),
    nameOf: ({ type }) => type,
    always: ({ type }) => isChanged(type),
  });
  for (const resource of lists) conformList(stage, resource);
  for (const resource of lists) conformFilters(stage, resource);
  for (const resource of lists) conformOwnFilters(stage, resource);
  for (const resource of lists) conformCursors(stage, resource);
  for (const resource of types) conformType(stage, resource);
  const some = sample([...types], {
    what: "types with the promises of every route",
    count: SOME_TYPES,
    nameOf: ({ type }) => type,
    always: ({ type }) => isChanged(type),
  });
  for (const resource of some) conformRoutes(stage, resource);
  for (const resource of types) conformEdges(stage, resource);
  for (const resource of lists) conformSorts(stage, resource);
  for (const resource of lists) conformCursorPages(stage, resource);
}

function conformType(stage: Stage, resource: Resource): void {
  const { operations, type } = resource;
  if (operations.read) conformRead(stage, resource);
  if (operations.create) conformCreate(stage, resource);
  if (operations.update) conformUpdate(stage, resource);
  if (operations.delete) conformDelete(stage, resource);

  test(`401 · ${type}: a request without a token reaches nothing`, async () => {
    for (const [method, path, body] of requestsTo(stage, resource)) {
      const answer = await stage.service.request(method, path, { as: null, body });
      assert.equal(answer.status, 401, `${method} ${path}`);
    }
  });
}

/** The code of these promises is the same for every type, so `npm test` keeps them for some of the types. */
function conformRoutes(stage: Stage, resource: Resource): void {
  const { rows, service } = stage;
  const { operations, type } = resource;

  test(`405 · ${type}: a method that is not offered names the methods that are`, async () => {
    const offered: [path: string, methods: string[]][] = [
      [
        `/v1/${type}`,
        [...(operations.list ? ["GET"] : []), ...(operations.create ? ["POST"] : [])],
      ],
      [
        `/v1/${type}/${rows.get(type)}`,
        [
          ...(operations.read ? ["GET"] : []),
          ...(operations.update ? ["PATCH"] : []),
          ...(operations.delete ? ["DELETE"] : []),
        ],
      ],
    ];
    for (const [path, methods] of offered)
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        if (methods.includes(method)) continue;
        const answer = await service.request(method, path);
        if (methods.length === 0) {
          assert.ok([404, 405].includes(answer.status), `${method} ${path} ${answer.status}`);
          continue;
        }
        assert.deepEqual([answer.status, codes(answer)], [405, ["method-not-allowed"]]);
        const allowed = (answer.headers.get("allow") ?? "").split(", ");
        assert.deepEqual(
          allowed.filter((each) => !["HEAD", "OPTIONS"].includes(each)),
          methods,
        );
      }
  });

  test(`406 · 415 · ${type}: media types are negotiated at every route`, async () => {
    for (const [method, path, body] of requestsTo(stage, resource)) {
      const refused = await send(stage, method, path, {
        body,
        headers: { Accept: `${MEDIA_TYPE}; version=2` },
      });
      assert.equal(refused.status, 406, `${method} ${path}`);
      if (body === undefined) continue;
      const unread = await send(stage, method, path, {
        body,
        headers: { "Content-Type": "application/json" },
      });
      assert.equal(unread.status, 415, `${method} ${path}`);
    }
  });

  if (!operations.read) return;
  test(`404 · ${type}: an absent id and a malformed id are the same`, async () => {
    const id = rows.get(type) ?? "";
    const malformed = ["1", "nonsense", "%00", `${id}%00`, id.toUpperCase(), "'", "ME"];
    for (const id of [newId(), ...malformed, "x".repeat(150)]) {
      const answer = await service.get(`/v1/${type}/${id}`);
      assert.deepEqual([answer.status, codes(answer)], [404, ["not-found"]], id);
    }
  });

  const path = `/v1/${type}/${rows.get(type)}/relationships`;
  test(`404 · 405 · ${resource.type}: linkage that cannot be written is only read`, async () => {
    assert.equal((await service.get(`${path}/nonsense`)).status, 404);
    for (const [name, relationship] of Object.entries(resource.relationships)) {
      if (resource.operations.update && isLinkable(relationship)) continue;
      const body = { data: relationship.kind === "to-one" ? null : [] };
      for (const method of ["POST", "PATCH", "DELETE"]) {
        const answer = await service.request(method, `${path}/${name}`, { body });
        assert.deepEqual([answer.status, codes(answer)], [405, ["method-not-allowed"]], name);
        assert.equal(answer.headers.get("allow"), "GET, HEAD, OPTIONS");
      }
    }
  });
}

// -- Lists ---------------------------------------------------------------------------------------------------------

function conformList({ rows, service }: Stage, resource: Resource): void {
  const { type } = resource;
  const path = `/v1/${type}`;
  const id = rows.get(type) ?? "";
  const unknown = (query: string, parameter: string) =>
    refusedAt(service.get(`${path}?${query}`), 400, { parameter });

  test(`200 · ${type}: a list has its rows, its total and its links`, async () => {
    // Webhook types have smaller pages by default, and the tests of other types capture events.
    const answer = await service.get(`${path}?page[size]=100`);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get("content-type"), MEDIA_TYPE);
    assert.ok(ids(answer).includes(id));
    assert.ok(many(answer).every((each) => each.type === type));
    assert.equal(answer.document.meta?.["total"], many(answer).length);
    const shown = Object.entries(resource.attributes).flatMap(([name, each]) =>
      each.detailOnly || each.onRequest || each.writeOnly ? [] : [name],
    );
    for (const { attributes } of many(answer))
      assert.deepEqual(Object.keys(attributes).sort(), shown.sort());
    const self = new URL(answer.document.links?.["self"] ?? "", service.url);
    assert.deepEqual(ids(await service.get(self.pathname + self.search)), ids(answer));
  });

  test(`200 · ${type}: pages of one walk the whole list, each resource once`, async () => {
    const all = ids(await service.get(`${path}?sort=id&page[size]=100`));
    for (const start of ["page[size]=1", "page[after]=&page[size]=1"]) {
      const walked: string[] = [];
      for (let next: string | null = `${path}?sort=id&${start}`; next !== null; ) {
        const page: Answer = await service.get(next);
        walked.push(...ids(page));
        assert.equal(page.document.meta?.["total"], all.length);
        const link = page.document.links?.["next"] ?? null;
        const url = link === null ? null : new URL(link, service.url);
        next = url && url.pathname + url.search;
        assert.ok(walked.length <= all.length, "the walk ends");
      }
      assert.deepEqual(walked, all);
    }
  });

  test(`200 · ${type}: the filters take their values together, and filter[id] finds the row`, async () => {
    const query = Object.entries(filtersOf(resource)).map(
      ([name, filter]) => `filter[${name}]=${encodeURIComponent(valueOf(filter, id))}`,
    );
    const answer = await service.get(`${path}?${query.join("&")}`);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(ids(await service.get(`${path}?filter[id]=${id}`)), [id]);
    assert.deepEqual(ids(await service.get(`${path}?filter[id]=${newId()}`)), []);
    await unknown("filter[nonsense]=1", "filter[nonsense]");
  });

  test(`400 · ${type}: each filter rejects values of another kind or range`, async () => {
    const wrong = Object.entries(filtersOf(resource)).map(
      ([name, filter]) => [`filter[${name}]`, rejectedBy(filter)] as const,
    );
    const assertRefused = async (sent: readonly (readonly [name: string, value: string])[]) => {
      const query = sent.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
      const answer = await service.get(`${path}?${query}`);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(new Set(parameters(answer)), new Set(sent.map(([name]) => name)), query);
    };
    // All mistakes in a query are reported together. A URL has room for one long list of ids.
    for (let place = 0; wrong.some(([, values]) => place < values.length); place += 1) {
      const sent = wrong.flatMap(([name, values]) =>
        values.slice(place, place + 1).map((value) => [name, value] as const),
      );
      const [long, short] = [
        sent.filter(([, value]) => value.length > 200),
        sent.filter(([, value]) => value.length <= 200),
      ];
      if (short.length > 0) await assertRefused(short);
      for (const one of long) await assertRefused([one]);
    }
  });

  test(`400 · ${type}: parameters that do not exist are named`, async () => {
    await unknown("nonsense=1", "nonsense");
    await unknown("include=nonsense", "include");
    await unknown(`fields[${type}]=nonsense`, `fields[${type}]`);
    await unknown("page[offset]=1", "page[offset]");
    await unknown("page[size]=0", "page[size]");
    await unknown("sort=nonsense", "sort");
  });
}

/** A value that the filter takes. */
function valueOf(filter: Filter, id: string): string {
  switch (filter.match) {
    case "one-of":
      return String(filter.values[0]);
    case "boolean":
    case "exists":
    case "adds":
      return "true";
    case "number":
    case "at-least":
    case "at-most":
      return String(filter.minimum);
    case "since":
    case "until":
    case "from":
    case "to":
      return "2026-03-01";
    case "day-from":
    case "day-to":
      return "03-01";
    case "id":
    case "related":
    case "within":
      return id;
    case "near":
      return "-22.9,-47.06,5";
    case "digits":
      return "12345";
    default:
      return "Text";
  }
}

// -- Reading one ---------------------------------------------------------------------------------------------------

function conformRead({ rows, service }: Stage, resource: Resource): void {
  const { attributes, relationships, type } = resource;
  const path = `/v1/${type}/${rows.get(type)}`;

  test(`200 · ${type}: a resource has the members of its definition`, async () => {
    const answer = await service.get(path);
    assert.equal(answer.status, 200, answer.text);
    const { attributes: read, id, relationships: linked, type: readType } = one(answer);
    assert.deepEqual([readType, id], [type, rows.get(type)]);
    const shown = Object.entries(attributes).flatMap(([name, { onRequest, writeOnly }]) =>
      onRequest || writeOnly ? [] : [name],
    );
    assert.deepEqual(Object.keys(read ?? {}).sort(), shown.sort());
    const names = [...Object.keys(relationships), ...Object.keys(resource.references ?? {})];
    assert.deepEqual(Object.keys(linked ?? {}).sort(), names.sort());
  });

  test(`200 · ${type}: every link leads to what it names`, async () => {
    const { links, relationships: linked } = one(await service.get(path));
    const follow = async (link: string | undefined) => {
      const { pathname, search } = new URL(link ?? "", service.url);
      const answer = await service.get(pathname + search);
      assert.equal(answer.status, 200, `${link} ${answer.text}`);
    };
    await follow(links["self"]);
    for (const name of Object.keys(relationships))
      for (const link of Object.values(linked[name]?.links ?? {})) await follow(link);
  });

  test(`200 · ${type}: each relationship can be included, and fields chooses members`, async () => {
    const answer = await service.get(`${path}?include=${Object.keys(relationships).join()}`);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(Array.isArray(answer.document.included));
    const [name = ""] = Object.keys(attributes);
    const { attributes: read } = one(await service.get(`${path}?fields[${type}]=${name}`));
    assert.deepEqual(Object.keys(read), [name]);
    await refusedAt(service.get(`${path}?include=nonsense`), 400, { parameter: "include" });
  });

  test(`304 · ${type}: an unchanged resource is not sent again; HEAD has the headers alone`, async () => {
    const answer = await service.get(path);
    const again = await service.get(path, { headers: { "If-None-Match": etag(answer) } });
    const head = await service.request("HEAD", path);
    assert.deepEqual([head.status, head.text], [200, ""]);
    // A link that works for minutes changes every second.
    if (hasBriefLink(resource)) return assert.equal(again.status, 200);
    assert.equal(etag(head), etag(answer));
    // A resource whose changes must name a version is never cached.
    if (resource.versionTag === undefined) assert.deepEqual([again.status, again.text], [304, ""]);
  });
}

// -- Writing -------------------------------------------------------------------------------------------------------

function conformCreate(stage: Stage, resource: Resource): void {
  const { service } = stage;
  const { operations, type } = resource;
  const path = `/v1/${type}`;
  const { create } = operations;
  const key = create && "run" in create ? create.key : undefined;

  if (!isAction(resource))
    test(`201 · ${type}: the example is created and can be read at its Location`, async () => {
      const answer = await send(stage, "POST", path, {
        body: await freshDocument(stage, resource),
      });
      assert.ok([201, 202].includes(answer.status), answer.text);
      await assertRecorded(service, resource, one(answer).id, "created");
      if (!operations.read) return;
      const location = answer.headers.get("location") ?? "";
      assert.equal(location, one(answer).links["self"]);
      const read = await service.get(location);
      assert.deepEqual([one(read).id, etag(read)], [one(answer).id, etag(answer)]);
    });

  if (key === "required")
    test(`400 · ${type}: a request without an Idempotency-Key is rejected`, () =>
      rejectedWithoutKey(service.post(path, newDocument(stage, resource))));

  if (key === undefined && !isAction(resource))
    test(`201 · ${type}: an Idempotency-Key creates once`, async () => {
      const headers = { "Idempotency-Key": newId() };
      const body = await freshDocument(stage, resource);
      const first = await service.post(path, body, { headers });
      const second = await service.post(path, body, { headers });
      assert.equal(one(second).id, one(first).id);
      const other = await service.post(`${path}?fields[${type}]=`, body, { headers });
      assert.equal(other.status, 409, other.text);
    });

  test(`4xx · ${type}: a document that is not one of this type is rejected`, async () => {
    const { data } = newDocument(stage, resource);
    const answer = (body: unknown) => send(stage, "POST", path, { body });
    await refusedAt(answer({ data: { ...data, id: newId() } }), 403, { pointer: "/data/id" });
    await refusedAt(answer({ data: { ...data, type: "nonsense" } }), 409, {
      pointer: "/data/type",
    });
    assert.equal((await answer("{")).status, 400);
    assert.equal((await answer({ data: [data] })).status, 400);
  });

  conformMembers(resource, "POST", (changed) => createWith(stage, resource, changed));

  test(`422 · ${type}: a missing required member is named`, async () => {
    for (const [name, one] of Object.entries(resource.relationships)) {
      if (one.kind !== "to-one" || !one.required) continue;
      const answer = createWith(stage, resource, { relationships: { [name]: undefined } });
      await refusedAt(answer, 422, { pointer: `/data/relationships/${name}` });
    }
    for (const [name, { mode }] of Object.entries(resource.attributes)) {
      if (mode !== "required") continue;
      const { data } = newDocument(stage, resource);
      const { [name]: _, ...attributes } = data.attributes;
      const sent = send(stage, "POST", path, { body: { data: { ...data, attributes } } });
      await refusedAt(sent, 422, { code: "missing-attribute" });
    }
  });
}

/** The key is checked before the document, so any document will do. */
export function conformCommand({ service }: Stage, { key, type }: Command): void {
  if (key === "required")
    test(`400 · ${type}: a request without an Idempotency-Key is rejected`, () =>
      rejectedWithoutKey(service.post(`/v1/${type}`, { data: { type } })));
}

async function rejectedWithoutKey(sent: Promise<Answer>): Promise<void> {
  const answer = await sent;
  assert.deepEqual([answer.status, codes(answer)], [400, ["idempotency-key-required"]]);
}

function conformUpdate(stage: Stage, resource: Resource): void {
  const { rows, service } = stage;
  const { type } = resource;
  const id = rows.get(type) ?? "";
  const path = `/v1/${type}/${id}`;

  conformMembers(resource, "PATCH", (changed) => updateWith(stage, resource, changed));

  test(`200 · ${type}: sending a resource back as it was read changes nothing`, async () => {
    const before = await service.get(path);
    const { attributes, relationships } = one(before);
    const body = { data: { type, id, attributes, relationships } };
    const headers = { "If-Match": etag(before) };
    const answer = await send(stage, "PATCH", path, { body, headers });
    // Some attributes ask for an action even when the value is the same.
    if (resource.versionTag !== undefined) return assert.notEqual(answer.status, 500);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(unchanged(resource, await service.get(path)), unchanged(resource, before));
  });

  test(`422 · ${type}: a member that only a creation sets cannot change`, async () => {
    for (const [name, attribute] of Object.entries(resource.attributes)) {
      if (!attribute.onlyCreated) continue;
      const answer = updateWith(stage, resource, { attributes: { [name]: otherThan(attribute) } });
      await refusedAt(answer, 422, { pointer: `/data/attributes/${name}` });
    }
    for (const [name, relationship] of Object.entries(resource.relationships)) {
      if (!relationship.writable || isWritable(relationship, "existing")) continue;
      const data = { type: relationship.target, id: newId() };
      const answer = updateWith(stage, resource, { relationships: { [name]: { data } } });
      await refusedAt(answer, 422, { pointer: `/data/relationships/${name}` });
    }
  });

  test(`409 · ${type}: a type or id that is not the path's, and a stale version`, async () => {
    const headers = { "If-Match": etag(await service.get(path)) };
    const answer = (data: object) => send(stage, "PATCH", path, { body: { data }, headers });
    await refusedAt(answer({ type: "nonsense", id }), 409, { pointer: "/data/type" });
    await refusedAt(answer({ type, id: newId() }), 409, { pointer: "/data/id" });
    if (!resource.idOptional) await refusedAt(answer({ type }), 400, { pointer: "/data/id" });
    await conformVersion(stage, resource, "PATCH", { data: { type, id } });
  });
}

/** A change of a stale version, and one without a version where the type requires it, have no effect. */
async function conformVersion(
  stage: Stage,
  { type, versionTag }: Resource,
  method: "PATCH" | "DELETE",
  body?: unknown,
): Promise<void> {
  const path = `/v1/${type}/${stage.rows.get(type)}`;
  const isRefused = async (version: string | null, status: number) => {
    const answer = await send(stage, method, path, { body, headers: { "If-Match": version } });
    assert.equal(answer.status, status, `${method} ${version} ${answer.text}`);
    assert.deepEqual(answer.document.errors?.[0]?.source, { header: "If-Match" });
  };
  await isRefused(`"${versionTag ?? "0"}-${versionTag ? 99_999 : "stale"}"`, 409);
  if (versionTag === undefined) return;
  for (const malformed of [null, "*", '"1"']) await isRefused(malformed, 428);
  assert.equal((await stage.service.get(path)).status, 200);
}

function conformDelete(stage: Stage, resource: Resource): void {
  const { service } = stage;
  const { operations, type } = resource;
  test(`409 · 428 · ${type}: a stale version is not deleted`, () =>
    conformVersion(stage, resource, "DELETE"));

  if (operations.create && operations.read && !isAction(resource))
    test(`204 · ${type}: a deleted resource is gone`, async () => {
      const body = await freshDocument(stage, resource);
      const made = await send(stage, "POST", `/v1/${type}`, { body });
      const path = `/v1/${type}/${one(made).id}`;
      const headers = { "If-Match": etag(await service.get(path)) };
      const answer = await service.delete(path, { headers });
      assert.deepEqual([answer.status, answer.text], [204, ""]);
      await assertRecorded(service, resource, one(made).id, "deleted");
      for (const method of ["GET", "DELETE"])
        assert.equal((await service.request(method, path, { headers })).status, 404);
    });
}

/**
 * An action changes other resources when it is created, and then stays as it is. Its own tests bring those resources into
 * the right state. A deletion that the state of these resources can refuse takes the action back.
 */
function isAction({ operations: { create, delete: remove, update } }: Resource): boolean {
  if (!create || !("run" in create)) return false;
  return create.key === "required" || (!update && (!remove || "refuses" in remove));
}

interface Changed {
  attributes?: Record<string, unknown>;
  relationships?: Record<string, unknown>;
}

/** Promises about the members of every document that creates or changes. */
function conformMembers(
  resource: Resource,
  verb: "POST" | "PATCH",
  write: (changed: Changed) => Promise<Answer>,
): void {
  const { attributes, relationships } = resource;
  const type = `${verb} ${resource.type}`;

  const refusedTogether = (values: [name: string, value: unknown][]) =>
    refusesEach((sent) => write({ attributes: sent }), values);

  test(`422 · ${type}: unknown members of a document are rejected by name`, async () => {
    const pointer = (kind: string) => ({ pointer: `/data/${kind}/nonsense` });
    await refusedAt(write({ attributes: { nonsense: 1 } }), 422, pointer("attributes"));
    const linkage = { nonsense: { data: null } };
    await refusedAt(write({ relationships: linkage }), 422, pointer("relationships"));
  });

  test(`422 · ${type}: a read-only attribute cannot be set`, async () => {
    await refusedTogether(
      Object.entries(attributes).flatMap(([name, attribute]) =>
        attribute.mode === "read-only" ? [[name, otherThan(attribute)]] : [],
      ),
    );
  });

  test(`422 · ${type}: a value of another JSON type is rejected at its place`, async () => {
    await refusedTogether(
      Object.entries(attributes).flatMap(([name, attribute]) =>
        attribute.mode === "read-only" ? [] : [[name, otherJson(attribute)]],
      ),
    );
  });

  test(`422 · ${type}: linkage of another type is rejected at its place`, async () => {
    for (const [name, { kind, writable }] of Object.entries(relationships)) {
      if (!writable) continue;
      const identifier = { type: "nonsense", id: newId() };
      const data = kind === "to-one" ? identifier : [identifier];
      const answer = await write({ relationships: { [name]: { data } } });
      assert.equal(answer.status, 422, answer.text);
    }
  });
}

/** An attribute accepts values up to its limits and rejects the values beyond them. */
function conformEdges(stage: Stage, resource: Resource): void {
  const { create, update } = resource.operations;
  if ((create && "run" in create && create.key === "required") || !(create ?? update)) return;
  const write = create ? createWith : updateWith;

  test(`422 · ${resource.type}: each limit may be reached and not passed`, async () => {
    const send = (attributes: Record<string, unknown>) => write(stage, resource, { attributes });
    const writable = Object.entries(resource.attributes).filter(
      ([, { mode }]) => mode !== "read-only",
    );
    const beyond = writable.map(([name, attribute]) => {
      const values = [...edgesOf(attribute)].filter(({ isValid }) => !isValid);
      return [name, values.map(({ value }) => value)] as const;
    });
    // A document has one value of each attribute.
    for (let place = 0; beyond.some(([, values]) => place < values.length); place += 1)
      await refusesEach(
        send,
        beyond.flatMap(([name, values]) => (place < values.length ? [[name, values[place]]] : [])),
      );

    // Types with versions of their own also judge which attributes may be sent together.
    if (resource.versionTag !== undefined) return;
    for (const [name, attribute] of writable) {
      const place = `/data/attributes/${name}`;
      if (attribute.check || isRuled(resource, place)) continue;
      const judged = async (value: unknown): Promise<Answer | undefined> => {
        const answer = await send({ [name]: value });
        const there = (answer.document.errors ?? []).filter((one) => isAt(one, place));
        return there.some(({ code }) => code === "invalid-attribute") ? answer : undefined;
      };
      for (const { isValid, value } of edgesOf(attribute)) {
        const answer = isValid ? await judged(value) : undefined;
        // A rule of the type can reject every value, for example while another attribute is missing.
        if (!answer || (await judged(exampleOf(attribute)))) continue;
        assert.fail(`${name} ${JSON.stringify(value).slice(0, 200)} ${answer.text.slice(0, 500)}`);
      }
    }
  });
}

/**
 * All mistakes in a document are reported together, each at its place. A rule of the type may judge an attribute only beside valid
 * ones.
 */
async function refusesEach(
  write: (attributes: Record<string, unknown>) => Promise<Answer>,
  values: readonly [name: string, value: unknown][],
): Promise<void> {
  if (values.length === 0) return;
  const together = await write(Object.fromEntries(values));
  assert.equal(together.status, 422, together.text);
  for (const [name, value] of values) {
    if (isNamed(together, name)) continue;
    const { status, ...answer } = await write({ [name]: value });
    const sent = `${name} ${JSON.stringify(value).slice(0, 200)} ${answer.text.slice(0, 500)}`;
    assert.deepEqual([status, isNamed(answer, name)], [422, true], sent);
  }
}

const isAt = ({ source }: { source?: { pointer?: string } }, place: string): boolean =>
  `${source?.pointer}/`.startsWith(`${place}/`);

/** Whether an error is about the attribute. */
const isNamed = ({ document }: Pick<Answer, "document">, name: string): boolean =>
  (document.errors ?? []).some((one) => isAt(one, `/data/attributes/${name}`));

/** Accepted only with some values of other attributes, or only in part when created. */
const ruled = [
  "course-enrollments/data/attributes/status",
  "import-jobs/data/attributes/value-mapping",
];

/** A constraint compares the attribute with others, or a rule of the type does. */
const isRuled = ({ constraints = {}, type }: Resource, place: string): boolean =>
  ruled.includes(`${type}${place}`) ||
  Object.values(constraints).some(({ pointer }) => pointer === place);

// -- Requests ------------------------------------------------------------------------------------------------------

/** With a key of its own, which commands need and other writes take. */
const send = ({ service }: Stage, method: string, path: string, options: RequestOptions) =>
  service.request(method, path, {
    ...options,
    headers: { ...(method === "POST" && { "Idempotency-Key": newId() }), ...options.headers },
  });

/** One request to each route of a type. */
function requestsTo(
  stage: Stage,
  resource: Resource,
): [method: string, path: string, body?: unknown][] {
  const { operations, type } = resource;
  const id = stage.rows.get(type);
  const change = { data: { type, id } };
  return [
    ...(operations.list ? [["GET", `/v1/${type}`] as [string, string]] : []),
    ...(operations.read ? [["GET", `/v1/${type}/${id}`] as [string, string]] : []),
    ...(operations.create
      ? [["POST", `/v1/${type}`, newDocument(stage, resource)] as [string, string, unknown]]
      : []),
    ...(operations.update
      ? [["PATCH", `/v1/${type}/${id}`, change] as [string, string, unknown]]
      : []),
  ];
}

function createWith(stage: Stage, resource: Resource, changed: Changed): Promise<Answer> {
  const { data } = newDocument(stage, resource);
  const attributes = { ...data.attributes, ...changed.attributes };
  const relationships = { ...data.relationships, ...changed.relationships };
  const body = { data: { ...data, attributes, relationships } };
  return send(stage, "POST", `/v1/${resource.type}`, { body });
}

async function updateWith(stage: Stage, resource: Resource, changed: Changed): Promise<Answer> {
  const id = stage.rows.get(resource.type);
  const path = `/v1/${resource.type}/${id}`;
  const isRequired = resource.versionTag !== undefined;
  return send(stage, "PATCH", path, {
    body: { data: { type: resource.type, id, ...changed } },
    ...(isRequired && { headers: { "If-Match": etag(await stage.service.get(path)) } }),
  });
}

let created = 0;

/** A valid document that creates a resource, different each time. */
function newDocument({ rows }: Stage, resource: Resource) {
  created += 1;
  // A member that only a creation sets, or that people send about themselves, may be needed by the rules of the type.
  const required = Object.entries(resource.attributes).filter(
    ([, { example, mode, onlyCreated, selfEditable }]) =>
      mode === "required" || ((onlyCreated || selfEditable) && example !== undefined),
  );
  const linked = Object.entries(resource.relationships).filter(([, one]) => one.required);
  return {
    data: {
      type: resource.type,
      attributes: Object.fromEntries(
        required.map(([name, attribute]) => [name, distinct(exampleOf(attribute))]),
      ),
      relationships: Object.fromEntries(
        linked.map(([name, { kind, target }]) => {
          const identifier = { type: target, id: rows.get(target) };
          return [name, { data: kind === "to-one" ? identifier : [identifier] }];
        }),
      ),
    },
  };
}

/** A kind that a creation chooses, such as that of a requirement, decides about other members. */
const isKind = ({ mode, onlyCreated, schema }: Attribute): boolean =>
  mode === "required" && onlyCreated === true && Object.hasOwn(schema, "enum");

/** Links that may not repeat, such as a person in one household, lead to new resources. Numbers that may not repeat differ. */
async function freshDocument(stage: Stage, resource: Resource) {
  const { data } = newDocument(stage, resource);
  const attributes = Object.entries(resource.attributes);
  if (attributes.some(([, one]) => isKind(one)))
    for (const [name, { example }] of attributes)
      if (example !== undefined) data.attributes[name] = example;
  // The same new person twice is one person.
  for (const [name, value] of Object.entries(data.attributes))
    if (typeof value === "object" && value !== null && "full-name" in value)
      data.attributes[name] = { ...value, "full-name": `Person ${created}` };
  for (const { code, pointer } of Object.values(resource.constraints ?? {})) {
    const [, attribute = ""] = /^\/data\/attributes\/(.+)/.exec(pointer) ?? [];
    if (code === "already-exists" && typeof data.attributes[attribute] === "number")
      data.attributes[attribute] = 1 + (created % 500);
    const name = /^\/data\/relationships\/([^/]+)/.exec(pointer)?.[1] ?? "";
    const linked = data.relationships[name]?.data;
    if (code !== "already-exists" || !linked || Array.isArray(linked)) continue;
    const target = stage.catalogue.resources.get(linked.type);
    if (!target) continue;
    const body = await freshDocument(stage, target);
    linked.id = one(await send(stage, "POST", `/v1/${target.type}`, { body })).id;
  }
  return { data };
}

const hasFullName = (value: unknown): value is { "full-name": string } =>
  typeof value === "object" && value !== null && "full-name" in value;

const distinct = (value: unknown): unknown => {
  if (value === "Text") return `Text ${created}`;
  // A person of the same name and address would be known already.
  if (hasFullName(value)) return { ...value, "full-name": `${value["full-name"]} ${created}` };
  if (typeof value === "string" && isDate(value)) return dateAfter(value, created);
  return typeof value === "string" && value.startsWith("https://")
    ? `${value}?n=${created}`
    : value;
};

const dateAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);

async function refusedAt(
  sent: Promise<Answer>,
  status: number,
  place: { pointer?: string; parameter?: string; code?: string },
): Promise<void> {
  const answer = await sent;
  assert.equal(answer.status, status, answer.text);
  const { code, ...source } = place;
  const named = (answer.document.errors ?? []).some(
    (error) =>
      (code === undefined || error.code === code) &&
      Object.entries(source).every(([kind, at]) => error.source?.[kind as "pointer"] === at),
  );
  assert.ok(named, `${JSON.stringify(place)} is not in ${answer.text}`);
}

/** A value that the schema takes, unlike any that a row made by the tests has. */
function otherThan({ schema, storage }: Attribute): unknown {
  const { enum: choices } = schema as { enum?: unknown[] };
  if (choices) return choices.at(-1);
  const values: Partial<Record<Attribute["storage"], unknown>> = {
    number: 987_654,
    boolean: "neither",
    json: { nonsense: true },
    texts: ["nonsense"],
    uuids: [newId()],
    timestamp: "2001-02-03T04:05:06.000Z",
    date: "2001-02-03",
  };
  return values[storage] ?? "Something else";
}

/** A value of a JSON type that the schema does not take. */
function otherJson({ schema }: Attribute): unknown {
  const { type } = schema as { type?: string };
  return type === "string" ? { nonsense: 1 } : "nonsense";
}
