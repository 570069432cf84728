import assert from "node:assert/strict";
import { test } from "node:test";
import { fullAdministrator } from "../../access/policy.ts";
import { defaulted, describe, text } from "./attributes.ts";
import { checkCatalogue } from "./check.ts";
import type { Command, Resource } from "./resource.ts";
import { linkOnly, toOne } from "./relationships.ts";

const name = text({ maxLength: 40 });

const doors = (more: Partial<Resource> = {}): Resource => ({
  type: "doors",
  description: "What one goes through.",
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
  description: "Asks to be let in.",
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

test("what contradicts nothing is a catalogue", () => {
  const { commands, resources } = checkCatalogue([doors()], [knocks()]);
  assert.deepEqual([[...resources.keys()], [...commands.keys()]], [["doors"], ["knocks"]]);
});

test("a type is a resource or a command, and once", () => {
  refuses("doors is defined twice.", [doors()], [knocks({ type: "doors" })]);
  refuses("knocks is defined twice.", [doors()], [knocks(), knocks()]);
});

test("a name stands for one thing, and is a name of the interface", () => {
  const next = linkOnly(toOne("doors", { column: "next_id" }));
  const reference = { target: "people", column: "person_id" };
  refuses("doors.name is two things.", [doors({ relationships: { name: next } })]);
  refuses("doors.name is two things.", [doors({ references: { name: reference } })]);
  refuses("doors.type is not a name of the interface.", [
    doors({ references: { type: reference } }),
  ]);
});

test("versions are counted or not", () => {
  const written = "doors counts no versions, but is written or tagged by them.";
  refuses(written, [doors({ unversioned: true, versionTag: "door" })]);
  const run = async () => undefined;
  refuses(written, [
    doors({ unversioned: true, operations: { delete: { allow: fullAdministrator, run } } }),
  ]);
  refuses('doors has the version tag a"b, which is no name.', [doors({ versionTag: 'a"b' })]);
  refuses("doors.next is writable by a route that asks for no version.", [
    doors({
      versionTag: "door",
      relationships: { next: toOne("doors", { column: "next_id" }) },
      operations: { read: fullAdministrator, update: fullAdministrator },
    }),
  ]);
});

test("an attribute is of details, on request, or kept from some", () => {
  const attributes = (more: Parameters<typeof describe>[1]) => [
    doors({ attributes: { name: describe(name, more) } }),
  ];
  refuses(
    "doors.name is in every detail and only on request.",
    attributes({ detailOnly: true, onRequest: true }),
  );
  for (const more of [{ detailOnly: true }, { onRequest: true }] as const)
    refuses(
      "doors.name is kept from some, which only what is always read can be.",
      attributes({ ...more, readableWith: "people:read" }),
    );
});

test("a page has as many resources as a page may have", () => {
  for (const pageSize of [0, 101])
    refuses(`doors has pages of ${pageSize}.`, [doors({ pageSize })]);
});

test("nothing leads to what its callers may not ask for", () => {
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

test("a command answers what can be read, and takes what somebody sends", () => {
  refuses("knocks answers doors, which cannot be read.", [], [knocks()]);
  refuses(
    "knocks.name is defaulted, but nothing keeps what a command is sent.",
    [doors()],
    [knocks({ attributes: { name: defaulted(name) } })],
  );
});
