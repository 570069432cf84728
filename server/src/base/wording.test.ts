import assert from "node:assert/strict";
import { test } from "node:test";
import Type, { type TSchema } from "typebox";
import { Compile } from "typebox/schema";
import { type Broken, FORMAT, sentenceOf } from "./rules.ts";
import { brokenRule, isUnknownMember, unknownName, usefulErrors } from "./wording.ts";

const errorsOf = (schema: TSchema, value: unknown) =>
  usefulErrors(Compile(schema).Errors(value)[1]);

const brokenBy = (schema: TSchema, value: unknown): Broken =>
  brokenRule(errorsOf(schema, value), schema, value);

test("the format of a text comes before its type and its length, and a blank one before all", () => {
  const code = Type.String({
    maxLength: 2,
    pattern: "^[A-Z]{2}$",
    [FORMAT]: "country",
  });
  for (const value of ["Brazil", "br", 5, ""])
    assert.deepEqual(brokenBy(code, value), { rule: "format", format: "country" });
  const name = { ...code, minLength: 1 };
  assert.deepEqual(brokenBy(name, ""), { rule: "not-blank" });
});

test("each unknown member is an error at its own place", () => {
  const phone = Type.Object({ number: Type.String() }, { additionalProperties: false });
  const schema = Type.Array(Type.Union([phone, Type.Null()]));
  const errors = errorsOf(schema, [{ "number": "1", "numbr": "x", "a/b": "x" }]);
  assert.deepEqual(
    errors.map(({ instancePath }) => instancePath),
    ["/0/numbr", "/0/a~1b"],
  );
  assert.ok(errors.every(isUnknownMember));
  const [first] = errors.map((error) => sentenceOf(brokenRule([error], schema, undefined)));
  assert.match(first ?? "", /Did you mean "number"\?/);
});

test("a wrong name is reported before its wrong value", () => {
  const chosen = Type.Unsafe<object>({
    type: "object",
    propertyNames: Type.String({ pattern: "^[a-z]+$", [FORMAT]: "name" }),
    additionalProperties: Type.Integer({ minimum: 1 }),
  });
  const value = { Level: "x", level: 0 };
  const places = Map.groupBy(errorsOf(chosen, value), ({ instancePath }) => instancePath);
  const rules = [...places].map(([place, all]) => [place, brokenRule(all, chosen, value)]);
  assert.deepEqual(Object.fromEntries(rules), {
    "/Level": {
      rule: "format",
      format: "name",
      hint: "The rule is about the name of the member.",
    },
    "/level": { rule: "min", limit: 1 },
  });
});

const people = {
  attributes: { "full-name": {}, "e-mail": {}, "cell-id": {} },
  relationships: { "created-by": {} },
};

for (const [kind, name, advice] of [
  ["attribute", "fullName", 'Did you mean "full-name"?'],
  ["attribute", "full_name", 'Did you mean "full-name"?'],
  ["attribute", "ful-name", 'Did you mean "full-name"?'],
  ["attribute", "created-by", 'Send the relationship "created-by".'],
  ["relationship", "createdBy", 'Did you mean "created-by"?'],
  ["relationship", "cell", 'Send the attribute "cell-id".'],
] as const)
  test(`the unknown ${kind} ${name} is reported with the name that was probably meant`, () =>
    assert.equal(sentenceOf(unknownName(people, kind, name)), `Unknown name "${name}". ${advice}`));

test("a name that resembles none is reported without a suggestion", () =>
  assert.equal(sentenceOf(unknownName(people, "attribute", "xyz")), 'Unknown name "xyz".'));
