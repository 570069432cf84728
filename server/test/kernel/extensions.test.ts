import assert from "node:assert/strict";
import { test } from "node:test";
import { can } from "../../src/access/policy.ts";
import { column, via } from "../../src/access/reach.ts";
import { computed, integer, text } from "../../src/jsonapi/definition/attributes.ts";
import { layoutOf } from "../../src/jsonapi/definition/layout.ts";
import { catalogueOfFeatures, type Feature } from "../../src/jsonapi/definition/feature.ts";
import { linkOnly, toMany } from "../../src/jsonapi/definition/relationships.ts";
import { resource } from "../../src/jsonapi/definition/resource.ts";

/** Two features of the tests' own: houses have doors, and keys know which doors they open. */

const named = {
  attributes: { name: text({ maxLength: 40 }) },
  relationships: {},
  filters: {},
  sorts: {},
  defaultSort: "id",
  operations: { list: can("people:read"), read: can("people:read") },
} as const;

const ownDoors = resource({
  ...named,
  type: "doors",
  description: "A door.",
  table: "doors",
  filters: { name: { match: "equals-text", column: "name", by: "fold" } },
  reach: { self: column("owner_id") },
  reduced: { members: ["name"], fullWith: "people:read" },
});

const house: Feature = { permissions: ["people:read"], types: [ownDoors] };

const opens = { table: "key_doors", from: "door_id", to: "key_id" };

const keys = {
  types: [resource({ ...named, type: "keys", description: "A key.", table: "keys" })],
  extends: {
    doors: {
      attributes: { "key-count": computed(integer(), "keys_of(doors.id)") },
      relationships: { keys: linkOnly(toMany("keys", opens)) },
      filters: { key: { match: "related", ...opens } },
      reach: { self: via("key_doors", { from: "door_id", to: "holder_id" }) },
      reduced: { members: ["key-count"], filters: ["key"] },
    },
  },
} satisfies Feature;

const rejects = (mistake: string, ...features: Feature[]) =>
  assert.throws(
    () => catalogueOfFeatures(features),
    (error: Error) => error.message.split("\n  ").includes(mistake),
  );

test("a type has its own members first, then those that other features add", () => {
  const doors = catalogueOfFeatures([keys, house]).resources.get("doors");
  assert.ok(doors);
  const parts = [doors.attributes, doors.relationships, doors.filters];
  assert.deepEqual(
    parts.map((part) => Object.keys(part)),
    [["name", "key-count"], ["keys"], ["name", "key"]],
  );
  assert.deepEqual(doors.reach, {
    self: [column("owner_id"), via("key_doors", { from: "door_id", to: "holder_id" })],
  });
  assert.deepEqual(doors.reduced, {
    members: ["name", "key-count"],
    filters: ["key"],
    fullWith: "people:read",
  });
  assert.match(layoutOf(doors).columns, /keys_of\(doors\.id\)/);
});

test("only a type that exists is extended", () => {
  rejects("doors is extended, but not defined.", keys);
});

test("two features cannot add one member, and none replaces a member of the type", () => {
  const { relationships } = keys.extends.doors;
  const again: Feature = { extends: { doors: { relationships } } };
  rejects("doors.relationships.keys is contributed, but exists already.", house, keys, again);
  const replacing: Feature = { extends: { doors: { filters: ownDoors.filters } } };
  rejects("doors.filters.name is contributed, but exists already.", house, replacing);
  const sameName: Feature = {
    extends: { doors: { relationships: { name: toMany("keys", opens) } } },
  };
  rejects("doors.name is declared twice.", house, keys, sameName);
});

test("a reduced view shows only members and filters that exist", () => {
  const extending = (reduced: { members?: string[]; filters?: string[] }): Feature => ({
    extends: { doors: { reduced } },
  });
  const unknown = extending({ members: ["lock"], filters: ["lock"] });
  rejects("doors has a reduced view with the unknown member lock.", house, unknown);
  rejects("doors has a reduced view with the unknown filter lock.", house, unknown);
  const ofKeys: Feature = { extends: { keys: { reduced: { members: ["name"] } } } };
  rejects("keys has no reduced view that an extension could add to.", house, keys, ofKeys);
});
