import assert from "node:assert/strict";
import { test } from "node:test";
import type { TSchema } from "typebox";
import { Compile } from "typebox/schema";
import { describedCatalogue } from "../../src/catalogue.ts";
import type { Attribute } from "../../src/jsonapi/definition/attributes.ts";
import { schemaOfField } from "../../src/jsonapi/definition/custom-fields.ts";

/** Texts of one line contain no control characters, in attributes and in every member within them. */

/** Attributes whose texts have several lines. Names, titles, reasons and labels never do. */
const severalLines = [
  "accounts.custom-properties.help",
  "cell-join-requests.message",
  "cell-meetings.attendance.note",
  "cell-meetings.summary",
  "cell-meetings.visitors.note",
  "cell-multiplications.new-cell.description",
  "cell-multiplications.note",
  "cells.description",
  "course-attendance-sheets.entries.note",
  "course-attendances.note",
  "course-enrollments.waiver-note",
  "course-lessons.description",
  "course-materials.content",
  "course-materials.description",
  "course-task-completions.student-comment",
  "course-task-completions.teacher-comment",
  "course-task-completions.text",
  "course-tasks.instructions",
  "courses.description",
  "courses.summary",
  "forms.confirmation-message",
  "forms.description",
  "forms.fields.help",
  "forms.privacy-notice",
  "notes.text",
  "people.medical-notes",
  "person-merges.note",
  "roles.description",
];

interface Schema {
  type?: string;
  format?: string;
  enum?: unknown[];
  examples?: string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
}

/** The texts within a schema, and their places. */
function* textsIn(schema: Schema, place: string): Generator<[place: string, schema: Schema]> {
  const { additionalProperties: members, anyOf = [], items, properties = {} } = schema;
  if (schema.type === "string" && !schema.enum) yield [place, schema];
  for (const one of anyOf) yield* textsIn(one, place);
  if (items) yield* textsIn(items, place);
  if (typeof members === "object") yield* textsIn(members, place);
  for (const [name, member] of Object.entries(properties))
    yield* textsIn(member, `${place}.${name}`);
}

const CONTROLS = ["\r\n", "\n", "\t", "\u0007", "\u007f", "\u0085", "\u2028"];
const DIRECTIONS = ["\u202a", "\u202e", "\u2066", "\u2069"];

/** Whether a text with a control character, or of two lines, is accepted. */
function acceptsControls(schema: Schema): boolean {
  const validator = Compile(schema as TSchema);
  const text = schema.examples?.[0] ?? "a";
  // Programs copy telephone numbers with such characters, which the service removes.
  const refused = schema.format === "phone" ? CONTROLS : [...CONTROLS, ...DIRECTIONS];
  return refused.some((control) =>
    [`${text}${control}`, `${control}${text}`, `${text}${control}${text}`].some((one) =>
      validator.Check(one),
    ),
  );
}

const writable = ({ mode }: Attribute): boolean => mode !== "read-only";

test("422 · a text of one line has no control characters and no overrides of direction, whatever its type", () => {
  const { commands, resources } = describedCatalogue;
  const found = [...resources.values(), ...commands.values()].flatMap(({ attributes, type }) =>
    Object.entries(attributes)
      .filter(([, attribute]) => writable(attribute))
      .flatMap(([name, { schema }]) => [...textsIn(schema as Schema, `${type}.${name}`)])
      .filter(([, schema]) => acceptsControls(schema))
      .map(([place]) => place),
  );
  // The definitions of custom fields are the same for each type.
  const places = found.map((place) =>
    place.replace(/(?<=^accounts\.custom-properties)\.[\w-]+/, ""),
  );
  assert.deepEqual([...new Set(places)].toSorted(), severalLines);
});

test("422 · custom fields have one line, except those of the type text", () => {
  for (const type of ["string", "email", "phone", "url", "person"] as const)
    assert.equal(acceptsControls(schemaOfField({ type }) as Schema), false, type);
  assert.equal(acceptsControls(schemaOfField({ type: "text" }) as Schema), true);
});
