import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { codes } from "../../src/base/errors.ts";
import { explain } from "../../src/contract/explain.ts";
import { openApiDocument } from "../../src/contract/openapi.ts";
import { catalogue } from "./definitions.ts";

type Json = Record<string, unknown>;
interface Operation {
  description: string;
  security?: Json[];
  parameters: { $ref: string }[];
  responses: Record<string, Json>;
  requestBody: Json;
}

/** As it is read by others: plain JSON. */
const document = JSON.parse(JSON.stringify(openApiDocument(catalogue, { version: "1" }))) as {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Json>>;
};

function resolve(value: Json): Json {
  const [, kind = "", name = ""] = /^#\/components\/(\w+)\/(.+)$/.exec(String(value["$ref"])) ?? [];
  return document.components[kind]?.[name] ?? value;
}

function operation(method: string, path: string): Operation {
  const found = document.paths[path]?.[method];
  assert.ok(found, `${method} ${path}`);
  return found;
}

/** Every code an operation may be refused with. */
function refusals(method: string, path: string): string[] {
  const { responses } = operation(method, path);
  return Object.values(responses).flatMap((response) => {
    const { content } = resolve(response) as { content?: Record<string, { examples?: Json }> };
    return Object.values(content ?? {}).flatMap(({ examples }) =>
      Object.keys(examples ?? {}).filter((name) => Object.hasOwn(codes, name)),
    );
  });
}

const parametersOf = (method: string, path: string) =>
  operation(method, path).parameters.map((one) => resolve(one)) as {
    name: string;
    required?: true;
    schema: Json;
  }[];
const parameter = (method: string, path: string, name: string) =>
  parametersOf(method, path).find((one) => one.name === name);

const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.keys(operations).map((method) => [method, path] as const),
);

test("it is valid OpenAPI 3.1, whose examples fit its own schemas", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
  assert.ok(valid, JSON.stringify(errors, null, 2));
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document as unknown as Json, "openapi");
  for (const [name, { value }] of Object.entries(document.components["examples"] ?? {})) {
    const schema = name.startsWith("error.") ? "Errors" : name;
    const validate = ajv.getSchema(`openapi#/components/schemas/${schema}`);
    assert.ok(validate?.(value), `${name}: ${ajv.errorsText(validate?.errors)}`);
  }
});

test("every reference leads somewhere", () => {
  for (const [, reference = ""] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g))
    assert.notEqual(resolve({ $ref: reference })["$ref"], reference, reference);
});

test("management is asked for with a bearer alone, and refused accordingly", () => {
  assert.equal(routes.length, 13);
  for (const [method, path] of routes) {
    assert.deepEqual(operation(method, path).security, [{ accessToken: [] }], path);
    const said = refusals(method, path);
    for (const code of ["client-token-unsupported", "origin-not-allowed", "credentials-missing"])
      assert.ok(said.includes(code), `${method} ${path} ${code}`);
    for (const code of ["client-token-missing", "client-token-invalid", "church-not-approved"])
      assert.ok(!said.includes(code), `${method} ${path} ${code}`);
  }
});

test("a version that must be named is a parameter one must send", () => {
  for (const method of ["patch", "delete"]) {
    const { required, schema } = parameter(method, "/v1/signposts/{id}", "If-Match") ?? {};
    assert.deepEqual([required, schema?.["pattern"]], [true, '^"signpost-\\d+"$']);
    assert.ok(refusals(method, "/v1/signposts/{id}").includes("precondition-required"));
  }
  assert.equal(parameter("get", "/v1/signposts/{id}", "If-None-Match"), undefined);
  assert.equal(operation("get", "/v1/signposts/{id}").responses["304"], undefined);
  assert.ok(parameter("get", "/v1/signpost-entries/{id}", "If-None-Match"));
});

test("a key is required, taken or passed over, and a secret is announced", () => {
  const KEY = "Idempotency-Key";
  assert.equal(parameter("post", "/v1/signposts", KEY), undefined);
  for (const code of ["idempotency-key-reused", "secret-superseded"])
    assert.ok(!refusals("post", "/v1/signposts").includes(code), code);
  assert.equal(parameter("patch", "/v1/signposts/{id}", KEY)?.required, undefined);
  assert.equal(parameter("post", "/v1/signpost-renewals", KEY)?.required, true);
  assert.ok(refusals("post", "/v1/signpost-renewals").includes("idempotency-key-required"));
  for (const [method, path] of [
    ["patch", "/v1/signposts/{id}"],
    ["post", "/v1/signpost-renewals"],
  ] as const) {
    assert.ok(refusals(method, path).includes("secret-superseded"));
    assert.match(operation(method, path).description, /`data\.meta` of the answer/);
  }
});

test("a command is described by what it takes and what it answers", () => {
  const { requestBody, responses } = operation("post", "/v1/signpost-renewals");
  assert.match(JSON.stringify(requestBody), /schemas\/NewSignpostRenewal"/);
  assert.match(JSON.stringify(responses["201"]), /schemas\/SignpostDocument"/);
  assert.ok(operation("post", "/v1/signpost-inspections").responses["202"]);
  const { value } = document.components["examples"]?.["NewSignpostRenewal"] ?? {};
  assert.partialDeepStrictEqual(value, {
    data: {
      type: "signpost-renewals",
      relationships: { signpost: { data: { type: "signposts" } } },
    },
  });
});

test("pages, details and filters are as the type has them", () => {
  assert.equal(parameter("get", "/v1/signposts", "page[size]")?.schema["default"], 2);
  assert.equal(parameter("get", "/v1/signpost-entries", "page[size]")?.schema["default"], 100);
  assert.equal(parameter("get", "/v1/signpost-entries", "filter[modified-since]"), undefined);
  assert.ok(parameter("get", "/v1/signposts", "filter[created-since]"));
  const attributes = JSON.stringify(document.components["schemas"]?.["SignpostAttributes"]);
  assert.match(attributes, /Shown where one resource is read; lists leave it out\./);
});

test("explain tells of all of it", () => {
  const lines = (type: string) =>
    explain(catalogue, type)
      .split("\n")
      .map((line) => line.trim().replaceAll(/ {2,}/g, " "));
  const says = (type: string, line: string) =>
    assert.ok(lines(type).includes(line), `${line}\nis not in\n${lines(type).join("\n")}`);
  says("signposts", "webhook-management");
  says("signposts", "of which webhook_endpoints.status <> 'deleted'");
  says("signposts", '"signpost-<version>": changes and deletions need it in If-Match');
  says(
    "signposts",
    "POST /v1/signposts full administrator written by hand, Idempotency-Key ignored, shows a secret once",
  );
  says("signposts", "normalized-url string read-only not in lists normalized_url");
  says("signpost-entries", '"<hash>": there are no versions');
  says(
    "signpost-renewals",
    "POST /v1/signpost-renewals full administrator answers 201 with one of signposts Idempotency-Key required, shows a secret once",
  );
  says("signpost-renewals", "signpost signposts required");
  says("signpost-renewals", "reason string or null optional");
  const [, ...known] = lines("nonsense");
  assert.deepEqual(known, [...catalogue.resources.keys(), ...catalogue.commands.keys()]);
});
