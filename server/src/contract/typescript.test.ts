import assert from "node:assert/strict";
import { test } from "node:test";
import { interfaceOf, TypeScript } from "./typescript.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: "string" };

const types = () =>
  new TypeScript({
    Email: { ...text, description: "An address." },
    Tree: { type: "object", properties: { children: { type: "array", items: ref("Tree") } } },
  });

for (const [schema, printed] of [
  [{}, "unknown"],
  [{ type: "integer", minimum: 1 }, "number"],
  [{ type: ["string", "null"] }, "string | null"],
  [{ ...text, const: "people" }, '"people"'],
  [{ enum: ["a", "b", null] }, '"a" | "b" | null'],
  [{ anyOf: [ref("Email"), { type: "null" }] }, "Email | null"],
  [{ type: "array", items: text }, "string[]"],
  [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
  [{ type: "object" }, "Record<string, unknown>"],
  [{ type: "object", additionalProperties: text }, "Record<string, string>"],
  [
    { type: "object", required: ["a"], properties: { a: text, b: { type: "boolean" } } },
    '{ "a": string; "b"?: boolean }',
  ],
] as const)
  test(`${JSON.stringify(schema)} becomes ${printed}`, () => {
    assert.equal(types().of(schema), printed);
  });

test("a named schema is declared once, also if it leads to itself", () => {
  const printer = types();
  for (const name of ["Email", "Tree", "Tree"]) printer.of(ref(name));
  assert.deepEqual(printer.declarations(), [
    "/** An address. */\nexport type Email = string;",
    'export type Tree = { "children"?: Tree[] };',
  ]);
});

test("a comment never ends early", () => {
  const printed = interfaceOf("A", [
    ["b", "string", { optional: true, comment: "one */ two\nthree" }],
  ]);
  assert.equal(printed, 'export interface A {\n  /** one *\\/ two three */\n  "b"?: string;\n}');
});
