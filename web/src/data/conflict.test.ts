import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  changedNames,
  changesOf,
  compare,
  isNothing,
  isSame,
  settle,
  typedOver,
  type Values,
} from "./conflict.ts";

const name = fc.constantFrom("full-name", "email", "phones", "address");
const field = fc.constantFrom("shirt-size", "allergies");
const value = fc.oneof(
  fc.constantFrom(null, "a", "b", 1, true),
  fc.array(fc.constantFrom("x", "y"), { maxLength: 2 }),
  fc.record({ city: fc.constantFrom("Lisboa", "Porto", null) }),
);
const record: fc.Arbitrary<Values> = fc
  .tuple(fc.dictionary(name, value), fc.dictionary(field, value))
  .map(([members, custom]) => ({ ...members, "custom-properties": custom }));

/** As the service applies a change. */
const applied = (base: Values, changes: Values): Values => ({
  ...base,
  ...changes,
  "custom-properties": {
    ...(base["custom-properties"] as Values),
    ...(changes["custom-properties"] as Values | undefined),
  },
});

/** The members and the custom fields, flat. */
const flat = (values: Values): Values => {
  const { "custom-properties": custom, ...members } = values;
  const fields = Object.entries((custom ?? {}) as Values);
  return {
    ...members,
    ...Object.fromEntries(fields.map(([key, of]) => [`custom-properties.${key}`, of])),
  };
};

test("changes applied to the base make my record", () => {
  fc.assert(
    fc.property(record, record, (base, mine) => {
      const made = flat(applied(base, changesOf(base, mine)));
      for (const [key, wanted] of Object.entries(flat(mine)))
        assert.ok(isSame(made[key], wanted), key);
    }),
  );
});

test("a comparison keeps every change of theirs, and every change of mine unless it asks", () => {
  fc.assert(
    fc.property(record, record, record, (base, mine, theirs) => {
      const wanted = changesOf(base, mine);
      const { changes, conflicts } = compare(base, wanted, theirs);
      const asked = new Set(conflicts.map((conflict) => conflict.name));
      const result = flat(applied(theirs, changes));
      const [before, now] = [flat(base), flat(theirs)];
      for (const [key, my] of Object.entries(flat(wanted)))
        if (asked.has(key))
          assert.ok(isSame(result[key], now[key]), "theirs stands until the user chooses");
        else assert.ok(isSame(result[key], my), "my change is there");
      for (const [key, their] of Object.entries(now))
        if (!isSame(their, before[key]))
          assert.ok(isSame(result[key], their), "their change is there");
    }),
  );
});

test("a comparison asks only where both sides changed a value to different ones", () => {
  fc.assert(
    fc.property(record, record, record, (base, mine, theirs) => {
      for (const conflict of compare(base, changesOf(base, mine), theirs).conflicts) {
        assert.ok(!isSame(conflict.base, conflict.mine));
        assert.ok(!isSame(conflict.base, conflict.theirs));
        assert.ok(!isSame(conflict.mine, conflict.theirs));
      }
    }),
  );
});

test("the choice of mine everywhere makes my changes over theirs", () => {
  fc.assert(
    fc.property(record, record, record, (base, mine, theirs) => {
      const wanted = changesOf(base, mine);
      const { changes, conflicts } = compare(base, wanted, theirs);
      const result = flat(
        applied(
          theirs,
          settle(changes, conflicts, () => true),
        ),
      );
      for (const [key, my] of Object.entries(flat(wanted))) assert.ok(isSame(result[key], my), key);
      assert.deepEqual(
        settle(changes, conflicts, () => false),
        changes,
      );
    }),
  );
});

test("the same changes on both sides leave nothing to write", () => {
  fc.assert(
    fc.property(record, record, (base, mine) => {
      const { changes, conflicts } = compare(base, changesOf(base, mine), applied(base, mine));
      assert.ok(isNothing(changes));
      assert.deepEqual(conflicts, []);
    }),
  );
});

test("an absent member is the same as null, and an empty list is not", () => {
  assert.ok(isSame({ a: null }, {}));
  assert.ok(isSame(undefined, null));
  assert.ok(!isSame([], null));
  assert.ok(!isSame([], {}));
  assert.ok(!isSame([null], []));
});

test("what was typed stays over the record of a colleague, and everything else becomes the colleague's", () => {
  const base = { name: "Rui", email: null, "custom-properties": { size: "s", serves: ["music"] } };
  const typed = { ...base, name: "Rui ", "custom-properties": { size: "m", serves: ["music"] } };
  const theirs = { name: "Rui", email: "rui@example.org", "custom-properties": { serves: [] } };
  const mine = { name: "Rui ", "custom-properties": { size: "m" } };
  const next = typedOver(theirs, mine, typed);
  assert.deepEqual(next, {
    "name": "Rui ",
    "email": "rui@example.org",
    "custom-properties": { size: "m", serves: [] },
  });
  assert.deepEqual(changedNames(typed, next), ["email", "custom-properties.serves"]);
});
