import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { serviceDocument } from "../src/contract/service-document.ts";
import { codesOf as codesOfKind, commonCodes } from "../src/contract/error-codes.ts";
import { everyResponse, headers as ownHeaders } from "../src/contract/responses.ts";
import { pascal } from "../src/contract/json.ts";
import { newId } from "../src/base/ids.ts";
import { deleteAccount } from "../src/features/accounts/delete-account.ts";
import { findAccount } from "../src/features/accounts/account-status.ts";
import { makeDemoOnce } from "../src/app/demo.ts";
import { MEDIA_TYPE } from "../src/jsonapi/request/media-type.ts";
import { controlBody } from "../src/webhooks/engine/message.ts";
import { exampleOf as exampleOfEvent } from "../src/webhooks/history/event-examples.ts";
import { furnish } from "./conformance/furnish.ts";
import { specialMakers } from "./conformance/makers.ts";
import { catalogue, startStage } from "./conformance/stage.ts";
import { filesIn, freshDirectory } from "./support/files.ts";
import { makeEnrollment } from "./support/courses.ts";
import { makeCell } from "./support/cells.ts";
import {
  makeAccount,
  makeCourse,
  makeEndpoint,
  makePerson,
  makeRow,
  makeToken,
} from "./support/make.ts";
import { type Answer, etag, many, one, PUBLIC_URL, type TestService } from "./support/service.ts";
import { openPublicArea, visitorOf } from "./support/visits.ts";

type Json = Record<string, unknown>;
interface Operation {
  operationId: string;
  description?: string;
  security?: Json[];
  parameters?: Json[];
  responses: Record<string, Json>;
}

/** As clients read it: plain JSON. */
const document = JSON.parse(JSON.stringify(serviceDocument(catalogue))) as {
  security: Json[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Json>; parameters: Record<string, Json> };
};

/** Pages and their files are not part of the interface. */
const isPage = (path: string) =>
  path === "/" || path === "/robots.txt" || /^\/(c|docs|set-password)(\/|$)/.test(path);

let service: TestService;
before(async () => {
  // The tests of one file send more requests than a user or a visitor may.
  const many = { requests: 5_000, windowMs: 20_000 };
  service = await startStage({ rateLimits: { user: many, public: many }, visitorLimits: true });
  // The first request with a token counts for its address too, the later ones for the token alone.
  await service.get("/v1/people/me");
});
after(() => service.stop());

test("the document is valid OpenAPI 3.1", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
  assert.ok(valid, JSON.stringify(errors, null, 2));
});

test("the first security requirement works for integrations, because tools make samples from it", () => {
  assert.deepEqual(document.security, [{ accessToken: [], clientToken: [] }, { accessToken: [] }]);
  const { security } = document.paths["/v1/webhook-endpoints"]?.["get"] ?? {};
  assert.deepEqual(security, [{ accessToken: [] }]);
});

test("operation ids are unique", () => {
  const names = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  assert.equal(new Set(names).size, names.length);
});

test("the document has exactly the routes of the service", async () => {
  const served = registeredPaths(service.app.printRoutes({ commonPrefix: false }))
    .filter((path) => !isPage(path))
    .map((path) => path.replaceAll(/:(\w+)/g, "{$1}"));
  assert.deepEqual(Object.keys(document.paths).sort(), [...new Set(served)].sort());

  for (const [path, operations] of Object.entries(document.paths)) {
    const answer = await service.request("OPTIONS", path.replace("{id}", service.account.id));
    const allowed = (answer.headers.get("allow") ?? "").split(", ");
    const methods = allowed.filter((method) => method !== "HEAD" && method !== "OPTIONS");
    const described = Object.keys(operations).map((method) => method.toUpperCase());
    assert.deepEqual(described.sort(), methods.sort(), path);
  }
});

/** The paths in the tree that Fastify prints. Each line continues its parent. */
function registeredPaths(tree: string): string[] {
  const parts: string[] = [];
  const paths: string[] = [];
  for (const line of tree.split("\n")) {
    const [, indent, part, methods] = /^((?:│   |    )*)[├└]── (\S+)( \(.*\))?$/.exec(line) ?? [];
    if (indent === undefined || part === undefined) continue;
    parts.length = indent.length / 4;
    parts.push(part);
    if (methods !== undefined) paths.push(parts.join(""));
  }
  return paths;
}

test("a page of a first-party origin may send every operation and read its headers", async () => {
  const listOf = (answer: Answer, name: string) =>
    (answer.headers.get(`access-control-${name}`) ?? "").toLowerCase().split(", ");
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, { operationId, parameters = [] }] of Object.entries(operations)) {
      const asked = parameters
        .map(resolve)
        .flatMap((one) => (one["in"] === "header" ? [String(one["name"]).toLowerCase()] : []));
      const answer = await service.request("OPTIONS", path.replaceAll(/\{\w+\}/g, newId()), {
        as: null,
        headers: {
          "Access-Control-Request-Method": method.toUpperCase(),
          "Access-Control-Request-Headers": ["authorization", "content-type", ...asked].join(),
        },
      });
      assert.equal(answer.status, 204, operationId);
      assert.ok(listOf(answer, "allow-methods").includes(method), operationId);
      const refused = new Set(["authorization", "content-type", ...asked]).difference(
        new Set(listOf(answer, "allow-headers")),
      );
      assert.deepEqual([...refused], [], operationId);
    }
  const read = await service.get("/v1/people/me");
  const exposed = listOf(read, "expose-headers");
  for (const name of Object.keys(ownHeaders)) assert.ok(exposed.includes(name.toLowerCase()), name);
});

const ownFormats = ["country-code", "currency-code", "name", "not-blank", "one-line", "time-zone"];
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
// Formats of the service, which only the service checks.
for (const kind of ownFormats) ajv.addFormat(kind, true);
ajv.addSchema(closed(document) as Json, "openapi");
// As it is: the parts of an `allOf` cannot be closed.
const open = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(open);
for (const kind of ownFormats) open.addFormat(kind, true);
open.addSchema(document as unknown as Json, "openapi");

/** Schemas of responses allow further members. These tests require that each member is described. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, one]) => [name, closed(one)]));
  const isObject = copy["type"] === "object" && Object.keys(copy["properties"] ?? {}).length > 0;
  return isObject ? { additionalProperties: false, ...copy } : copy;
}

const fits = (validate: ValidateFunction | undefined, value: unknown, what: string) => {
  assert.ok(validate, `There is no schema for ${what}.`);
  assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors)}`);
};

const schemaAt = (steps: string[], validator = ajv) =>
  validator.getSchema(
    `openapi#/${steps.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`,
  );

// The schemas ask for absolute URIs where the specification allows references, which ours are: they work on any host.
const lenient = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(lenient);
lenient.addFormat("uri", (value: string) => URL.canParse(value, "http://any.example"));

async function jsonApiSchema(version: string): Promise<ValidateFunction> {
  const file = new URL(`support/jsonapi-${version}-response.schema.json`, import.meta.url);
  return lenient.compile(JSON.parse(await readFile(file, "utf8")) as Json);
}

const jsonApi10 = await jsonApiSchema("1.0");
const jsonApi11 = await jsonApiSchema("1.1");

/** An answer is as its operation says: status, headers and body, and JSON:API besides. */
function isDescribed(answer: Answer, method: string, path: string): void {
  const what = `${method} ${path} ${answer.status}`;
  const operation = document.paths[path]?.[method];
  const status = Object.hasOwn(operation?.responses ?? {}, answer.status)
    ? String(answer.status)
    : "default";
  const described = operation?.responses[status];
  assert.ok(operation && described, `${what} is not described.`);
  const response = resolve(described);
  const headers = (response["headers"] ?? {}) as Record<string, Json>;
  for (const [name, header] of Object.entries(headers))
    assert.ok(!resolve(header)["required"] || answer.headers.has(name), `${what} lacks ${name}.`);
  for (const name of Object.keys(ownHeaders))
    if (answer.headers.has(name))
      assert.ok(
        Object.hasOwn(headers, name) || everyResponse.some((one) => one === name),
        `${what} has an undescribed header ${name}.`,
      );
  assert.ok(answer.headers.has("x-request-id"), what);
  for (const { code } of answer.document.errors ?? [])
    assert.ok(codesOf(operation).includes(code), `${what}: ${code} is not listed.`);
  if (answer.text === "") return assert.equal(response["content"], undefined, what);
  const type = answer.headers.get("content-type") ?? "";
  if (type.startsWith("text/plain"))
    return assert.ok(Object.hasOwn(response["content"] as Json, "text/plain"), what);
  const place = [...placeOf(described, method, path, status), "content", type, "schema"];
  fits(schemaAt(place), answer.document, what);
  fits(jsonApi11, answer.document, `${what} as JSON:API 1.1`);
  // `links.type` of an error is new in 1.1.
  if (!answer.document.errors) fits(jsonApi10, answer.document, `${what} as JSON:API 1.0`);
}

/** The error codes that an operation lists, and the common ones. */
function codesOf({ description = "", operationId, security }: Operation): string[] {
  const [, list = ""] = description.split("Error codes:");
  const own: string[] = [...list.matchAll(/`([a-z-]+)`/g)].map(([, code = ""]) => code);
  if (list.includes("those of linkage"))
    own.push(...codesOfKind(operationId.startsWith("read") ? "Linkage" : "LinkageChange"));
  if (!list.includes("common")) return own;
  if (security?.some((one) => "account" in one)) return [...own, ...commonCodes("public")];
  return [...own, ...commonCodes(security?.length === 1 ? "webhook-management" : "data")];
}

function resolve(value: Json): Json {
  const reference = value["$ref"];
  if (typeof reference !== "string") return value;
  return reference
    .slice(2)
    .split("/")
    .reduce((at, step) => at[step] as Json, document as unknown as Json);
}

function placeOf(described: Json, method: string, path: string, status: string): string[] {
  const reference = described["$ref"];
  return typeof reference === "string"
    ? reference.slice(2).split("/")
    : ["paths", path, method, "responses", status];
}

test("responses match the document", async () => {
  const { account, db } = service;
  const course = await makeCourse(db, account.id);
  const person = await makePerson(db, account.id, { email: "paul@church.example" });
  const teachers = `/v1/courses/${course}/relationships/teachers`;
  const linkage = { data: [{ type: "people", id: person.id }] };

  isDescribed(await service.get("/v1/people?include=roles"), "get", "/v1/people");
  isDescribed(await service.get("/v1/people?page[after]="), "get", "/v1/people");
  isDescribed(await service.get("/v1/people/me"), "get", "/v1/people/{id}");
  isDescribed(await service.get(`/v1/accounts/me`), "get", "/v1/accounts/{id}");
  isDescribed(
    await service.post(teachers, linkage),
    "post",
    "/v1/courses/{id}/relationships/teachers",
  );
  isDescribed(await service.get(teachers), "get", "/v1/courses/{id}/relationships/teachers");
  isDescribed(
    await service.get(`/v1/courses/${course}?include=teachers&fields[people]=full-name`),
    "get",
    "/v1/courses/{id}",
  );
  isDescribed(
    await service.get(`/v1/courses/${course}/teachers`),
    "get",
    "/v1/courses/{id}/teachers",
  );
  isDescribed(
    await service.get(`/v1/courses/${course}/created-by`),
    "get",
    "/v1/courses/{id}/created-by",
  );
  isDescribed(await service.delete(`/v1/courses/${course}`), "delete", "/v1/courses/{id}");

  const read = await service.get("/v1/people/me");
  const again = await service.get("/v1/people/me", {
    headers: { "If-None-Match": read.headers.get("etag") },
  });
  assert.equal(again.status, 304);
  isDescribed(again, "get", "/v1/people/{id}");
});

test("a response with sparse fields is valid for every type", async () => {
  const { db } = service;
  const account = await makeAccount(db);
  const as = await makeToken(db, account.id, account.administrator.id);
  await furnish(db, catalogue, account, specialMakers(db, account.id));
  for (const [type, resource] of catalogue.resources) {
    if (!resource.operations.list) continue;
    const [attribute] = Object.keys(resource.attributes);
    for (const fields of ["", attribute]) {
      const path = `/v1/${type}?fields[${type}]=${fields}`;
      const list = await service.get(path, { as });
      assert.equal(list.status, 200, `${path} ${list.text}`);
      isDescribed(list, "get", `/v1/${type}`);
    }
  }
});

test("responses of the public area match the document", async () => {
  const { db } = service;
  const account = await makeAccount(db);
  await openPublicArea(db, account.id);
  const rows = await furnish(db, catalogue, account, specialMakers(db, account.id));
  for (const table of ["cells", "courses", "course_classes"])
    await db`update ${db(table)} set is_public = true where account_id = ${account.id}`;
  await db`update course_classes set status = 'open' where account_id = ${account.id}`;
  await db`
    update forms set status = 'open', requires_login = false, opens_at = null, closes_at = null, max_submissions = null
    where account_id = ${account.id}`;
  const visitor = visitorOf(account.id);
  for (const { type, operations } of catalogue.publicTypes.values()) {
    const path = `/p/v1/${type}`;
    const one = await service.get(`${path}/${rows.get(type)}`, visitor);
    assert.equal(one.status, 200, one.text);
    isDescribed(one, "get", `${path}/{id}`);
    isDescribed(await service.get(`${path}/1`, visitor), "get", `${path}/{id}`);
    isDescribed(await service.get(`${path}/1`), "get", `${path}/{id}`);
    if (!operations.list) continue;
    const list = await service.get(path, visitor);
    assert.notEqual(list.document.meta?.["total"], 0, path);
    isDescribed(list, "get", path);
    const headers = { ...visitor.headers, "If-None-Match": etag(list) };
    isDescribed(await service.get(path, { ...visitor, headers }), "get", path);
  }
});

test("health checks are not rate-limited", async () => {
  for (const path of ["/livez", "/readyz"]) {
    const answer = await service.get(path);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(
      [...answer.headers.keys()].filter((name) => name.startsWith("ratelimit")),
      [],
    );
    isDescribed(answer, "get", path);
  }
  const stopping = await startStage({ rateLimits: true });
  await stopping.db.end();
  const answer = await stopping.get("/readyz");
  assert.equal(answer.status, 503, answer.text);
  isDescribed(answer, "get", "/readyz");
  await stopping.stop();
});

test("error responses match the document", async () => {
  const refusals: [Promise<Answer>, string, string, number][] = [
    [service.get("/v1/people?sort=shoe-size&filter[x]=1"), "get", "/v1/people", 400],
    [service.get("/v1/people", { as: null }), "get", "/v1/people", 401],
    [service.get("/v1/people/nobody"), "get", "/v1/people/{id}", 404],
    [
      service.get("/v1/people", { headers: { Accept: "application/vnd.api+json; ext=x" } }),
      "get",
      "/v1/people",
      406,
    ],
    [
      service.post("/v1/people", { data: { type: "courses", attributes: {} } }),
      "post",
      "/v1/people",
      409,
    ],
    [
      service.post("/v1/people", { data: { type: "people", attributes: { shoes: 43 } } }),
      "post",
      "/v1/people",
      422,
    ],
    [
      service.delete(`/v1/people/${service.account.administrator.id}`),
      "delete",
      "/v1/people/{id}",
      409,
    ],
  ];
  for (const [answering, method, path, status] of refusals) {
    const answer = await answering;
    assert.equal(answer.status, status, answer.text);
    isDescribed(answer, method, path);
  }
});

/** The JSON:API example of an operation's body. */
function exampleOf(operation: Operation): Json | undefined {
  const { requestBody } = operation as unknown as {
    requestBody?: { content: Record<string, { example?: Json }> };
  };
  return requestBody?.content["application/vnd.api+json"]?.example;
}

const isCreation = (path: string) => /^\/v1\/[a-z-]+$/.test(path);

/** The demo account has no import and no verified receiver. */
const needsMore = new Set([
  "/v1/import-runs",
  "/v1/import-undos",
  "/v1/webhook-endpoint-secret-rotations",
  "/v1/webhook-endpoint-verifications",
  "/v1/webhook-redeliveries",
  "/v1/webhook-replays",
  "/v1/webhook-test-deliveries",
]);

test("the demo account accepts every example of a create as it stands", async (t) => {
  const demo = await startStage();
  t.after(() => demo.stop());
  await demo.db`update accounts set status = 'inactive' where id = ${demo.account.id}`;
  await deleteAccount(demo.db, await findAccount(demo.db, demo.account.alias));
  const directory = await freshDirectory();
  t.after(() => directory.remove());
  const made = await makeDemoOnce(demo.db, filesIn(directory.path, PUBLIC_URL).store);
  const [administrator] = await demo.db<{ id: string; accountId: string }[]>`
    select id, account_id as "accountId" from people
    where administrative_status = 'full-administrator'`;
  assert.ok(made && administrator);
  const login = await makeToken(demo.db, administrator.accountId, administrator.id);
  for (const [path, { post }] of Object.entries(document.paths)) {
    const example = post && exampleOf(post);
    if (!example || !isCreation(path) || path.startsWith("/v1/password-") || needsMore.has(path))
      continue;
    const answer = await demo.post(path, example, { as: login });
    const created = path === "/v1/access-token-revocations" ? 204 : 201;
    assert.equal(answer.status, created, `${path} ${answer.text}`);
  }
});

test("the service accepts every example once its ids are replaced", async () => {
  const { account, db } = service;
  const person = await makePerson(db, account.id, { email: "invited@church.example" });
  const [role] = many(await service.get("/v1/roles"));
  const rows = await furnish(db, catalogue, account, specialMakers(db, account.id));
  const known: Record<string, string> = {
    ...Object.fromEntries(rows),
    people: person.id,
    roles: role?.id ?? "",
  };
  known["other people"] = (await makePerson(db, account.id)).id;
  const endpoint = await makeEndpoint(db, account.id, { status: "active" });

  for (const [path, { patch, post }] of Object.entries(document.paths)) {
    const type = path.split("/").at(2) ?? "";
    const body = post && exampleOf(post);
    if (
      body &&
      isCreation(path) &&
      (catalogue.commands.has(type) || catalogue.resources.has(type))
    ) {
      const headers = { "Idempotency-Key": newId() };
      // A transfer moves people from one cell to another.
      if (type === "cell-transfers") {
        const cell_id = await makeCell(db, account.id);
        const person_id = (await makePerson(db, account.id)).id;
        known["other cell-memberships"] = await makeRow(db, "cell_memberships", account.id, {
          cell_id,
          person_id,
          cell_role: "host",
        });
      }
      const ids = {
        ...known,
        "webhook-endpoints": known["webhook-endpoints"] ?? endpoint,
        // Later examples name the other person.
        ...(type === "person-anonymizations" && {
          "other people": (await makePerson(db, account.id)).id,
        }),
      };
      const answer = await service.post(path, withIds(body, ids), { headers });
      // Commands depend on the state of the endpoint, the delivery or the import job.
      const allowed = dependsOnState(type) ? [201, 202, 404, 409] : [201];
      assert.ok(allowed.includes(answer.status), `${path} ${answer.text}`);
      if (!dependsOnState(type)) known[type] = one(answer).id;
      // Attendances and completions need an active enrollment of the class.
      if (type === "course-classes")
        known["course-enrollments"] = await makeEnrollment(db, account.id, one(answer).id);
      isDescribed(answer, "post", path);
    }
    if (patch && path === `/v1/${type}/{id}`) {
      const id = type === "accounts" ? account.id : (known[type] ?? "");
      const at = `/v1/${type}/${id}`;
      const headers = { "If-Match": etag(await service.get(at)) };
      const answer = await service.patch(at, withIds(exampleOf(patch), { ...known, [type]: id }), {
        headers,
      });
      assert.equal(answer.status, 200, `${at} ${answer.text}`);
      isDescribed(answer, "patch", path);
    }
  }
});

const dependsOnState = (type: string) =>
  (type.startsWith("webhook-") && type !== "webhook-endpoints") ||
  ["import-runs", "import-undos"].includes(type);

/** The ids of an example, replaced by ids of existing resources of the type. */
function withIds(value: unknown, ids: Record<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => withIds(each, ids));
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withIds(each, ids)]),
  );
  if (Object.hasOwn(copy, "endpoint-id")) copy["endpoint-id"] = ids["webhook-endpoints"];
  if (Object.hasOwn(copy, "enrollment-id")) copy["enrollment-id"] = ids["course-enrollments"];
  if (Object.hasOwn(copy, "person-id")) copy["person-id"] = ids["people"];
  const { id, type } = copy as { id?: unknown; type?: unknown };
  if (typeof id !== "string" || typeof type !== "string") return copy;
  const which = id.includes("-8000-") ? type : `other ${type}`;
  return { ...copy, id: ids[which] ?? ids[type] ?? id };
}

test("boolean filters accept lists, as the document says", async () => {
  let booleans = 0;
  for (const [type, { filters, operations }] of catalogue.resources)
    for (const [name, { match }] of Object.entries(filters)) {
      if (!operations.list || !["boolean", "exists"].includes(match)) continue;
      booleans++;
      const parameters = (document.paths[`/v1/${type}`]?.["get"]?.parameters ?? []).map(resolve);
      const described = parameters.find((one) => one["name"] === `filter[${name}]`);
      assert.equal(described?.["explode"], false);
      assert.partialDeepStrictEqual(resolve(described["schema"] as Json), {
        type: "array",
        items: { type: "boolean" },
      });
      const answer = await service.get(`/v1/${type}?filter[${name}]=true,false`);
      assert.equal(answer.status, 200, answer.text);
    }
  assert.ok(booleans > 0);
});

test("examples match their schemas", () => {
  const media = (value: unknown, place: string[]): void => {
    if (typeof value !== "object" || value === null) return;
    if (
      Object.hasOwn(value, "schema") &&
      Object.hasOwn(value, "example") &&
      !Object.hasOwn(value, "in")
    )
      fits(schemaAt([...place, "schema"], open), (value as Json)["example"], place.join(" "));
    for (const [name, each] of Object.entries(value)) media(each, [...place, name]);
  };
  for (const part of ["paths", "webhooks"] as const) media(document[part], [part]);
  media((document.components as unknown as Json)["responses"], ["components", "responses"]);
});

test("every captured event type has a webhook whose schema its example matches", () => {
  const names = Object.entries(catalogue.declared.events).flatMap(([name, one]) =>
    one.captured ? [name] : [],
  );
  assert.deepEqual(
    Object.keys(document.webhooks).sort(),
    [...names, "webhook.test", "webhook.verification"].sort(),
  );
  for (const name of names)
    fits(
      schemaAt(["webhooks", name, "post", "requestBody", "content", MEDIA_TYPE, "schema"], open),
      exampleOfEvent(name, catalogue.declared.eventExamples),
      name,
    );
});

test("a captured event matches the schema of its message", async () => {
  const { account, db } = service;
  await makeEndpoint(db, account.id, {
    status: "active",
    events: ["person.created", "course.created"],
  });
  await service.post("/v1/people", {
    data: { type: "people", attributes: { "full-name": "Eve" } },
  });
  await service.post("/v1/courses", { data: { type: "courses", attributes: { name: "Hope" } } });
  const told = await service.get("/v1/webhook-events");
  assert.equal(told.status, 200, told.text);
  const events = many(told);
  for (const [eventType, name] of [
    ["person.created", "Person"],
    ["course.created", "Course"],
  ] as const) {
    const event = events.find(({ attributes }) => attributes["event-type"] === eventType);
    const { attributes } = one(await service.get(`/v1/webhook-events/${event?.id}`));
    fits(schemaAt(["components", "schemas", `${name}Snapshot`]), attributes["snapshot"], name);
  }
});

test("the two control messages match their schemas", () => {
  const control = {
    id: newId(),
    createdAt: "2026-03-01T09:30:00.000Z",
    expiresAt: "2026-03-01T09:45:00.000Z",
    destinationVersion: 1,
    verificationGeneration: 1,
  };
  for (const [kind, challenge] of [
    ["verification", "a challenge"],
    ["test", null],
  ] as const) {
    const body = controlBody(
      { ...control, controlType: `webhook.${kind}`, challenge },
      { deliveryId: newId(), kind, attempt: 1 },
    );
    const place = ["webhooks", `webhook.${kind}`, "post", "requestBody", "content", MEDIA_TYPE];
    fits(schemaAt([...place, "schema"]), JSON.parse(String(body)), kind);
  }
});

test("every component is reached without the webhooks, because generators remove the others", () => {
  const { webhooks: _, ...rest } = document;
  const reached = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, reference = ""] of JSON.stringify(value).matchAll(/"#\/(components\/[^"]+)"/g)) {
      if (reached.has(reference)) continue;
      reached.add(reference);
      visit(resolve({ $ref: `#/${reference}` }));
    }
  };
  visit(rest.paths);
  const components = Object.entries(document.components).flatMap(([kind, all]) =>
    kind === "securitySchemes" ? [] : Object.keys(all).map((name) => `components/${kind}/${name}`),
  );
  assert.deepEqual(
    components.filter((one) => !reached.has(one)),
    [],
  );
});

/** Whether the service accepts a value, for values at the edges of what the document allows. */
const edges: [path: string, filter: string, values: [value: string, isAccepted: boolean][]][] = [
  [
    "/v1/people",
    "phone",
    [
      ["12", false],
      ["1a2", false],
      ["1-2 (3", true],
      ["٣٣٣", false],
    ],
  ],
  [
    "/v1/cells",
    "near",
    [
      ["-22.9,-47.06,5", true],
      ["90,-180,500", true],
      ["90.0,179.99,0.5", true],
      ["90.1,0,5", false],
      ["91,0,5", false],
      ["0,181,5", false],
      ["0,180.5,5", false],
      ["0,0,0", false],
      ["0,0,0.0", false],
      ["0,0,500.5", false],
      ["0,0,501", false],
      ["0,0", false],
      ["0,0,1,1", false],
    ],
  ],
];

test("the patterns of filters allow exactly what the service accepts", async () => {
  for (const [path, filter, values] of edges) {
    const parameters = (document.paths[path]?.["get"]?.parameters ?? []).map(resolve);
    const { schema } = parameters.find(({ name }) => name === `filter[${filter}]`) ?? {};
    const pattern = new RegExp(String((schema as Json)["pattern"]), "u");
    for (const [value, isAccepted] of values) {
      const answer = await service.get(`${path}?filter[${filter}]=${encodeURIComponent(value)}`);
      assert.equal(answer.status, isAccepted ? 200 : 400, `${value} ${answer.text}`);
      assert.equal(pattern.test(value), isAccepted, value);
    }
  }
});

test("generators get usable names: no empty enum, no unused component, no two types of one name", () => {
  const { components } = document as unknown as {
    components: Record<string, Record<string, Json>>;
  };
  const text = JSON.stringify(document);
  assert.doesNotMatch(text, /"enum":\[\]/);
  // Types of these names would hide those of a language.
  for (const name of ["Date", "Error", "File", "Map", "Object", "Set"])
    assert.equal(components["schemas"]?.[name], undefined, name);
  for (const [path, { post, put }] of Object.entries(document.paths))
    assert.equal(JSON.stringify([post, put]).includes('"*/*"'), false, path);
  for (const [kind, all] of Object.entries(components))
    if (kind !== "securitySchemes")
      for (const name of Object.keys(all))
        assert.ok(text.includes(`"#/components/${kind}/${name}"`), `${kind}/${name} is unused.`);

  // Generators name the type of an inline enum, constant or object after its schema and its member.
  const names = Object.keys(components["schemas"] ?? {});
  const nested = Object.entries(components["schemas"] ?? {}).flatMap(
    ([name, { properties = {} }]) =>
      Object.entries(properties as Record<string, Json>)
        .filter(([, one]) => one["enum"] ?? one["const"] ?? one["properties"])
        .map(([member]) => name + pascal(member)),
  );
  assert.deepEqual(
    nested.filter((name) => names.includes(name)),
    [],
  );
});

test("bodies that create or change a resource are closed", () => {
  for (const [name, schema] of Object.entries(document.components.schemas))
    if (/^New|Changes(Attributes|Relationships)?$|ToManyChange$|ToOneChange$/.test(name))
      assert.equal(schema["additionalProperties"], false, name);
  const { properties } = document.components.schemas["NewWebhookEndpointAttributes"] ?? {};
  assert.deepEqual(Object.keys(properties ?? {}).sort(), ["events", "name", "url"]);
});
