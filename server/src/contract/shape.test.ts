import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "./json.ts";
import { shape } from "./shape.ts";

const text: Json = { type: "string" };

const cases: [string, Json, string][] = [
  ["a reference is a name", { $ref: "#/components/schemas/Email" }, "Email"],
  ["bounds", { ...text, minLength: 1, maxLength: 9 }, "string 1..9"],
  ["a lowest number", { type: "integer", minimum: 0 }, "integer 0.."],
  ["null comes last", { type: ["string", "null"], maxLength: 9 }, "string ..9 | null"],
  ["a format and a pattern", { ...text, format: "date", pattern: "^2" }, "string (date) /^2/"],
  ["an enumeration", { ...text, enum: ["a", "b"] }, "a|b"],
  ["a default value", { type: "integer", default: 5 }, "integer = 5"],
  ["a list", { type: "array", items: text, maxItems: 3, uniqueItems: true }, "[string] ..3 unique"],
  ["alternatives", { anyOf: [{ $ref: "#/x/A" }, { type: "null" }] }, "A | null"],
  ["all of several", { allOf: [{ $ref: "#/x/A" }, { $ref: "#/x/B" }] }, "A & B"],
  [
    "optional members",
    { type: "object", required: ["id"], properties: { id: text, name: text } },
    "{id: string, name?: string}",
  ],
  [
    "an object without other members",
    { type: "object", properties: { id: text }, additionalProperties: false },
    "{|id?: string|}",
  ],
  ["a map", { type: "object", additionalProperties: text }, "{*: string}"],
  [
    "words for readers are left out",
    { ...text, description: "A name.", examples: ["x"] },
    "string",
  ],
];

for (const [promise, schema, expected] of cases)
  test(`the shape of a schema: ${promise}`, () => {
    assert.equal(shape(schema), expected);
  });

test("a keyword without a notation is an error, so that no part of a schema is left out unseen", () => {
  assert.throws(() => shape({ ...text, contentEncoding: "base64" }), /contentEncoding/);
});
