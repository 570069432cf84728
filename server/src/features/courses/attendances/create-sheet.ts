import { ApiError, type Problem, refuse } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";
import type { SheetFields } from "./fields.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { linkableIds } from "../../../jsonapi/sql/read.ts";
import { insertRow, revisedBy } from "../../../jsonapi/sql/write.ts";
import { json } from "../../../store/sql.ts";
import { afterAttendances } from "./effects.ts";
import {
  lockEnrollments,
  type LockedSession,
  lockNamedSession,
  assertNotCancelled,
} from "./locks.ts";

type Entry = CreateInput<SheetFields>["attributes"]["entries"][number];

/** POST /v1/course-attendance-sheets records the attendance of a class at once. */
export async function createSheet(
  context: WriteContext<SheetFields>,
  input: CreateInput<SheetFields>,
): Promise<Written> {
  const session = await lockNamedSession(context, input.toOne.session);
  const { entries } = input.attributes;
  const ids = entries.map((entry) => entry["enrollment-id"]);
  await checkEnrollments(context, session, ids);

  const changedCount = await writeEntries(context, session, entries);
  const written = await insertRow(context, context.resource, {
    ...input,
    attributes: { "recorded-count": entries.length, "changed-count": changedCount },
    toOne: { ...input.toOne, class: session.classId, course: session.courseId },
  });
  await afterAttendances(context, session, ids);
  return written;
}

/** An enrollment that the caller cannot read is reported like an absent one. */
async function checkEnrollments(
  context: WriteContext,
  session: LockedSession,
  ids: readonly string[],
): Promise<void> {
  const enrollments = definitionOf(context.catalogue, "course-enrollments");
  const readable = await linkableIds(context, enrollments, ids);
  const locked = await lockEnrollments(context, session, ids);
  const invalid: Problem[] = [];
  const inactive: Problem[] = [];
  for (const [position, id] of ids.entries()) {
    const pointer = `/data/attributes/entries/${position}`;
    if (!readable.has(id) || !locked.has(id))
      refuse(
        invalid,
        "invalid-attribute",
        { rule: "not-found", hint: "The class has no such enrollment." },
        pointer,
      );
    else if (ids.indexOf(id) < position)
      refuse(invalid, "invalid-attribute", { rule: "repeated" }, pointer);
    else if (!locked.get(id)?.takesPart)
      refuse(inactive, "enrollment-not-active", "The enrollment is not active.", pointer);
  }
  if (invalid.length > 0) throw new ApiError(invalid);
  assertNotCancelled(session);
  if (inactive.length > 0) throw new ApiError(inactive);
}

/** Returns the number of attendances that were created or changed. Members that an entry lacks keep their values. */
async function writeEntries(
  { actor, db }: WriteContext,
  { classId, courseId, date, id, lessonId }: LockedSession,
  entries: readonly Entry[],
): Promise<number> {
  const { accountId, personId } = actor;
  const rows = entries.map((entry) => ({
    ...entry,
    "id": newId(),
    "keeps-note": entry.note === undefined,
    "keeps-minutes": entry.minutes === undefined,
  }));
  const { count } = await db`
    insert into course_attendances as kept (account_id, id, created_by, modified_by, course_id, class_id, session_id,
      lesson_id, date, enrollment_id, person_id, status, note, minutes, recorded_by)
    select ${accountId}, sent.id, ${personId}, ${personId}, ${courseId}, ${classId}, ${id}, ${lessonId}::uuid,
      ${date}::date, enrollment.id, enrollment.person_id, sent.status,
      case when sent."keeps-note" then old.note else sent.note end,
      case when sent."keeps-minutes" then old.minutes else sent.minutes end, ${personId}
    from json_to_recordset(${json(rows)}::json) as sent (id uuid, "enrollment-id" uuid, status text, note text,
      minutes integer, "keeps-note" boolean, "keeps-minutes" boolean)
    join course_enrollments enrollment
      on enrollment.account_id = ${accountId} and enrollment.id = sent."enrollment-id"
    left join course_attendances old
      on old.account_id = ${accountId} and old.session_id = ${id} and old.enrollment_id = enrollment.id
    on conflict (account_id, session_id, enrollment_id) do update set status = excluded.status, note = excluded.note,
      minutes = excluded.minutes, recorded_at = now(), recorded_by = excluded.recorded_by,
      ${revisedBy(actor, "kept")}
    where (kept.status, kept.note, kept.minutes) is distinct from (excluded.status, excluded.note, excluded.minutes)`;
  return count;
}
