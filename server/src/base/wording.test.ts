import assert from "node:assert/strict";
import { test } from "node:test";
import Type, { type TSchema } from "typebox";
import { Compile } from "typebox/schema";
import { isOfStranger, sentence, telling } from "./wording.ts";

const errorsOf = (schema: TSchema, value: unknown) => telling(Compile(schema).Errors(value)[1]);

/** Of a value that is wrong in one place. */
const wordsFor = (schema: TSchema, value: unknown): string =>
  sentence(errorsOf(schema, value), schema, value);

test("a schema's own words stand for its pattern, with an example, before any length", () => {
  const code = Type.String({
    maxLength: 2,
    pattern: "^[A-Z]{2}$",
    description: "a code of two capital letters",
    examples: ["BR"],
  });
  for (const value of ["Brazil", "br", 5, ""])
    assert.equal(wordsFor(code, value), "Must be a code of two capital letters, such as BR.");
  const short = Type.String({
    maxLength: 2,
    pattern: "\\S",
    description: "text that is not blank",
  });
  assert.equal(wordsFor(short, " "), "Must be text that is not blank.");
  assert.equal(wordsFor(short, "abc"), "Must have at most 2 characters.");
});

test("a list of values is told also to who sends another type, and null is never told", () => {
  const sex = Type.Union([Type.String({ enum: ["female", "male"] }), Type.Null()]);
  for (const value of [5, "other"])
    assert.equal(wordsFor(sex, value), "Must be one of: female, male.");
});

test("an object is said with its members", () => {
  const phone = Type.Object(
    { number: Type.String(), label: Type.Optional(Type.String()) },
    { additionalProperties: false },
  );
  assert.equal(wordsFor(phone, "+1"), "Must be an object with number, which may have label.");
});

test("each member that there is not has a mistake at its own place, with those there are", () => {
  const phone = Type.Object({ number: Type.String() }, { additionalProperties: false });
  const schema = Type.Array(Type.Union([phone, Type.Null()]));
  const errors = errorsOf(schema, [{ "number": "1", "kind": "x", "a/b": "x" }]);
  assert.deepEqual(
    errors.map(({ instancePath }) => instancePath),
    ["/0/kind", "/0/a~1b"],
  );
  for (const error of errors) {
    assert.ok(isOfStranger(error));
    assert.equal(
      sentence([error], schema, undefined),
      "There is no such member here. There are: number.",
    );
  }
});

test("what is wrong with a chosen name comes before what is wrong with its value, and neither is said of the whole", () => {
  const chosen = Type.Unsafe<object>({
    type: "object",
    propertyNames: Type.String({ pattern: "^[a-z]+$", description: "lower-case letters" }),
    additionalProperties: Type.Integer({ minimum: 1 }),
  });
  assert.equal(wordsFor(chosen, { Level: 1 }), "Its name must be lower-case letters.");
  const value = { Level: "x", level: 0 };
  const errors = errorsOf(chosen, value);
  const places = Map.groupBy(errors, ({ instancePath }) => instancePath);
  const said = [...places].map(([place, all]) => [place, sentence(all, chosen, value)]);
  assert.deepEqual(Object.fromEntries(said), {
    "/Level": "Its name must be lower-case letters.",
    "/level": "Must be 1 or more.",
  });
});
