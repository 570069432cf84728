import assert from "node:assert/strict";
import { test } from "node:test";
import { join, makeCell } from "./cells.ts";
import { makeAssignment, makeCourse, makePerson, makeRow, type Member } from "./make.ts";
import type { Answer, TestService } from "./service.ts";

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

/**
 * An act and one mark per standing: `+` has the effect, `3` is rejected with 403, `4` with 404 because the caller cannot see
 * what the act is about.
 */
export type Line = readonly [what: string, marks: string, act: Act];

export function testTable({ people }: Stage, lines: readonly Line[]): void {
  for (const [what, marks, act] of lines)
    test(`${marks} · ${what}`, async () => {
      const columns = marks.split(" ");
      assert.equal(columns.length, standings.length);
      const found: string[] = [];
      const answers: string[] = [];
      for (const standing of standings) {
        const { status, text } = await act(people[standing], standing);
        found.push(markOf(status));
        answers.push(`${standing} ${status} ${text.slice(0, 300)}`);
      }
      const wrong = answers.filter((_, position) => found[position] !== columns[position]);
      assert.deepEqual(wrong, []);
    });
}

function markOf(status: number): string {
  if (status < 300) return "+";
  return status === 403 ? "3" : status === 404 ? "4" : String(status);
}
