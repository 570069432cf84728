import assert from "node:assert/strict";
import { parse as parseText } from "node:querystring";
import { after, type TestContext, test } from "node:test";
import fc from "fast-check";
import type { FastifyRequest } from "fastify";
import { catalogue, startStage } from "./stage.ts";
import type { Actor } from "../../src/access/actor.ts";
import { markUndecodable } from "../../src/app/http/query-encoding.ts";
import { ApiError, codes as knownCodes } from "../../src/base/errors.ts";
import { newId } from "../../src/base/ids.ts";
import { type Attribute, text } from "../../src/jsonapi/definition/attributes.ts";
import { mapPhones } from "../../src/jsonapi/definition/phones.ts";
import type { Filter } from "../../src/jsonapi/definition/filters.ts";
import { type DocumentMembers, parseResource } from "../../src/jsonapi/request/input.ts";
import { toOne } from "../../src/jsonapi/definition/relationships.ts";
import type { Resource } from "../../src/jsonapi/definition/resource.ts";
import { limits } from "../../src/base/limits.ts";
import { formFields } from "../../src/features/forms/forms/form-field.ts";
import type { Command } from "../../src/jsonapi/definition/command.ts";
import { filtersOf } from "../../src/jsonapi/request/list-filters.ts";
import { parseListQuery, parsePublicListQuery } from "../../src/jsonapi/request/list-query.ts";
import type { RawQuery } from "../../src/jsonapi/request/query-reader.ts";
import {
  parseNoQuery,
  parseShapeOfOne,
  parseShapeWithMay,
} from "../../src/jsonapi/request/shape.ts";
import { sortsOf } from "../../src/jsonapi/request/sorts.ts";
import { storable, valuesOf } from "../support/arbitrary.ts";
import { makeAccount, makeCourse, makePerson, makeRow } from "../support/make.ts";
import { makeCell } from "../support/cells.ts";
import { assertRuled } from "../support/rules.ts";
import { runsOf, seedOfRuns } from "../support/sample.ts";
import { type Answer, document, many, one, type Problem } from "../support/service.ts";
import { openPublicArea, visitorOf } from "../support/visits.ts";

/**
 * Any request gets a response that keeps its promises, and never a 500. Routes and documents are derived
 * from the catalogue. A failure prints the smallest input that fails, and the seed of the run repeats it. The parsers of the service
 * judge each request first. It is sent if they accept it, and rarely otherwise.
 */

const service = await startStage();
after(() => service.stop());
const { account, db } = service;

/** An account to write into at random: its own administrator is not among those written. */
const playground = await makeAccount(db);
const as = playground.administrator.token;
const { id: person } = await makePerson(db, playground.id);
const course = await makeCourse(db, playground.id);
for (let n = 0; n < 30; n += 1) {
  const columns = { course_id: course, name: `Lesson ${n}`, number: n + 1 };
  await makeRow(db, "course_lessons", playground.id, columns);
  await makeCourse(db, playground.id, `Course ${n % 7}`);
}
const role = await makeRow(db, "roles", playground.id, { name: "Own" });
const known: Record<string, string> = {
  accounts: playground.id,
  people: person,
  courses: course,
  roles: role,
};

/** The whole check looks for longer. */
const runs = (part: number, whole = 5 * part) => ({
  numRuns: runsOf({ part, whole }),
  seed: seedOfRuns,
});

/** Whether a request that the parser rejects is sent, too. */
const alsoSent = fc.nat(9).map((n) => n === 0);

const administrator: Actor = {
  accountId: playground.id,
  accountVersion: 1,
  personId: playground.administrator.id,
  tokenId: newId(),
  administrativeStatus: "full-administrator",
  assignments: [],
};
const rules = { actor: administrator, customFields: undefined };

const types = [...catalogue.resources.values()];
const commands = [...catalogue.commands.values()];

/** The members of a document. */
type Words = Pick<Resource, "type" | "attributes" | "relationships">;

/** Routes that no definition describes, in the words of one: a document each. */
const signIn: Words[] = [
  {
    type: "password-changes",
    attributes: {
      "current-password": text({ maxLength: 200 }),
      "new-password": text({ minLength: 6, maxLength: 140 }),
    },
    relationships: {},
  },
  {
    type: "access-token-revocations",
    attributes: {},
    relationships: { person: toOne("people", { column: "person_id", required: true }) },
  },
];

/** And those that take plain JSON, with their members. */
const plain: readonly [path: string, ...members: string[]][] = [
  ["/authenticate", "username", "password", "account"],
  ["/authenticate-username", "username"],
];
const nasty = fc.oneof(
  fc.constantFrom(
    "",
    "null",
    "me",
    "0",
    "-1",
    "1e9",
    "true,false",
    ",",
    ",,",
    "%",
    "\0",
    "\u2028",
    "'",
    "' or 1=1 --",
    "$1",
    "__proto__",
    "constructor",
    "2024-02-30",
    "2024-01-01T00:00:00+23:59",
    "99999999999999999999",
    "../..",
    "x".repeat(300),
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
  storable(12),
  fc.uuid(),
);

/** Promises of every response. */
function assertAnswer(answer: Answer, said: string): void {
  assert.ok(answer.status < 500, `${said}\n${answer.status} ${answer.text}`);
  if (answer.status < 400) return;
  const { errors = [] } = answer.document;
  for (const { meta } of errors)
    assert.equal(meta["request-id"], answer.headers.get("x-request-id"), said);
  assertErrors(errors, `${said}\n${answer.status} ${answer.text}`);
}

/** Promises of the errors of every rejection. */
function assertErrors(errors: readonly Omit<Problem, "id" | "links">[], said: string): void {
  assert.ok(errors.length > 0, said);
  for (const { code, detail, source, status, title } of errors) {
    assert.ok(Object.hasOwn(knownCodes, code), `${said}\nunknown code ${code}`);
    const [ofCode, ofTitle] = knownCodes[code as keyof typeof knownCodes];
    assert.deepEqual([status, title], [String(ofCode), ofTitle], said);
    assert.ok(detail.length > 0);
    const places = Object.keys(source ?? {});
    assert.ok(places.length <= 1, said);
    if (["400", "406", "415", "422"].includes(status))
      assert.ok(["pointer", "parameter", "header"].includes(places[0] ?? ""), said);
  }
}

/** Parses as a route does. Returns whether it accepts the request. Its errors keep the promises of every rejection. */
function isAccepted(parse: () => unknown, said: string): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    assert.ok(error instanceof ApiError, `${said}\n${String(error)}`);
    const errors = error.problems.map(({ meta = {}, status, ...rest }) => ({
      ...rest,
      status: String(status),
      meta: meta as Problem["meta"],
    })) as Omit<Problem, "id" | "links">[];
    assertErrors(errors, `${said}\n${JSON.stringify(errors)}`);
    errors.forEach(assertRuled);
    return false;
  }
}

/** Promises of every list. */
function assertList(answer: Answer, resource: Resource, said: string): void {
  const { data, links, meta } = answer.document;
  assert.ok(Array.isArray(data), said);
  const total = meta?.["total"] as number;
  const size = meta?.["size"] as number;
  assert.ok(Number.isInteger(total) && total >= data.length, said);
  assert.ok(
    size >= 1 && size <= (resource.pageSizeMax ?? limits.pageSizeMax) && data.length <= size,
    said,
  );
  assert.equal(new Set(many(answer).map(({ id }) => id)).size, data.length, `${said}: each once`);
  assert.ok(
    many(answer).every(({ type }) => type === resource.type),
    said,
  );
  const page = meta?.["page"] as number | undefined;
  if (page !== undefined) {
    assert.equal(data.length, Math.min(Math.max(total - (page - 1) * size, 0), size), said);
    assert.equal(links?.["next"] === null, page * size >= total, said);
  }
}

interface Path {
  path: string;
  list?: Resource;
  /** Parses a query as the route does. It is absent if there is no such route. */
  parse?: (query: RawQuery) => unknown;
}

const paths = (resource: Resource): fc.Arbitrary<Path> => {
  const id = fc.oneof(
    { weight: 6, arbitrary: fc.constant(known[resource.type] ?? newId()) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: nasty.map((text) => encodeURIComponent(text.toWellFormed())) },
  );
  const collection = `/v1/${resource.type}`;
  const relationships = fc.constantFrom(...Object.keys(resource.relationships), "nonsense");
  const listed = (list: Resource, path: string, isRelated: boolean): Path => ({
    path,
    list,
    parse: (query) => parseListQuery(catalogue, list, query, rules, { isRelated }),
  });
  return fc.oneof(
    fc.constant(
      resource.operations.list ? listed(resource, collection, false) : { path: collection },
    ),
    id.map((one) => ({
      path: `${collection}/${one}`,
      ...(resource.operations.read && {
        parse: (query: RawQuery) => parseShapeWithMay(catalogue, resource, query),
      }),
    })),
    fc.tuple(id, relationships).map(([one, name]) => {
      const target = catalogue.resources.get(resource.relationships[name]?.target ?? "");
      const path = `${collection}/${one}/${name}`;
      if (!target) return { path };
      return resource.relationships[name]?.kind === "to-many"
        ? listed(target, path, true)
        : { path, parse: (query: RawQuery) => parseShapeOfOne(catalogue, target, query) };
    }),
    fc.tuple(id, relationships).map(([one, name]) => ({
      path: `${collection}/${one}/relationships/${name}`,
      ...(Object.hasOwn(resource.relationships, name) && {
        parse: (query: RawQuery) => parseNoQuery(catalogue, resource, query),
      }),
    })),
  );
};

const listOf = (values: fc.Arbitrary<string>) =>
  fc.uniqueArray(values, { maxLength: 3 }).map((all) => all.join());

/** A valid value of a filter. */
function filterValue(filter: Filter): fc.Arbitrary<string> {
  switch (filter.match) {
    case "one-of":
      return listOf(fc.constantFrom(...filter.values));
    case "boolean":
    case "exists":
    case "adds":
      return fc.constantFrom("true", "false");
    case "number":
    case "at-least":
    case "at-most":
      return fc.integer({ min: filter.minimum, max: filter.maximum }).map(String);
    case "since":
    case "until":
      return fc.constantFrom("2020-01-01", "2026-03-01T09:30:00.5+02:00", "2990-12-31T23:59Z");
    case "from":
    case "to":
      return fc.constantFrom("2020-01-01", "2028-02-29", "2990-12-31");
    case "id":
    case "related":
    case "within":
      return listOf(fc.constantFrom(person, course, role, newId()));
    default:
      return storable(8);
  }
}

/** Mostly what a route understands, each parameter once; sometimes something else. */
function queries(resource: Resource): fc.Arbitrary<[string, string][]> {
  const mostly = (good: fc.Arbitrary<string>) =>
    fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: nasty });
  // A type without relationships includes nothing.
  const steps = fc.constantFrom("", ...Object.keys(resource.relationships)).chain((name) => {
    const target = catalogue.resources.get(resource.relationships[name]?.target ?? "");
    const further = fc.constantFrom("", ...Object.keys(target?.relationships ?? {}));
    return further.map((next) => (next === "" ? name : `${name}.${next}`));
  });
  const members = [...Object.keys(resource.attributes), ...Object.keys(resource.relationships)];
  const order = fc
    .tuple(fc.constantFrom("", "-"), fc.constantFrom(...Object.keys(sortsOf(resource))))
    .map((parts) => parts.join(""));
  const filters = Object.entries(filtersOf(resource)).map(([name, filter]) =>
    fc.tuple(fc.constant(`filter[${name}]`), mostly(filterValue(filter))),
  );
  const size = fc.integer({ min: 1, max: 9 }).map(String);
  const page = fc.oneof(
    fc.record({ "page[size]": mostly(size), "page[number]": mostly(size) }, partly),
    fc.record(
      { "page[size]": mostly(size), "page[after]": fc.oneof(fc.constant(""), cursor(resource)) },
      partly,
    ),
  );
  const shape = fc.record(
    {
      "sort": mostly(listOf(order)),
      "include": mostly(listOf(steps)),
      [`fields[${resource.type}]`]: mostly(listOf(fc.constantFrom(...members))),
    },
    partly,
  );
  const stray = fc.array(fc.tuple(nasty, nasty), { maxLength: 1 });
  const strays = fc.oneof(
    { weight: 12, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: stray },
  );
  return fc
    .tuple(fc.array(fc.oneof(...filters), { maxLength: 2 }), page, shape, strays)
    .map(([chosen, paged, shaped, others]) => [
      ...new Map<string, string>([...chosen, ...pairs(paged), ...pairs(shaped)]),
      ...others,
    ]);
}

const pairs = (members: Record<string, string | undefined>) =>
  Object.entries(members).filter((pair): pair is [string, string] => pair[1] !== undefined);

const partly = { requiredKeys: [] };

/** Cursors as somebody would make them up. */
const cursor = (resource: Resource): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc
        .tuple(fc.constantFrom("", "-"), fc.constantFrom(...Object.keys(sortsOf(resource))))
        .map((parts) => parts.join("")),
      fc.oneof(nasty, fc.constantFrom("2024-01-01 00:00:00+00", "5", "b"), fc.integer()),
      fc.oneof(fc.uuid(), nasty),
    )
    .map((parts) => Buffer.from(JSON.stringify(parts)).toString("base64url"));

const encode = (query: [string, string][]) =>
  query
    .map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join("="))
    .join("&");

/** Raw bytes after one parameter: usually none, sometimes bytes that are not UTF-8. */
const raw = fc.oneof(
  { weight: 5, arbitrary: fc.constant("") },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc
        .uint8Array({ minLength: 1, maxLength: 4 })
        .map((bytes) =>
          [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
        ),
      fc.constantFrom("%", "%4", "%ZZ", "&%e9", "&%e9=1", "%ed%a0%80"),
    ),
  },
);

/** A query with something raw behind the parameter at this place. */
const encodeWith = (query: [string, string][], place: number, behind: string) => {
  const at = query.length === 0 ? 0 : 1 + (place % query.length);
  const parts = [encode(query.slice(0, at)) + behind, encode(query.slice(at))];
  return parts.filter(Boolean).join("&");
};

function isDecodable(query: string): boolean {
  try {
    decodeURIComponent(query);
    return true;
  } catch {
    return false;
  }
}

/** Where one resource is read, only its shape is asked for; linkage has none. */
const shapes = (path: string, query: [string, string][]) =>
  query.filter(([name]) => !/^(filter|page|sort)/.test(name) && !path.includes("/relationships/"));

const route = fc.constantFrom(...types).chain((resource) =>
  paths(resource).chain(({ list, path, parse }) =>
    queries(list ?? resource).map((query) => ({
      list,
      path,
      parse,
      query: list ? query : shapes(path, query),
    })),
  ),
);

/** The parameters as a route gets them. */
function readQuery(text: string): RawQuery {
  const request = { url: `?${text}`, query: parseText(text) } as unknown as FastifyRequest;
  markUndecodable(request);
  return request.query as RawQuery;
}

/** Counts the requests of a property. */
function counting(t: TestContext) {
  const counts = { made: 0, sent: 0 };
  t.after(() => t.diagnostic(`${counts.made} requests, ${counts.sent} of them sent`));
  return counts;
}

test("any query at any route is answered, and lists keep their promises", async (t) => {
  const counts = counting(t);
  await fc.assert(
    fc.asyncProperty(
      route,
      raw,
      fc.nat(9),
      fc.constantFrom("GET", "GET", "GET", "GET", "HEAD"),
      alsoSent,
      async ({ list, parse, path, query }, behind, place, method, isAlsoSent) => {
        const text = encodeWith(query, place, behind);
        const url = `${path}?${text}`;
        const accepted = parse === undefined || isAccepted(() => parse(readQuery(text)), url);
        counts.made += 1;
        if (!isDecodable(text)) assert.ok(!accepted || parse === undefined, url);
        if (!accepted && !isAlsoSent) return;
        counts.sent += 1;
        const answer = await service.request(method, url, { as });
        if (!accepted || !isDecodable(text)) assert.ok(answer.status >= 400, url);
        if (method === "HEAD") return assert.ok(answer.status < 500, url);
        assertAnswer(answer, `${method} ${url}`);
        if (answer.status === 200 && list && method === "GET") assertList(answer, list, url);
      },
    ),
    runs(600),
  );
});

const visited = [...catalogue.publicTypes.values()].filter(({ operations }) => operations.list);

const degrees = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.integer({ min: -1_800, max: 1_800 }).map((tenths) => `${tenths / 10}`),
  },
  { weight: 1, arbitrary: nasty },
);
const place = fc.record(
  { "filter[lat]": degrees, "filter[lng]": degrees, "filter[km]": degrees },
  { requiredKeys: [] },
);

const visitor: Actor = { ...administrator, administrativeStatus: "none" };

const visit = fc.constantFrom(...visited).chain((resource) =>
  fc.tuple(queries(resource), fc.option(place)).map(([query, near]) => ({
    resource,
    query: [
      ...query.filter(([name]) => !/^(include|fields|page\[after)/.test(name)),
      ...(resource.nearby && near ? pairs(near) : []),
    ],
  })),
);

test("any query in the public area is answered, and lists keep their promises", async (t) => {
  const counts = counting(t);
  await openPublicArea(db, playground.id);
  for (const latitude of [-22.9, 38.7])
    await db`
      update cells set address = jsonb_build_object('latitude', ${latitude}::numeric, 'longitude', -9)
      where id = ${await makeCell(db, playground.id, { is_public: true })}`;
  await db`update courses set is_public = true where account_id = ${playground.id}`;
  await fc.assert(
    fc.asyncProperty(visit, alsoSent, async ({ resource, query }, isAlsoSent) => {
      const text = encode(query);
      const url = `/p/v1/${resource.type}?${text}`;
      const accepted = isAccepted(
        () => parsePublicListQuery(catalogue, resource, readQuery(text), visitor),
        url,
      );
      counts.made += 1;
      if (!accepted && !isAlsoSent) return;
      counts.sent += 1;
      const answer = await service.get(url, visitorOf(playground.id));
      if (!accepted) assert.ok(answer.status >= 400, url);
      assertAnswer(answer, `GET ${url}`);
      if (answer.status === 200) assertList(answer, resource, url);
    }),
    runs(150),
  );
});

/** Values of every kind, most of them wrong. */
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  nasty,
  fc.constantFrom(null, 1e308, -0, 2 ** 53, 2 ** 31, "2024-02-30", { type: "people", id: person }),
);

const writable = (resource: Words) =>
  Object.entries(resource.attributes).filter(([, { mode }]) => mode !== "read-only");

const writableLinks = (resource: Words) =>
  Object.entries(resource.relationships).flatMap(([name, one]) => (one.writable ? [name] : []));

/** A valid value of an attribute, or null for a nullable one. */
const valid = ({ nullable, schema }: Attribute) =>
  nullable
    ? fc.oneof(
        { weight: 4, arbitrary: valuesOf(schema) },
        { weight: 1, arbitrary: fc.constant(null) },
      )
    : valuesOf(schema);

const validity = new Map(
  [...types, ...commands, ...signIn].map((resource) => [
    resource.type,
    Object.fromEntries(writable(resource).map(([name, one]) => [name, valid(one)])),
  ]),
);

const identifier = fc.record({
  type: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("people", "roles") },
    { weight: 1, arbitrary: nasty },
  ),
  id: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(person, role) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: nasty },
  ),
});
const linkage = fc.oneof(
  { weight: 2, arbitrary: identifier },
  { weight: 4, arbitrary: fc.array(identifier, { maxLength: 3 }) },
  { weight: 1, arbitrary: anything },
);
const linkageOf = fc.record({ data: linkage }) as fc.Arbitrary<unknown>;

function documents(resource: Words): fc.Arbitrary<unknown> {
  const attributes = fc.record(
    Object.fromEntries(
      Object.entries(validity.get(resource.type) ?? {}).map(([name, good]) => [
        name,
        fc.oneof({ weight: 30, arbitrary: good }, { weight: 1, arbitrary: anything }),
      ]),
    ),
    { requiredKeys: [] },
  );
  const relationships = fc.dictionary(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...writableLinks(resource), "created-by") },
      { weight: 1, arbitrary: nasty },
    ),
    fc.oneof({ weight: 6, arbitrary: linkageOf }, { weight: 1, arbitrary: anything }),
    { maxKeys: 2 },
  );
  const rarely = <T>(usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 15, arbitrary: usual }, { weight: 1, arbitrary: unusual });
  const data = fc.record(
    {
      type: rarely(fc.constant(resource.type), anything),
      id: rarely(fc.constant(known[resource.type] ?? person), anything),
      attributes: rarely(
        attributes,
        fc.oneof(fc.dictionary(nasty, anything, { maxKeys: 3 }), anything),
      ),
      relationships: rarely(relationships, anything),
      meta: rarely(fc.constant({}), anything),
      nonsense: rarely(fc.constant(undefined), anything),
    },
    { requiredKeys: ["type", "id", "attributes"] },
  );
  const envelope = fc.record(
    { data, meta: anything, included: anything, nonsense: anything },
    { requiredKeys: ["data"] },
  );
  return rarely(
    rarely(fc.record({ data }), envelope),
    fc.oneof(fc.record({ data: linkage }), anything),
  );
}

interface Attempt {
  method: string;
  path: string;
  body: unknown;
  headers: Record<string, string>;
  /** Parses the document as the route does. It is absent if the route has a parser of its own, or if there is no such route. */
  parse?: ((body: unknown) => unknown) | undefined;
}

/** Keys that repeat themselves, and versions where a change has to name one. */
const headersFor = ({ versionTag }: { versionTag?: string }) =>
  fc.record(
    {
      "Idempotency-Key": fc.constantFrom("a", "b", "c"),
      ...(versionTag !== undefined && {
        "If-Match": fc.constantFrom(1, 1, 1, 2, "").map((version) => `"${versionTag}-${version}"`),
      }),
    },
    partly,
  ) as fc.Arbitrary<Record<string, string>>;

const ask = (resource: Words): fc.Arbitrary<Attempt> =>
  fc.record({
    method: fc.constantFrom("POST", "POST", "POST", "POST", "PATCH"),
    path: fc.constant(`/v1/${resource.type}`),
    body: documents(resource).map(withoutId),
    headers: headersFor({}),
  });

/** Parses the document of a creation or, with an id, of a change. */
const parserOf = (resource: DocumentMembers, id?: string) => (body: unknown) =>
  id === undefined
    ? parseResource(resource, body, rules)
    : parseResource(resource, body, { ...rules, id });

const command = (resource: Command): fc.Arbitrary<Attempt> =>
  ask(resource).map((attempt) =>
    attempt.method === "POST" ? { ...attempt, parse: parserOf(resource) } : attempt,
  );

const write: fc.Arbitrary<Attempt> = fc
  .constantFrom(...types.filter(({ operations }) => operations.create ?? operations.update))
  .chain((resource) => {
    const collection = `/v1/${resource.type}`;
    const id = known[resource.type] ?? newId();
    const row = `${collection}/${id}`;
    const body = documents(resource);
    const record = (
      method: fc.Arbitrary<string>,
      path: fc.Arbitrary<string>,
      sent = body,
      parse?: Attempt["parse"],
    ): fc.Arbitrary<Attempt> =>
      fc.record({
        method,
        path,
        body: sent,
        headers: headersFor(resource),
        parse: fc.constant(parse),
      });
    return fc.oneof(
      {
        weight: resource.operations.create ? 5 : 0,
        arbitrary: record(
          fc.constant("POST"),
          fc.constant(collection),
          body.map(withoutId),
          parserOf(resource),
        ),
      },
      {
        weight: resource.operations.update ? 5 : 0,
        arbitrary: record(fc.constant("PATCH"), fc.constant(row), body, parserOf(resource, id)),
      },
      {
        weight: writableLinks(resource).length > 0 && resource.operations.update ? 3 : 0,
        arbitrary: record(
          fc.constantFrom("POST", "PATCH", "DELETE"),
          fc
            .constantFrom(...Object.keys(resource.relationships))
            .map((name) => `${row}/relationships/${name}`),
          linkageOf,
        ),
      },
      {
        weight: 1,
        arbitrary: record(
          fc.constantFrom("POST", "PATCH", "DELETE"),
          paths(resource).map(({ path }) => path),
        ),
      },
    );
  });

/** A valid body of a plain route, sometimes with a wrong or additional member. */
const askPlain = ([path, ...members]: (typeof plain)[number]): fc.Arbitrary<Attempt> => {
  const member = fc.oneof(
    { weight: 6, arbitrary: storable(20) },
    { weight: 1, arbitrary: anything },
  );
  const named = Object.fromEntries([...members, "nonsense"].map((name) => [name, member]));
  const usual = fc.record(named, { requiredKeys: members.slice(1) });
  return fc.record({
    method: fc.constant("POST"),
    path: fc.constant(path),
    body: fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: anything }),
    headers: headersFor({}),
  });
};

const attempt = fc.oneof(
  { weight: 5, arbitrary: write },
  ...commands.map(command),
  ...signIn.map(ask),
  ...plain.map(askPlain),
);

test("any document at any route gets a response, and a rejection names its place", async (t) => {
  const counts = counting(t);
  await fc.assert(
    fc.asyncProperty(
      attempt,
      alsoSent,
      async ({ body, headers, method, parse, path }, isAlsoSent) => {
        // Rows that other runs write to are kept.
        if (method === "DELETE" && Object.values(known).some((id) => path.endsWith(id))) return;
        const text = JSON.stringify(body);
        const said = `${method} ${path}\n${text}`;
        const accepted = parse === undefined || isAccepted(() => parse(JSON.parse(text)), said);
        counts.made += 1;
        if (!accepted && !isAlsoSent) return;
        counts.sent += 1;
        assertAnswer(await service.request(method, path, { as, body: text, headers }), said);
      },
    ),
    runs(700),
  );
  const still = await service.get("/v1/people/me", { as });
  assert.equal(still.status, 200, "the administrator is still there");
});

function withoutId(body: unknown): unknown {
  const copy = structuredClone(body) as { data?: { id?: unknown } | null } | null;
  if (typeof copy === "object" && typeof copy?.data === "object") delete copy.data?.id;
  return copy;
}

test("any bytes are answered", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom("/v1/courses", "/v1/people", "/authenticate"),
      async (bytes, path) => {
        const answer = await service.request("POST", path, { as, body: bytes });
        assertAnswer(answer, Buffer.from(bytes).toString("hex"));
        assert.ok(answer.status >= 400);
      },
    ),
    runs(80),
  );
});

test("any headers are answered", async () => {
  const text = fc.oneof(
    fc.string({ maxLength: 30 }).map((value) => value.replaceAll(/[^\x20-\x7e]/g, "x")),
    fc.constantFrom(
      "",
      "*",
      '"1-x"',
      'W/"1-x"',
      '"',
      ",",
      "Bearer",
      "Bearer x",
      "application/vnd.api+json;",
      "q=;=",
      "\xff",
    ),
  );
  const names = [
    "Accept",
    "Content-Type",
    "If-Match",
    "If-None-Match",
    "Idempotency-Key",
    "Authorization",
    "Origin",
    "X-SVC-API-Token",
    "Referer",
    "Sec-Fetch-Site",
    "X-Request-Id",
    "X-Forwarded-For",
    "Access-Control-Request-Method",
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom(...names), text, { maxKeys: 4 }),
      fc.constantFrom("GET", "PATCH"),
      async (headers, method) => {
        const body = method === "PATCH" ? document("courses", {}, { id: course }) : undefined;
        const answer = await service.request(method, `/v1/courses/${course}`, {
          as,
          body,
          headers,
        });
        assertAnswer(answer, JSON.stringify(headers));
      },
    ),
    runs(60),
  );
});

/** Valid attributes that contradict each other are corrected. Those rules have tests of their own. */
function agreeing(type: string, attributes: Record<string, unknown>): Record<string, unknown> {
  const { "custom-properties": _, ...rest } = attributes;
  if (type === "people") {
    delete rest["birth-month-day"];
    if (typeof rest["email"] === "string") rest["email"] = `${newId()}@example.org`;
    if (typeof rest["birthdate"] === "string") rest["birthdate"] = "1000-01-01";
    if (typeof rest["deathdate"] === "string") rest["deathdate"] = "2020-02-29";
  }
  if (type === "cells") {
    // The level follows from the type, and an end is later than its start.
    rest["level"] = rest["cell-type"] === "supervision" ? 1 : 0;
    for (const [start, end] of [
      ["age-min", "age-max"],
      ["starts-at", "ends-at"],
      ["recess-from", "recess-to"],
    ] as const)
      if (rest[start] != null) delete rest[end];
  }
  if (type === "import-jobs") {
    rest["kind"] = "people";
    rest["mapping"] = { "Name": "full-name", "Family": "household" };
    delete rest["match-on"];
    delete rest["value-mapping"];
  }
  if (type === "forms") {
    // Fields have rules among themselves, and actions name resources that exist.
    rest["fields"] = formFields().example;
    if (rest["actions"] !== undefined)
      rest["actions"] = {
        "create-or-match-person": true,
        "add-to-cell": null,
        "enroll-in-class": null,
        "notify": [],
      };
    if (typeof rest["slug"] === "string") rest["slug"] = newId();
    delete rest["closes-at"];
  }
  if (type === "courses" && rest["price"] != null) rest["price-currency"] ??= "EUR";
  if (type === "roles" || type === "tags") rest["name"] = newId();
  if (type === "webhook-endpoints") {
    rest["url"] = `https://receiver.example/${newId()}`;
    delete rest["status"];
  }
  return rest;
}

for (const resource of types.filter(({ operations }) => operations.create ?? operations.update)) {
  // Where relationships are required the attributes are few and tested by hand.
  if (Object.values(resource.relationships).some((one) => one.required)) continue;
  // Only the service makes these rows, and few of their attributes can change.
  if (!resource.operations.create && resource.type !== "accounts") continue;
  test(`a valid document of ${resource.type} is kept: what was written is read`, async () => {
    const good = validity.get(resource.type) ?? {};
    const attributes = fc.record(good, {
      requiredKeys: writable(resource).flatMap(([name, { mode }]) =>
        mode === "required" && resource.operations.create ? [name] : [],
      ),
    });
    await fc.assert(
      fc.asyncProperty(attributes, async (generated) => {
        const sent = agreeing(resource.type, generated);
        const written = resource.operations.create
          ? await service.post(`/v1/${resource.type}`, document(resource.type, sent))
          : await service.patch(
              `/v1/${resource.type}/${account.id}`,
              document(resource.type, withoutNulls(sent), { id: account.id }),
            );
        assert.ok(written.status < 300, `${JSON.stringify(sent)}\n${written.text}`);
        const { attributes: read, id } = one(
          await service.get(`/v1/${resource.type}/${one(written).id}`),
        );
        for (const [name, value] of Object.entries(
          resource.operations.create ? sent : withoutNulls(sent),
        ))
          if (value !== null) {
            // Members that were left out keep their defaults.
            if (name === "settings" || name === "public-settings")
              assert.partialDeepStrictEqual(read[name], value);
            else {
              // Answers add the displays of telephone numbers.
              const schema = resource.attributes[name]?.schema ?? {};
              const kept = mapPhones(schema, read[name], {});
              assert.deepEqual(kept, value, `${resource.type} ${id} ${name}`);
            }
          }
        assert.deepEqual(one(written).attributes, read);
      }),
      runs(25, 300),
    );
  });
}

/** In settings null removes. */
function withoutNulls(attributes: Record<string, unknown>): Record<string, unknown> {
  const settings = attributes["settings"];
  if (typeof settings !== "object" || settings === null) return attributes;
  const given = Object.entries(settings).filter(([, value]) => value !== null);
  return { ...attributes, settings: Object.fromEntries(given) };
}
