import assert from "node:assert/strict";
import { test } from "node:test";
import { snapshotWithin } from "./snapshot.ts";

const person = (attributes: Record<string, unknown>, relationships: Record<string, unknown> = {}) =>
  JSON.stringify({ type: "people", id: "1", attributes, relationships });

/** The snapshot after it is limited to one byte less than its size. */
const aByteLess = (whole: string) => snapshotWithin(Buffer.byteLength(whole) - 1, whole);

test("a snapshot of exactly the limit is unchanged, and one byte more is too much", () => {
  const whole = person({ "full-name": "Zoë", "description": "é".repeat(100) }).replace(",", ", ");
  const originalBytes = Buffer.byteLength(whole);
  assert.notEqual(originalBytes, whole.length);
  assert.deepEqual(snapshotWithin(originalBytes, whole), {
    text: whole,
    originalBytes,
    omittedFields: [],
  });
  assert.deepEqual(snapshotWithin(originalBytes - 1, whole), {
    text: person({ "full-name": "Zoë" }),
    originalBytes,
    omittedFields: ["description"],
  });
});

test("the largest texts go first, by their bytes, and no more of them than have to", () => {
  const attributes = {
    "short": "x".repeat(100),
    "longer": "x".repeat(300),
    "longest": "é".repeat(200),
    "tags": Array.from({ length: 300 }, (_, n) => n),
  };
  const whole = person(attributes);
  const { longest: _, ...without } = attributes;
  const once = aByteLess(whole);
  assert.deepEqual(once.omittedFields, ["longest"]);
  assert.equal(once.text, person(without));

  const { longer: __, ...rest } = without;
  const left = person(without);
  const twice = snapshotWithin(Buffer.byteLength(left) - 1, whole);
  assert.deepEqual(twice.omittedFields, ["longest", "longer"]);
  assert.equal(twice.text, person(rest));
  assert.deepEqual(
    snapshotWithin(Buffer.byteLength(left), whole),
    once,
    "what just fits is enough",
  );
});

test("when no text is left the largest of all else goes, relationships included", () => {
  const tags = Array.from({ length: 100 }, (_, n) => n);
  const cells = { data: Array.from({ length: 50 }, (_, n) => ({ type: "cells", id: String(n) })) };
  const whole = person({ name: "x", tags, price: 1 }, { cells, spouse: { data: null } });
  const left = person({ tags, price: 1 }, { spouse: { data: null } });
  const most = snapshotWithin(Buffer.byteLength(left), whole);
  assert.deepEqual(most.omittedFields, ["name", "cells"]);
  assert.equal(most.text, left);
  const least = snapshotWithin(Buffer.byteLength(person({ price: 1 })), whole);
  assert.deepEqual(least.omittedFields, ["name", "cells", "tags", "spouse"]);
  assert.equal(least.text, person({ price: 1 }));
});

test("a church's own fields go one by one, each under its own name", () => {
  const fields = { story: "x".repeat(300), size: "M", allergies: "x".repeat(100) };
  const whole = person({ "full-name": "x".repeat(200), "custom-properties": fields });
  const once = aByteLess(whole);
  assert.deepEqual(once.omittedFields, ["custom-properties.story"]);
  const { story: _, ...left } = fields;
  assert.equal(once.text, person({ "full-name": "x".repeat(200), "custom-properties": left }));
  const small = person({ "custom-properties": { size: "M" } });
  const most = snapshotWithin(Buffer.byteLength(small), whole);
  assert.equal(most.text, small);
  assert.deepEqual(most.omittedFields, [
    "custom-properties.story",
    "full-name",
    "custom-properties.allergies",
  ]);
});
