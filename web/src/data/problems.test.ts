import assert from "node:assert/strict";
import { test } from "node:test";
import type { Problem } from "@vestry/sdk";
import { fieldOf, placeProblems } from "./problems.ts";

const at = (pointer: string): Problem => ({
  status: "422",
  code: "invalid-attribute",
  detail: "Wrong.",
  source: { pointer },
});

test("a pointer names a field with dots", () => {
  assert.equal(fieldOf(at("/data/attributes/phones/0/number")), "phones.0.number");
  assert.equal(
    fieldOf(at("/data/attributes/custom-properties/shirt~1size")),
    "custom-properties.shirt/size",
  );
  assert.equal(fieldOf(at("/data/relationships/assignee/data")), "assignee");
  assert.equal(fieldOf(at("/data/relationships/assignee")), "assignee");
  assert.equal(fieldOf(at("/data/relationships/tags/data/2/id")), "tags.2.id");
  assert.equal(fieldOf(at("/data/attributes/data")), "data");
});

test("a place outside the attributes and relationships names no field", () => {
  assert.equal(fieldOf(at("/data")), undefined);
  assert.equal(fieldOf(at("/data/type")), undefined);
  assert.equal(fieldOf({ source: { parameter: "filter[q]" } }), undefined);
  assert.equal(fieldOf({}), undefined);
});

test("an error stands at its input, else at the nearest group, else above the form", () => {
  const names = ["full-name", "phones", "phones.0.number", "address.street", "address.city"];
  const { fields, others } = placeProblems(
    [
      at("/data/attributes/phones/0/number"),
      at("/data/attributes/phones/1/label"),
      at("/data/attributes/address"),
      at("/data/attributes/occupation"),
      at("/data"),
    ],
    names,
  );
  assert.deepEqual([...fields.keys()], ["phones.0.number", "phones", "address.street"]);
  assert.equal(others.length, 2);
});

test("a name that begins with another name is another field", () => {
  const { fields, others } = placeProblems(
    [at("/data/attributes/mail")],
    ["mail-name", "mailing.city"],
  );
  assert.equal(fields.size, 0);
  assert.equal(others.length, 1);
});

test("several errors of one field stand together, in their order", () => {
  const two = [at("/data/attributes/email"), at("/data/attributes/email")];
  assert.deepEqual(placeProblems(two, ["email"]).fields.get("email"), two);
});
