import assert from "node:assert/strict";
import { test } from "node:test";
import Type, { type TSchema } from "typebox";
import { Compile } from "typebox/schema";
import { isUnknownMember, sentence, unknownName, usefulErrors } from "./wording.ts";

const errorsOf = (schema: TSchema, value: unknown) =>
  usefulErrors(Compile(schema).Errors(value)[1]);

const sentenceFor = (schema: TSchema, value: unknown): string =>
  sentence(errorsOf(schema, value), schema, value);

test("a schema's description replaces its pattern and comes before its length", () => {
  const code = Type.String({
    maxLength: 2,
    pattern: "^[A-Z]{2}$",
    description: "a code of two capital letters",
    examples: ["BR"],
  });
  for (const value of ["Brazil", "br", 5, ""])
    assert.equal(sentenceFor(code, value), "Must be a code of two capital letters, such as BR.");
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
  const [first] = errors.map((error) => sentence([error], schema, undefined));
  assert.match(first ?? "", /Did you mean "number"\?/);
});

test("a wrong name is reported before its wrong value", () => {
  const chosen = Type.Unsafe<object>({
    type: "object",
    propertyNames: Type.String({ pattern: "^[a-z]+$", description: "lower-case letters" }),
    additionalProperties: Type.Integer({ minimum: 1 }),
  });
  const value = { Level: "x", level: 0 };
  const places = Map.groupBy(errorsOf(chosen, value), ({ instancePath }) => instancePath);
  const sentences = [...places].map(([place, all]) => [place, sentence(all, chosen, value)]);
  assert.deepEqual(Object.fromEntries(sentences), {
    "/Level": "The name must be lower-case letters.",
    "/level": "Must be 1 or more.",
  });
});

const people = {
  type: "people",
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
    assert.equal(
      unknownName(people, kind, name),
      `Unknown ${kind} "${name}" of people. ${advice}`,
    ));

test("a name that resembles none is reported without a suggestion", () =>
  assert.equal(unknownName(people, "attribute", "xyz"), 'Unknown attribute "xyz" of people.'));
