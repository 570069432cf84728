import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describedCatalogue } from "../src/catalogue.ts";
import { serviceDocument } from "../src/contract/openapi-extras.ts";
import { headers as ownHeaders } from "../src/contract/answers.ts";
import { nameOf } from "../src/contract/schemas.ts";
import { newId } from "../src/base/ids.ts";
import { makeCourse, makePerson } from "./support/make.ts";
import { type Answer, etag, one, startService, type TestService } from "./support/service.ts";

type Json = Record<string, unknown>;
interface Operation {
  operationId: string;
  security?: Json[];
  responses: Record<string, Json>;
}

/** As it is read by others: plain JSON. */
const document = JSON.parse(JSON.stringify(serviceDocument())) as {
  security: Json[];
  paths: Record<string, Record<string, Operation>>;
  components: { examples: Record<string, { value: Json }>; schemas: Json };
};

/** Pages for people, and what they are made of: no part of the interface. */
const isPage = (path: string) => path === "/" || path === "/docs" || path.startsWith("/docs/");

let service: TestService;
before(async () => {
  service = await startService({ rateLimits: true });
  // From here on the token is known to be good, and what is asked with it counts for nobody else.
  await service.get("/v1/people/me");
});
after(() => service.stop());

test("it is valid OpenAPI 3.1", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
  assert.ok(valid, JSON.stringify(errors, null, 2));
});

test("the way to call that is listed first is an integration's, since tools make their samples of it", () => {
  assert.deepEqual(document.security, [{ accessToken: [], clientToken: [] }, { accessToken: [] }]);
  const { security } = document.paths["/v1/webhook-endpoints"]?.["get"] ?? {};
  assert.deepEqual(security, [{ accessToken: [] }]);
});

test("every operation has a name of its own", () => {
  const names = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  assert.equal(new Set(names).size, names.length);
});

test("it describes every route the service has, and no other", async () => {
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

/** The paths in the tree that Fastify prints: each line continues the one it hangs on. */
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

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
// Ours, which the service alone judges.
for (const kind of ["country-code", "currency-code", "not-blank", "time-zone"])
  ajv.addFormat(kind, true);
ajv.addSchema(closed(document) as Json, "openapi");

/** Answers may gain members, so the schemas allow them; these tests want each one described. */
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

const schemaAt = (...steps: string[]) =>
  ajv.getSchema(
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
  const described = document.paths[path]?.[method]?.responses[answer.status];
  assert.ok(described, `${what} is not described.`);
  const response = resolve(described);
  for (const name of Object.keys((response["headers"] ?? {}) as Json))
    assert.ok(name === "Idempotent-Replay" || answer.headers.has(name), `${what} lacks ${name}.`);
  for (const name of Object.keys(ownHeaders))
    if (answer.headers.has(name))
      assert.ok(
        Object.hasOwn((response["headers"] ?? {}) as Json, name),
        `${what} tells no ${name}.`,
      );
  if (answer.text === "") return assert.equal(response["content"], undefined, what);
  const type = answer.headers.get("content-type") ?? "";
  if (type.startsWith("text/plain"))
    return assert.ok(Object.hasOwn(response["content"] as Json, "text/plain"), what);
  fits(
    schemaAt(...placeOf(described, method, path, answer.status), "content", type, "schema"),
    answer.document,
    what,
  );
  fits(jsonApi11, answer.document, `${what} as JSON:API 1.1`);
  // `links.type` of an error is new in 1.1.
  if (!answer.document.errors) fits(jsonApi10, answer.document, `${what} as JSON:API 1.0`);
}

function resolve(value: Json): Json {
  const reference = value["$ref"];
  if (typeof reference !== "string") return value;
  return reference
    .slice(2)
    .split("/")
    .reduce((at, step) => at[step] as Json, document as unknown as Json);
}

function placeOf(described: Json, method: string, path: string, status: number): string[] {
  const reference = described["$ref"];
  return typeof reference === "string"
    ? reference.slice(2).split("/")
    : ["paths", path, method, "responses", String(status)];
}

test("answers are as it describes them", async () => {
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

test("what is not counted carries no quota, and is not said to", async () => {
  for (const path of ["/livez", "/readyz"]) {
    const answer = await service.get(path);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(
      [...answer.headers.keys()].filter((name) => name.startsWith("ratelimit")),
      [],
    );
    isDescribed(answer, "get", path);
    assert.equal(document.paths[path]?.["get"]?.responses["429"], undefined);
  }
  const stopping = await startService({ rateLimits: true });
  await stopping.db.end();
  const answer = await stopping.get("/readyz");
  assert.equal(answer.status, 503, answer.text);
  isDescribed(answer, "get", "/readyz");
  await stopping.stop();
});

test("refusals are as it describes them", async () => {
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

/** What is done to something that has to be in the state for it. */
const isAction = (type: string) =>
  describedCatalogue.commands.has(type) ||
  Object.values(describedCatalogue.resources.get(type)?.relationships ?? {}).some(
    (one) => one.kind === "to-one" && one.subject,
  );

test("what it shows as requests is accepted", async () => {
  const { account, db } = service;
  const person = await makePerson(db, account.id);
  const role = one(await service.get("/v1/roles").then(first)).id;
  const known: Record<string, string> = { people: person.id, roles: role };

  for (const [path, operations] of Object.entries(document.paths)) {
    const type = path.split("/").at(2) ?? "";
    const { post, patch } = operations;
    if (post && path === `/v1/${type}` && exampleOf(post)) {
      const headers = { "Idempotency-Key": newId() };
      const answer = await service.post(path, withIds(exampleOf(post), known), { headers });
      // What an action is about may not be there, or not in the state for it.
      if (isAction(type)) assert.ok([201, 202, 404, 409].includes(answer.status), answer.text);
      else {
        assert.ok([201, 202].includes(answer.status), answer.text);
        known[type] = one(answer).id;
      }
      isDescribed(answer, "post", path);
    }
    if (patch && path === `/v1/${type}/{id}`) {
      const id = type === "accounts" ? account.id : (known[type] ?? "");
      const at = `/v1/${type}/${id}`;
      const headers = { "If-Match": etag(await service.get(at)) };
      const body = withIds(exampleOf(patch), { ...known, [type]: id });
      const answer = await service.patch(at, body, { headers });
      assert.equal(answer.status, 200, answer.text);
      isDescribed(answer, "patch", path);
    }
  }
});

const first = (answer: Answer): Answer => ({
  ...answer,
  document: { data: (answer.document.data as unknown[])[0] },
});

function exampleOf(operation: Operation): Json | undefined {
  const { requestBody } = operation as unknown as {
    requestBody: { content: Record<string, { examples?: { default: Json } }> };
  };
  const [media] = Object.values(requestBody.content);
  const example = media?.examples?.default;
  return example && (resolve(example)["value"] as Json);
}

/** The ids of an example are nobody's here: in their place, ids of what there is, by type. */
function withIds(value: unknown, ids: Record<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => withIds(each, ids));
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withIds(each, ids)]),
  );
  return typeof copy["id"] === "string" && typeof copy["type"] === "string"
    ? { ...copy, id: ids[copy["type"]] ?? copy["id"] }
    : copy;
}

test("filters that take several values are described as lists, booleans among them", async () => {
  const { parameters } = document.components as unknown as {
    parameters: Record<string, { name: string; schema: Json; explode?: boolean }>;
  };
  let booleans = 0;
  for (const [type, { filters, operations }] of describedCatalogue.resources)
    for (const [name, { match }] of Object.entries(filters)) {
      if (!["boolean", "exists"].includes(match)) continue;
      booleans++;
      const described = parameters[`${nameOf(type)}Filter.${name}`];
      assert.deepEqual(
        [
          described?.name,
          described?.schema["type"],
          described?.schema["items"],
          described?.explode,
        ],
        [`filter[${name}]`, "array", { type: "boolean" }, false],
      );
      if (!operations.list) continue;
      const answer = await service.get(`/v1/${type}?filter[${name}]=true,false`);
      assert.equal(answer.status, 200, answer.text);
    }
  assert.ok(booleans > 0);
});

test("what it shows as answers fits its own schemas", () => {
  for (const [name, { value }] of Object.entries(document.components.examples)) {
    const schema = name.startsWith("error.") ? "Errors" : name;
    fits(schemaAt("components", "schemas", schema), value, `The example ${name}`);
  }
});
