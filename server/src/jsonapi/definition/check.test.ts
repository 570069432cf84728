import assert from "node:assert/strict";
import { test } from "node:test";
import { fullAdministrator } from "../../access/policy.ts";
import { defaulted, describe, readOnly, text, writeOnly } from "./attributes.ts";
import { checkCatalogue } from "./check.ts";
import type { Command } from "./command.ts";
import { publicType, shown } from "./public.ts";
import type { Resource } from "./resource.ts";
import { linkOnly, toOne } from "./relationships.ts";

const name = text({ maxLength: 40 });

const doors = (more: Partial<Resource> = {}): Resource => ({
  type: "doors",
  description: "A door of the building.",
  table: "doors",
  attributes: { name },
  relationships: {},
  filters: {},
  sorts: {},
  defaultSort: "id",
  operations: { list: fullAdministrator, read: fullAdministrator },
  ...more,
});

const knocks = (more: Partial<Command> = {}): Command => ({
  type: "knocks",
  description: "Opens a door.",
  attributes: {},
  relationships: {},
  allow: fullAdministrator,
  key: "optional",
  status: 202,
  answers: "doors",
  run: async () => ({ id: "" }),
  ...more,
});

const refuses = (mistake: string, definitions: Resource[], commands: Command[] = []) =>
  assert.throws(
    () => checkCatalogue(definitions, commands),
    (error: Error) => {
      assert.deepEqual(error.message.split("\n  ").slice(1), [mistake]);
      return true;
    },
  );

test("definitions without contradictions make a catalogue", () => {
  const { commands, resources } = checkCatalogue([doors()], [knocks()]);
  assert.deepEqual([[...resources.keys()], [...commands.keys()]], [["doors"], ["knocks"]]);
});

test("a type is defined once, as a resource or a command", () => {
  refuses("doors is defined twice.", [doors()], [knocks({ type: "doors" })]);
  refuses("knocks is defined twice.", [doors()], [knocks(), knocks()]);
});

test("a member is declared once and has a valid name", () => {
  const next = linkOnly(toOne("doors", { column: "next_id" }));
  const reference = { target: "people", column: "person_id" };
  refuses("doors.name is declared twice.", [doors({ relationships: { name: next } })]);
  refuses("doors.name is declared twice.", [doors({ references: { name: reference } })]);
  refuses("doors.type is not a valid name.", [doors({ references: { type: reference } })]);
});

test("an unversioned type is never written, and routes that change a tagged type require If-Match", () => {
  const written = "doors is unversioned but has a versionTag or a write operation.";
  refuses(written, [doors({ unversioned: true, versionTag: "door" })]);
  const run = async () => undefined;
  refuses(written, [
    doors({ unversioned: true, operations: { delete: { allow: fullAdministrator, run } } }),
  ]);
  refuses('doors has the invalid versionTag a"b.', [doors({ versionTag: 'a"b' })]);
  refuses("doors.next is writable by a route that does not require If-Match.", [
    doors({
      versionTag: "door",
      relationships: { next: toOne("doors", { column: "next_id" }) },
      operations: { read: fullAdministrator, update: fullAdministrator },
    }),
  ]);
});

test("detailOnly, onRequest and readableWith exclude each other", () => {
  const attributes = (more: Parameters<typeof describe>[1]) => [
    doors({ attributes: { name: describe(name, more) } }),
  ];
  refuses(
    "doors.name has both detailOnly and onRequest.",
    attributes({ detailOnly: true, onRequest: true }),
  );
  for (const more of [{ detailOnly: true }, { onRequest: true }] as const)
    refuses(
      "doors.name has readableWith, which needs an attribute that is always read.",
      attributes({ ...more, readableWith: "people:read" }),
    );
});

test("a write-only attribute needs operations that read it", () => {
  const attributes = { name: writeOnly(name) };
  refuses("doors.name is write-only, but the derived create would ignore it.", [
    doors({ attributes, operations: { create: fullAdministrator } }),
  ]);
  refuses("doors.name is both read-only and write-only.", [
    doors({ attributes: { name: writeOnly(readOnly(name)) } }),
  ]);
});

test("the page size is within its limits", () => {
  for (const pageSize of [0, 101])
    refuses(`doors has the invalid pageSize ${pageSize}.`, [doors({ pageSize })]);
});

test("relationships and commands lead to types with the same callers", () => {
  const callers = "webhook-management";
  const next = linkOnly(toOne("rooms", { column: "room_id" }));
  const rooms = doors({ type: "rooms", callers });
  refuses("doors.next leads to rooms, which has other callers.", [
    doors({ relationships: { next } }),
    rooms,
  ]);
  refuses(
    "knocks answers rooms, which has other callers.",
    [rooms],
    [knocks({ answers: "rooms" })],
  );
  refuses("doors.next leads to rooms, which is not defined.", [doors({ relationships: { next } })]);
});

test("a command answers with a readable type and has no stored attributes", () => {
  refuses("knocks answers doors, which cannot be read.", [], [knocks()]);
  refuses(
    "knocks.name is defaulted, but a command stores no attributes.",
    [doors()],
    [knocks({ attributes: { name: defaulted(name) } })],
  );
});

test("a public type is the view of a type, and no other type is public", () => {
  const visible = publicType({ ...doors(), rows: "doors.is_open" });
  const catalogueWith = (types: Resource[], ...views: Resource[]) =>
    checkCatalogue(types, [], undefined, views);
  assert.deepEqual([...catalogueWith([doors()], visible).publicTypes.keys()], ["doors"]);
  assert.throws(() => catalogueWith([], visible), /The public type doors is no type of \/v1\./);
  assert.throws(() => catalogueWith([visible]), /doors is public, but not in the public area\./);
  const sorted = { ...visible, sorts: { near: { column: "near", needsPlace: true } } } as const;
  assert.throws(
    () => catalogueWith([doors()], sorted),
    /In the public area, doors sorts by distance, but is not `nearby` anything\./,
  );
});

test("a sensitive attribute cannot be public, and a public one can only be read", () => {
  const attributes = {
    name: describe(name, { description: "The name.", writableWith: fullAdministrator }),
    code: describe(readOnly(name), { readableWith: "people:read" }),
  };
  const kept = { description: "The name.", mode: "read-only" };
  assert.deepEqual(shown(attributes, "name"), { name: { ...name, ...kept } });
  assert.throws(() => shown(attributes, "code"), /code is sensitive/);
});

test("rules that meta.may shows name members, and errors that the operation documents", () => {
  const never = { texts: ["false"], parts: [] };
  const update = { allow: fullAdministrator, run: async () => ({ id: "" }) };
  const updating = (more: object) =>
    doors({ operations: { read: fullAdministrator, update: { ...update, ...more } } });
  refuses("doors has a rule for changes of the unknown member bell.", [
    updating({ changesIf: { bell: never } }),
  ]);
  refuses("doors has a rule for conflict, which no operation refuses with.", [
    updating({ refusedIf: { conflict: never } }),
  ]);
  checkCatalogue([updating({ refuses: ["conflict"], refusedIf: { conflict: never } })]);
});

test("actions have one name each, and set attributes that exist", () => {
  const acting = (actions: Resource["actions"]) => doors({ ...(actions && { actions }) });
  refuses("doors has the action knock, which sets the unknown attribute sound.", [
    acting({ knock: { sets: { sound: "loud" } } }),
  ]);
  const run = async () => ({ id: "" });
  const wardens = (relationship: string) =>
    doors({
      type: "wardens",
      relationships: { door: toOne("doors", { column: "door_id", onlyCreated: true }) },
      operations: {
        read: fullAdministrator,
        create: { allow: fullAdministrator, actsOn: { [relationship]: { knock: {} } }, run },
      },
    });
  refuses("wardens acts on the unknown relationship gate.", [doors(), wardens("gate")]);
  refuses("doors has two actions named knock.", [
    acting({ knock: { sets: { name: "x" } } }),
    wardens("door"),
  ]);
});
