import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actor, Assignment } from "../../src/access/actor.ts";
import { can, type Policy, reachOf, reachWithNames, writesAbout } from "../../src/access/policy.ts";
import { column, onlyNames, onlyReduced, readOnly, via } from "../../src/access/reach.ts";
import { text } from "../../src/jsonapi/definition/attributes.ts";
import { catalogueOfFeatures, type Feature } from "../../src/jsonapi/definition/feature.ts";
import { resource } from "../../src/jsonapi/definition/resource.ts";
import { columnsFor, ownRows } from "../../src/jsonapi/request/reach-conditions.ts";

declare module "../../src/access/scopes.ts" {
  interface Scopes {
    room: true;
    wing: true;
  }
}

/** A feature of the tests' own: a house has rooms, a wing is a room with all rooms behind it, and rooms have doors. */

const named = {
  attributes: { name: text({ maxLength: 40 }) },
  relationships: {},
  filters: {},
  sorts: {},
  defaultSort: "id",
  operations: { list: can("people:read"), read: can("people:read") },
} as const;

const rooms = resource({
  ...named,
  type: "rooms",
  description: "A room.",
  table: "rooms",
  reach: { room: column("id") },
});

const doors = resource({
  ...named,
  type: "doors",
  description: "A door.",
  table: "doors",
  reach: {
    room: [
      column("room_id"),
      readOnly(via("door_views", { from: "door_id", to: "room_id", where: "x.is_open" })),
    ],
    self: [onlyReduced(column("owner_id")), onlyNames(column("guest_id"))],
  },
  reduced: { members: ["name"], names: ["name"], fullWith: "people:read" },
});

const behind = { table: "room_behind", from: "room_id", to: "behind_id" };

const house = {
  permissions: ["people:read", "people:write"],
  types: [rooms, doors],
  scopes: {
    room: { type: "rooms" },
    wing: { type: "rooms", follows: { scope: "room", ...behind } },
  },
} satisfies Feature;

const person: Actor = {
  accountId: "account",
  accountVersion: 1,
  personId: "person",
  tokenId: "token",
  administrativeStatus: "none",
  assignments: [],
};

/** The caller as a person with one assignment. */
const holding = (assignment: Assignment): Actor => ({ ...person, assignments: [assignment] });

/** The values of the statement stand where their parameters would. */
const statement = {
  account: "$account",
  bind: (value: unknown) => `<${String(value)}>`,
};

function rowsOf(
  actor: Actor,
  allow: "people:read" | "people:write" | Policy,
  reachOfPolicy = reachOf,
): string {
  const resource = catalogueOfFeatures([house]).resources.get("doors");
  assert.ok(resource);
  const policy = typeof allow === "string" ? can(allow) : allow;
  return ownRows(statement, resource, reachOfPolicy(actor, policy, resource.reach ?? {}));
}

test("a scope reaches rows by each of its paths, and by a path for reading only if the caller reads", () => {
  const roomHolder = (permission: string) =>
    holding({ permissions: [permission], scopeType: "room", scopeIds: ["hall"] });
  const byColumn = "doors.room_id = any(<hall>::uuid[])";
  const byTable =
    "exists (select from door_views x where x.account_id = $account and x.room_id = any(<hall>::uuid[]) and x.is_open and x.door_id = doors.id)";
  assert.equal(
    rowsOf(roomHolder("people:read"), "people:read"),
    `doors.account_id = $account and ((${byColumn}) or ${byTable})`,
  );
  assert.equal(
    rowsOf(roomHolder("people:write"), "people:write"),
    `doors.account_id = $account and ((${byColumn}))`,
  );
  assert.equal(
    rowsOf(roomHolder("people:write"), writesAbout("people:write")),
    `doors.account_id = $account and ((${byColumn}) or ${byTable})`,
  );
});

test("a scope that follows another one has its paths, to the named resources and all below them", () => {
  const actor = holding({ permissions: ["people:write"], scopeType: "wing", scopeIds: ["hall"] });
  assert.equal(
    rowsOf(actor, "people:write"),
    "doors.account_id = $account and ((doors.room_id in (select tree.behind_id from room_behind tree where tree.account_id = $account and tree.room_id = any(<hall>::uuid[]))))",
  );
});

test("an assignment that names nothing reaches nothing", () => {
  for (const scopeType of ["room", "wing"] as const) {
    const actor = holding({ permissions: ["people:read"], scopeType, scopeIds: [] });
    assert.equal(rowsOf(actor, "people:read"), "doors.account_id = $account and false");
  }
});

test("rows of a path can be shown in the reduced view alone", () => {
  const actor = holding({ permissions: ["people:read"], scopeType: "self", scopeIds: [] });
  assert.match(rowsOf(actor, "people:read"), /doors\.owner_id = any\(<person>/);
  assert.match(
    columnsFor(statement, { actor, catalogue: catalogueOfFeatures([house]) }, doors),
    /case when false then/,
  );
  const writer = holding({ permissions: ["people:write"], scopeType: "self", scopeIds: [] });
  assert.doesNotMatch(rowsOf(writer, "people:read"), /guest_id/);
});

test("the names of the rows of a path can be all that a caller reads", () => {
  const actor = holding({ permissions: ["people:write"], scopeType: "self", scopeIds: [] });
  assert.match(rowsOf(actor, "people:read", reachWithNames), /doors\.guest_id = any\(<person>/);
  for (const policy of [can("people:read"), can("people:write"), writesAbout("people:write")])
    assert.doesNotMatch(rowsOf(actor, policy), /guest_id/);
  assert.match(
    columnsFor(statement, { actor, catalogue: catalogueOfFeatures([house]) }, doors),
    /case when false then 2 when \(\(doors\.owner_id = any\(<person>::uuid\[\]\)\)\) is not true then 3 else 0 end$/,
  );
});

test("the start stops at names that a type does not show", () => {
  const rejects = (mistake: string, reduced: typeof doors.reduced) =>
    assert.throws(
      () =>
        catalogueOfFeatures([
          { ...house, types: [rooms, { ...doors, ...(reduced && { reduced }) }] },
        ]),
      (error: Error) => error.message.split("\n  ").includes(mistake),
    );
  const view = { members: ["name"], fullWith: "people:read" } as const;
  rejects("doors has a path that shows names alone, and no names.", view);
  rejects("doors shows the name lock, which is no member of its reduced view.", {
    ...view,
    names: ["lock"],
  });
  rejects("doors has a reduced view with the unknown filter bolt.", {
    ...view,
    names: ["name"],
    namesFilters: ["bolt"],
  });
});

test("the start stops at a scope that does not fit the types", () => {
  const { scopes } = house;
  const rejects = (mistake: string, feature: Feature, ...more: Feature[]) =>
    assert.throws(
      () => catalogueOfFeatures([{ ...house, ...feature }, ...more]),
      (error: Error) => error.message.split("\n  ").includes(mistake),
    );
  rejects("room is declared twice.", {}, { scopes: { room: { type: "rooms" } } });
  rejects("The scope room names halls, which are not defined.", {
    scopes: { ...scopes, room: { type: "halls" } },
  });
  rejects("The scope wing follows wing, which has no paths of its own.", {
    scopes: { ...scopes, wing: { type: "rooms", follows: { scope: "wing", ...behind } } },
  });
  rejects("rooms has a path for the scope room, which no manifest declares.", { scopes: {} });
  rejects("rooms has a path for the scope wing, which follows room.", {
    types: [{ ...rooms, reach: { wing: column("id") } }, doors],
  });
});

test("a path for a scope that no manifest declares does not compile", () => {
  // @ts-expect-error: no manifest declares it.
  assert.ok(resource({ ...rooms, reach: { cellar: column("id") } }).reach);
});
