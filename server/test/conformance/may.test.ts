import assert from "node:assert/strict";
import { after, test } from "node:test";
import { describedCatalogue as catalogue } from "../../src/catalogue.ts";
import type { Attribute } from "../../src/jsonapi/definition/attributes.ts";
import { isWritable, targetTypes } from "../../src/jsonapi/definition/relationships.ts";
import type { Resource } from "../../src/jsonapi/definition/resource.ts";
import { actionsOf, type OfferedAction } from "../../src/jsonapi/definition/actions.ts";
import { placesOf } from "../../src/jsonapi/definition/members.ts";
import { computedListOf } from "../../src/jsonapi/definition/operations.ts";
import type { May, Verdict } from "../../src/jsonapi/sql/may.ts";
import { startDemo } from "../support/guides.ts";
import { makeToken } from "../support/make.ts";
import {
  type Answer,
  codes,
  etag,
  FIRST_PARTY,
  many,
  one,
  type Resource as Read,
} from "../support/service.ts";
import { isChanged } from "../support/changed-types.ts";
import { sample } from "../support/sample.ts";
import { exampleOf } from "./furnish.ts";

/**
 * `meta.may` says what the writes then return, for every type and every standing of the demo account. The writes are rehearsals: a
 * trigger cancels each transaction at its commit, after every rule. A write that the caller may do is therefore 503.
 */
const { service } = await startDemo({ after }, { origins: [FIRST_PARTY] });
const { db } = service;

const logins = await db<{ id: string; accountId: string; name: string; ranks: boolean }[]>`
  select id, account_id as "accountId", full_name as name, administrative_status <> 'none' as ranks
  from people where has_login and account_id <> ${service.account.id} order by id`;
const standings = await Promise.all(
  logins.map(async ({ accountId, id, name, ranks }) => ({
    id,
    name,
    ranks,
    as: await makeToken(db, accountId, id),
  })),
);
assert.equal(standings.length, 7);

await db.query(`
  create function cancel_rehearsal() returns trigger language plpgsql as
    $$ begin raise exception 'The rehearsal is over.' using errcode = 'query_canceled'; end $$`);
const tables = await db<{ name: string }[]>`
  select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    and relname = any(${[...catalogue.resources.values()].map(({ table }) => table)})`;
for (const { name } of tables)
  await db.query(`
    create constraint trigger cancel_rehearsal after insert or update or delete on ${name}
    deferrable initially deferred for each row execute function cancel_rehearsal()`);

await db.query(`
  create constraint trigger cancel_rehearsal after delete on access_tokens
  deferrable initially deferred for each row execute function cancel_rehearsal()`);

async function listed(type: string, as: string): Promise<Read[]> {
  const answer = await service.get(`/v1/${type}?page[size]=40`, { as });
  return answer.status === 200 ? many(answer) : [];
}

/** The number of resources of each type that each standing tries. */
const ROWS_MAX = 2;

/** Resources of different statuses that the caller sees, the caller's own record, and the administrators. */
function tried(personId: string, type: string, seen: readonly Read[]): string[] {
  const byStatus = Map.groupBy(seen, ({ attributes }) => attributes["status"]);
  const spread = [...byStatus.values()].flatMap((some) => some.at(-1)?.id ?? []);
  const others = standings.flatMap(({ id, ranks }) => (ranks || id === personId ? id : []));
  const own = type === "people" ? others : [];
  return [...new Set([...own, ...spread, ...seen.map(({ id }) => id)])].slice(
    0,
    own.length + ROWS_MAX,
  );
}

/** Valid values unlike the present one. All choices are tried, because some of them need more rights. */
function otherValues(attribute: Attribute, present: unknown): unknown[] {
  const { enum: choices, maximum } = attribute.schema as { enum?: unknown[]; maximum?: number };
  const others = [
    ...(choices ?? []),
    ...(attribute.storage === "boolean" ? [true, false] : []),
    ...(attribute.storage === "number" ? [1, 2, maximum] : []),
    ...(attribute.storage === "date" ? ["2001-02-03"] : []),
    ...(attribute.example === undefined ? [] : [attribute.example]),
    ...(choices ? [] : [exampleOf(attribute), "Another text"]),
    ...(attribute.nullable ? [null] : []),
  ].filter((value) => JSON.stringify(value) !== JSON.stringify(present));
  return choices ? others : others.slice(0, 1);
}

/** Documents that change one member of a resource. */
function changesOf(resource: Resource, row: Read, name: string, linkable: readonly Read[]) {
  const attribute = resource.attributes[name];
  if (attribute)
    return otherValues(attribute, row.attributes[name]).map((value) => ({
      attributes: { [name]: value },
    }));
  const isOne = resource.relationships[name]?.kind === "to-one";
  const present = [row.relationships?.[name]?.data ?? []].flat() as { id: string }[];
  return linkable
    .filter(({ id }) => !present.some((one) => one.id === id))
    .map(({ id, type }) => ({ type, id }))
    .map((data) => ({ relationships: { [name]: { data: isOne ? data : [data] } } }));
}

/** Members that a document of an update can have. */
const changeable = ({ attributes, customProperties, relationships }: Resource): string[] => [
  ...Object.entries(attributes).flatMap(([name, { mode, onlyCreated }]) =>
    mode === "read-only" || onlyCreated || (customProperties && name === "custom-properties")
      ? []
      : name,
  ),
  ...Object.entries(relationships).flatMap(([name, one]) =>
    isWritable(one, "existing") ? name : [],
  ),
];

/** The value of `meta.may` for a request with this answer. Errors about the values that were sent do not decide it. */
function announced(answer: Answer): string | undefined {
  const [code] = codes(answer);
  if (code === undefined || code === "unavailable") return "true";
  if (rejections.has(code)) return "false";
  return answer.status === 422 ? undefined : code;
}

/** The codes of a caller who lacks the right, and of a member that nothing changes any more. */
const rejections = new Set([
  "forbidden",
  "not-found",
  "method-not-allowed",
  "read-only-attribute",
  "invalid-transition",
]);

const described = ({ document, status }: Answer) =>
  `${status} ${document.errors?.map(({ code, detail }) => `${code} ${detail}`).join()}`;

/** The relationships of documents that create a resource at each place, or anywhere for a type without places. */
function placesFor(
  resource: Resource,
  seen: (type: string) => readonly Read[],
): Record<string, unknown>[] {
  if (placesOf(resource).length === 0) return [{}];
  return placesOf(resource).flatMap((name) => {
    const place = resource.relationships[name];
    const types = place ? targetTypes(place) : [];
    return types.flatMap((type) =>
      seen(type).map(({ id }) => ({ [name]: { data: { type, id } } })),
    );
  });
}

const today = new Date().toISOString().slice(0, 10);

/** Sends the request of an action, if the definitions describe one. */
async function act(
  { by, name, sets = {} }: OfferedAction,
  { id, type }: { id: string; type: string },
  seenOf: (type: string) => readonly Read[],
  as: string,
): Promise<Answer | undefined> {
  const path = `/v1/${type}/${id}`;
  if (catalogue.resources.get(type)?.files?.[name]) {
    const headers = {
      "Content-Type": "image/png",
      "Content-Disposition": 'attachment; filename="a.png"',
    };
    const method = catalogue.resources.get(type)?.files?.[name]?.creates ? "POST" : "PUT";
    return service.request(method, `${path}/${name}`, { as, body: "no image", headers });
  }
  if (!by) {
    if (Object.keys(sets).length > 0)
      return service.patch(path, { data: { type, id, attributes: sets } }, { as });
    const relationships = { person: { data: { type, id } } };
    const data = { type: "access-token-revocations", relationships };
    return service.post("/v1/access-token-revocations", { data }, { as });
  }
  const made = catalogue.resources.get(by.type);
  if (!made?.relationships[by.relationship]?.writable) return undefined;
  const required = Object.entries(made.attributes).filter(([, { mode }]) => mode === "required");
  const attributes = {
    ...Object.fromEntries(
      required.map(([key, one]) => [
        key,
        one.storage === "date" ? today : (one.example ?? exampleOf(one)),
      ]),
    ),
    ...sets,
  };
  const linked = Object.entries(made.relationships).flatMap(([key, one]) => {
    const [other] = seenOf(one.target).filter((row) => row.id !== id);
    return one.required && one.kind === "to-one" && other
      ? [[key, { data: { type: other.type, id: other.id } }] as const]
      : [];
  });
  const relationships = {
    ...Object.fromEntries(linked),
    [by.relationship]: { data: { type, id } },
  };
  return service.post(
    `/v1/${by.type}`,
    { data: { type: by.type, attributes, relationships } },
    { as },
  );
}

/** Whether an answer is what `meta.may` said. Errors about the values of this document say nothing. */
function agrees(said: Verdict, answer: Answer, refusals: readonly string[]): boolean {
  const [code = "unavailable"] = codes(answer);
  // The resource has that value already, so nothing was written.
  if (answer.status === 200) return true;
  const isDone = code === "unavailable";
  if (said === true) return !isLacking.has(code) && !refusals.includes(code);
  return code === said || answer.status === 422 || (said === false && !isDone);
}

const isLacking = new Set(["forbidden", "not-found", "method-not-allowed"]);

const seenBy = new Map(
  await Promise.all(
    standings.map(async ({ as, name }) => {
      const lists = new Map<string, Read[]>();
      for (const { operations, type } of catalogue.resources.values())
        if (operations.list) lists.set(type, await listed(type, as));
      assert.ok(
        [...lists.values()].some(({ length }) => length > 0),
        `${name} sees nothing`,
      );
      return [name, lists] as const;
    }),
  ),
);

/** Each standing with each type of which it sees resources. */
const combinations = [...catalogue.resources.values()].flatMap((resource) =>
  resource.operations.read && !computedListOf(resource)
    ? standings
        .filter(({ name }) => seenBy.get(name)?.get(resource.type)?.length)
        .map((standing) => ({ resource, standing }))
    : [],
);

const STANDINGS = 2;

for (const { resource, standing } of sample(combinations, {
  what: "pairs of a type and a standing",
  count: STANDINGS,
  groupOf: ({ resource: { type } }) => type,
  nameOf: ({ resource: { type }, standing: { name } }) => `${type} ${name}`,
  always: ({ resource: { type } }) => isChanged(type),
})) {
  const { operations, type } = resource;
  const { as, name: who } = standing;
  const seenOf = (one: string) => seenBy.get(who)?.get(one) ?? [];
  const update = operations.update && "run" in operations.update ? operations.update : undefined;
  const refusals = Object.keys(update?.refusedIf ?? {});
  const ruled = ["status", ...Object.keys(update?.changesIf ?? {})];

  test(`${who} · ${type}: meta.may says what a change and a deletion return`, async () => {
    const mistakes: string[] = [];
    for (const [position, id] of tried(standing.id, type, seenOf(type)).entries()) {
      const path = `/v1/${type}/${id}`;
      const read = await service.get(`${path}?meta[may]=true`, { as });
      assert.ok(read.status < 500, described(read));
      if (read.status !== 200) continue;
      const may = one(read).meta?.["may"] as May;
      const report = (what: string, said: boolean | string, answer: Answer) =>
        void mistakes.push(`${path} ${what} ${said} but ${described(answer)}`);
      const options = { as, headers: { "If-Match": etag(read) } };

      const members = operations.update ? changeable(resource) : [];
      // Members without a rule differ by their definition alone, so each resource tries some of them.
      const chosen = members.filter(
        (name, place) => ruled.includes(name) || place % 5 === position % 5,
      );
      for (const name of chosen) {
        const target = resource.relationships[name]?.target ?? "";
        const requests = changesOf(resource, one(read), name, seenOf(target).slice(0, 20)).map(
          (changed) => () => service.patch(path, { data: { type, id, ...changed } }, options),
        );
        const isListed = may.update.includes(name);
        const answers: Answer[] = [];
        for (const send of requests) {
          const answer = await send();
          answers.push(answer);
          if (announced(answer) === "true") break;
        }
        const said = answers.map(announced);
        const isRefused = (one: string | undefined) =>
          one === "false" || (one !== undefined && refusals.includes(one));
        const mistaken = isListed
          ? said.length > 0 && said.every(isRefused)
          : said.includes("true");
        if (mistaken) report(name, isListed, answers.at(-1) as Answer);
      }
      const removed = await service.delete(path, options);
      if (announced(removed) !== String(may.delete)) report("deletion", may.delete, removed);

      for (const action of actionsOf(catalogue, resource)) {
        const answer = await act(action, { id, type }, seenOf, as);
        if (!answer) continue;
        const said = may.actions[action.name] ?? false;
        if (!agrees(said, answer, Object.keys(action.refusedIf ?? {})))
          report(action.name, said, answer);
      }
    }
    assert.equal(mistakes.join("\n"), "");
  });

  test(`${who} · ${type}: meta.may of the list says whether there is something to create`, async () => {
    const list = await service.get(`/v1/${type}?meta[may]=true&page[size]=1`, { as });
    const may = list.document.meta?.["may"] as { create: boolean } | undefined;
    // The rights at the place are judged before the unknown attribute, which is 422.
    const answers: Answer[] = [];
    for (const relationships of placesFor(resource, seenOf)) {
      const body = { data: { type, attributes: { nonsense: 1 }, relationships } };
      answers.push(await service.post(`/v1/${type}`, body, { as }));
      if (answers.at(-1)?.status === 422) break;
    }
    const last = answers.at(-1);
    if (may && last) assert.equal(may.create, last.status === 422, described(last));
  });
}
