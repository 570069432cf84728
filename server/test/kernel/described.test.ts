import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { commonCodes } from "../../src/contract/error-codes.ts";
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

/** As clients read it: plain JSON. */
const document = JSON.parse(
  JSON.stringify(openApiDocument(catalogue, { title: "Signposts", version: "1" })),
) as {
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

/** The error codes that an operation lists. */
function refusals(method: string, path: string): string[] {
  const [, list = ""] = operation(method, path).description.split("Error codes:");
  return [...list.matchAll(/`([a-z-]+)`/g)].map(([, code = ""]) => code);
}

const bodyOf = (method: string, path: string) =>
  ((operation(method, path).requestBody ?? {})["content"] ?? {}) as Record<
    string,
    { example?: unknown; schema: { $ref: string } }
  >;

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

test("the document is valid OpenAPI 3.1, and its examples match its schemas", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
  assert.ok(valid, JSON.stringify(errors, null, 2));
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document as unknown as Json, "openapi");
  let checked = 0;
  for (const [method, path] of routes)
    for (const { example, schema } of Object.values(bodyOf(method, path))) {
      if (example === undefined) continue;
      checked++;
      const validate = ajv.getSchema(`openapi${schema.$ref}`);
      assert.ok(validate?.(example), `${method} ${path}: ${ajv.errorsText(validate?.errors)}`);
    }
  assert.ok(checked > 3);
});

test("every reference has a target", () => {
  for (const [, reference = ""] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g))
    assert.notEqual(resolve({ $ref: reference })["$ref"], reference, reference);
});

test("management operations take the access token alone and list its error codes", () => {
  assert.equal(routes.length, 13);
  for (const [method, path] of routes) {
    assert.deepEqual(operation(method, path).security, [{ accessToken: [] }], path);
    assert.match(
      operation(method, path).description,
      /and the common ones\.$|: the common ones\.$/,
    );
  }
  const common: string[] = commonCodes("webhook-management");
  for (const code of ["client-token-unsupported", "origin-not-allowed", "credentials-missing"])
    assert.ok(common.includes(code), code);
  for (const code of ["client-token-missing", "client-token-invalid", "church-not-approved"])
    assert.ok(!common.includes(code), code);
});

test("a type with a version tag requires If-Match", () => {
  for (const method of ["patch", "delete"]) {
    const { required, schema } = parameter(method, "/v1/signposts/{id}", "If-Match") ?? {};
    assert.deepEqual([required, schema?.["pattern"]], [true, '^"signpost-\\d+"$']);
    assert.ok(refusals(method, "/v1/signposts/{id}").includes("precondition-required"));
  }
  assert.equal(parameter("get", "/v1/signposts/{id}", "If-None-Match"), undefined);
  assert.equal(operation("get", "/v1/signposts/{id}").responses["304"], undefined);
  assert.ok(parameter("get", "/v1/signpost-entries/{id}", "If-None-Match"));
});

test("the idempotency key is required, optional or absent, and a secret is announced", () => {
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
    assert.match(operation(method, path).description, /`data\.meta` of the response/);
  }
});

test("a command has its body and its response", () => {
  const { requestBody, responses } = operation("post", "/v1/signpost-renewals");
  assert.match(JSON.stringify(requestBody), /schemas\/NewSignpostRenewal"/);
  assert.match(JSON.stringify(responses["201"]), /schemas\/SignpostDocument"/);
  assert.ok(operation("post", "/v1/signpost-inspections").responses["202"]);
  const [body] = Object.values(bodyOf("post", "/v1/signpost-renewals"));
  assert.partialDeepStrictEqual(body?.example, {
    data: {
      type: "signpost-renewals",
      relationships: { signpost: { data: { type: "signposts" } } },
    },
  });
});

test("page sizes, details and filters follow the definition", () => {
  assert.equal(parameter("get", "/v1/signposts", "page[size]")?.schema["default"], 2);
  assert.equal(parameter("get", "/v1/signpost-entries", "page[size]")?.schema["default"], 100);
  assert.equal(parameter("get", "/v1/signpost-entries", "filter[modified-since]"), undefined);
  assert.ok(parameter("get", "/v1/signposts", "filter[created-since]"));
  const attributes = JSON.stringify(document.components["schemas"]?.["SignpostAttributes"]);
  assert.match(attributes, /Returned for a single resource, not in lists\./);
});

test("explain prints all parts of a definition", () => {
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
  says("signposts", "normalized-url one-line read-only not in lists normalized_url");
  says("signpost-entries", '"<hash>": there are no versions');
  says(
    "signpost-renewals",
    "POST /v1/signpost-renewals full administrator answers 201 with one of signposts Idempotency-Key required, shows a secret once",
  );
  says("signpost-renewals", "signpost signposts required");
  says("signpost-renewals", "reason one-line or null optional");
  const [, ...known] = lines("nonsense");
  assert.deepEqual(known, [...catalogue.resources.keys(), ...catalogue.commands.keys()]);
});
