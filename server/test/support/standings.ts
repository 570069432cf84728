import assert from "node:assert/strict";
import { test } from "node:test";
import { join, makeCell } from "./cells.ts";
import { makeAssignment, makeCourse, makePerson, makeRow, type Member } from "./make.ts";
import { type Answer, document, type TestService } from "./service.ts";

/** People of every standing in one account, and tables of the acts that each of them may do. */

/** The columns of a table, in this order. */
export const standings = [
  "full administrator",
  "administrator",
  "pastor",
  "secretary",
  "supervisor",
  "cell leader",
  "cell trainee",
  "course coordinator",
  "teacher",
  "member",
] as const;
export type Standing = (typeof standings)[number];

/**
 * The places of the acts. The supervisor leads the sector. The leader leads the own cell, the trainee and the member are in it.
 *
 *   sector ── area ─┬─ own
 *                   └─ sibling
 *   farSector ── far
 *
 * The coordinator and the teacher have a course and its class.
 */
export type Places = Readonly<
  Record<
    "sector" | "area" | "own" | "sibling" | "farSector" | "far" | "course" | "courseClass",
    string
  >
>;

export interface Stage {
  places: Places;
  people: Readonly<Record<Standing, Member>>;
}

export async function makeStage({ account, db }: TestService): Promise<Stage> {
  const { id: accountId } = account;
  const supervision = (level: number, parent_id: string | null = null) =>
    makeCell(db, accountId, { cell_type: "supervision", level, parent_id });
  const sector = await supervision(2);
  const area = await supervision(1, sector);
  const farSector = await supervision(2);
  const own = await makeCell(db, accountId, { parent_id: area });
  const sibling = await makeCell(db, accountId, { parent_id: area });
  const far = await makeCell(db, accountId, { parent_id: farSector });
  const course = await makeCourse(db, accountId);
  const courseClass = await makeRow(db, "course_classes", accountId, {
    course_id: course,
    name: "A",
  });

  const assigned = async (role: string, scopeType = "account", scopeIds: string[] = []) => {
    const person = await makePerson(db, accountId);
    await makeAssignment(db, accountId, { personId: person.id, role, scopeType, scopeIds });
    return person;
  };
  const memberOf = async (cellId: string, cell_role: string) => {
    const person = await makePerson(db, accountId);
    await join(db, accountId, cellId, person.id, { cell_role });
    return person;
  };
  const teacher = await makePerson(db, accountId);
  await db`insert into course_class_teachers values (${accountId}, ${courseClass}, ${teacher.id})`;

  return {
    places: { sector, area, own, sibling, farSector, far, course, courseClass },
    people: {
      "full administrator": account.administrator,
      "administrator": await makePerson(db, accountId, { administrativeStatus: "administrator" }),
      "pastor": await assigned("pastor"),
      "secretary": await assigned("secretary"),
      "supervisor": await memberOf(sector, "leader"),
      "cell leader": await memberOf(own, "leader"),
      "cell trainee": await assigned("cell-trainee", "cell", [own]),
      "course coordinator": await assigned("course-coordinator", "course", [course]),
      "teacher": teacher,
      "member": await memberOf(own, "participant"),
    },
  };
}

/** Every standing does an act of its own, so that no act depends on another. */
export type Act = (by: Member, standing: Standing) => Promise<Answer>;

/** Makes a row that an act is about, and returns its id. */
export type Make = (by: Member, standing: Standing) => Promise<string> | string;

interface Sent {
  attributes?: Record<string, unknown>;
  relationships?: Record<string, unknown>;
}

export interface Rights {
  /** The rows of each type, by the words after the colon. */
  rows: Readonly<Record<string, Readonly<Record<string, Make>>>>;
  /** The relationship with which a type is created in a row of another type. */
  placed?: Readonly<Record<string, readonly [name: string, type: string]>>;
  /** The members that an act sends, by its verb and its type. */
  sent?: Readonly<Record<string, (by: Member) => Sent | Promise<Sent>>>;
  /** Acts of another form, by their text. */
  acts?: Readonly<Record<string, Act>>;
}

/** Sends the same attributes for every standing. */
export const sends = (attributes: Record<string, unknown>) => () => ({ attributes });

export const to = (type: string, id: string) => ({ data: { type, id } });

/**
 * Tests a table with one act per line: a mark for each standing, and `verb type: row`. `+` has the effect, `3` is rejected with
 * 403, `4` with 404 because the caller cannot see the row. `read`, `create` and `delete` are requests, and any other verb
 * changes the row.
 */
export function testRights(
  service: TestService,
  stage: Stage,
  rights: Rights,
  table: string,
): void {
  for (const line of table.trim().split("\n").filter(Boolean)) {
    const [, marks = "", text = ""] = /^\s*((?:[+34] ){10})\s*(.+)$/.exec(line) ?? [];
    const act = rights.acts?.[text] ?? actOf(service, rights, text);
    test(`${marks.trim()} · ${text}`, async () => {
      const answers: string[] = [];
      for (const [position, standing] of standings.entries()) {
        const answer = await act(stage.people[standing], standing);
        if (markOf(answer.status) !== marks.split(" ")[position])
          answers.push(`${standing} ${answer.status} ${answer.text.slice(0, 300)}`);
      }
      assert.deepEqual(answers, []);
    });
  }
}

function actOf(service: TestService, { placed, rows, sent }: Rights, text: string): Act {
  const [, verb = "", type = "", row = ""] = /^(\S+) ([\w-]+): (.+)$/.exec(text) ?? [];
  const [place, resource] = (verb === "create" && placed?.[type]) || [undefined, type];
  const make = rows[resource]?.[row];
  const send = sent?.[`${verb} ${type}`];
  assert.ok(make ?? (verb === "create" && send), `The table has no rows for: ${text}`);
  return async (by, standing) => {
    const id = (await make?.(by, standing)) ?? "";
    const { attributes = {}, relationships = {} } = (await send?.(by)) ?? {};
    const at = verb === "create" ? `/v1/${type}` : `/v1/${type}/${id}`;
    const as = { as: by.token };
    if (verb === "read") return service.get(at, as);
    if (verb === "delete") return service.delete(at, as);
    if (verb !== "create")
      return service.patch(at, document(type, attributes, { id, relationships }), as);
    const placement = place === undefined ? {} : { [place]: to(resource, id) };
    const all = { ...placement, ...relationships };
    return service.post(at, document(type, attributes, { relationships: all }), as);
  };
}

function markOf(status: number): string {
  if (status < 300) return "+";
  return status === 403 ? "3" : status === 404 ? "4" : String(status);
}
