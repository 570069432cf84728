import { newId } from "../../../base/ids.ts";
import { ApiError, type Problem, refuse } from "../../../base/errors.ts";
import { noteAuthorship } from "../../../events/author.ts";
import { beginBatch } from "../../../events/capture.ts";
import { layoutOf } from "../../../jsonapi/definition/layout.ts";
import type { Row } from "../../../jsonapi/definition/rows.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { definitionOf, forType } from "../../../jsonapi/definition/targets.ts";
import { linkableIds } from "../../../jsonapi/sql/read.ts";
import { StatementBuilder } from "../../../jsonapi/sql/statement-builder.ts";
import { AUTHOR, captureRow, insertRow, revisedBy } from "../../../jsonapi/sql/write.ts";
import { cellMemberships } from "../memberships/definition.ts";
import type { MembershipValues } from "../memberships/fields.ts";
import type { MeetingValues } from "./fields.ts";
import { json } from "../../../store/sql.ts";

/** The columns of the first report. They are written together with its status. */
export const SUBMITTED = { submitted_at: "now()", submitted_by: AUTHOR };

/** A meeting whose row this transaction has locked or inserted. */
export interface ReportedMeeting {
  id: string;
  cellId: string;
  date: string;
}

type AttendanceEntry = NonNullable<MeetingValues["attendance"]>[number];

type VisitorEntry = NonNullable<MeetingValues["visitors"]>[number];

/**
 * Keeps the cell from being closed while a report adds visitors to it. It runs before the meeting is locked, in the order of
 * all locks.
 */
export const lockCellFor = (
  { actor, db }: WriteContext,
  { visitors = [] }: MeetingValues,
  cell: { id: string } | { ofMeeting: string },
) =>
  visitors.length > 0 &&
  db`select from cells where account_id = ${actor.accountId} and id = ${
    "id" in cell
      ? cell.id
      : db`(select cell_id from cell_meetings where account_id = ${actor.accountId} and id = ${cell.ofMeeting})`
  } for share`;

/** Writes attendance and visitors of a report, counts them, and captures the events of the report as one batch. */
export async function writeReport(
  context: WriteContext,
  meeting: ReportedMeeting,
  { attendance = [], visitors = [], "visitors-count": count }: MeetingValues,
): Promise<void> {
  beginBatch(context.db);
  await writeAttendance(context, meeting, attendance);
  const added = await newVisitors(context, meeting, visitors);
  const end = added.length > 0 ? await endOf(context, meeting) : undefined;
  for (const visitor of added) await addVisitor(context, meeting, { ...visitor, end });
  const row = await writeCounts(context, meeting, {
    visitors: visitors.length,
    isCounted: typeof count === "number",
  });
  const resource = definitionOf(context.catalogue, "cell-meetings");
  await captureRow(context, resource, "cell-meeting.reported", row);
}

/** A meeting that did not take place has no attendance. Its visitors stay visitors of the cell. */
export async function removeAttendance(
  { actor, db }: WriteContext,
  { id }: ReportedMeeting,
): Promise<void> {
  await db`
    delete from cell_attendances where account_id = ${actor.accountId} and meeting_id = ${id}`;
}

async function writeAttendance(
  context: WriteContext,
  { cellId, date, id }: ReportedMeeting,
  entries: readonly AttendanceEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await assertAttendees(context, entries);
  const { accountId, personId } = context.actor;
  const rows = entries.map((entry) => ({
    ...entry,
    "id": newId(),
    "keeps-note": entry.note === undefined,
  }));
  // Members of an entry that are not sent keep their values. A person who came as a visitor stays one.
  const written = await context.db<{ person: string; was: string | null; becomes: string }[]>`
    with written as (
    insert into cell_attendances as kept (account_id, id, created_by, modified_by, meeting_id, cell_id, date, person_id,
      status, is_visitor, first_time, note)
    select ${accountId}, sent.id, ${personId}, ${personId}, ${id}, ${cellId}, ${date}::date, sent."person-id",
      sent.status,
      coalesce(old.is_visitor, not was_member(${accountId}, ${cellId}, sent."person-id", ${date}::date)),
      coalesce(sent."first-time", old.first_time, false),
      case when sent."keeps-note" then old.note else sent.note end
    from json_to_recordset(${json(rows)}::json)
      as sent (id uuid, "person-id" uuid, status text, "first-time" boolean, note text, "keeps-note" boolean)
    left join cell_attendances old
      on old.account_id = ${accountId} and old.meeting_id = ${id} and old.person_id = sent."person-id"
    on conflict (account_id, meeting_id, person_id) do update set status = excluded.status,
      first_time = excluded.first_time, note = excluded.note, ${revisedBy(context.actor, "kept")}
    where (kept.status, kept.first_time, kept.note)
      is distinct from (excluded.status, excluded.first_time, excluded.note)
    returning kept.person_id, kept.status)
    select written.person_id as person, old.status as was, written.status as becomes
    from written left join cell_attendances old
      on old.account_id = ${accountId} and old.meeting_id = ${id} and old.person_id = written.person_id`;
  noteAttendance(context, id, written);
}

/** The entry of the report in the audit says whose attendance has changed. The rows of attendances have no entries of their own. */
function noteAttendance(
  { db }: WriteContext,
  meetingId: string,
  written: readonly { person: string; was: string | null; becomes: string }[],
): void {
  const changed = written.filter(({ becomes, was }) => was !== becomes);
  if (changed.length === 0) return;
  const from = Object.fromEntries(
    changed.flatMap(({ person, was }) => (was === null ? [] : [[person, was] as const])),
  );
  const to = Object.fromEntries(changed.map(({ becomes, person }) => [person, becomes]));
  noteAuthorship(db, { noted: { [meetingId]: { attendance: { from, to } } } });
}

/** Rejects people who do not exist or are named twice. People whom the caller cannot read are reported as unknown. */
async function assertAttendees(
  context: WriteContext,
  entries: readonly AttendanceEntry[],
): Promise<void> {
  const ids = entries.map((entry) => entry["person-id"]);
  const people = definitionOf(context.catalogue, "people");
  const known = await linkableIds(context, people, ids, "for key share");
  const problems: Problem[] = [];
  for (const [position, id] of ids.entries()) {
    const pointer = `/data/attributes/attendance/${position}/person-id`;
    if (!known.has(id)) refuse(problems, "invalid-attribute", { rule: "not-found" }, pointer);
    else if (ids.indexOf(id) < position)
      refuse(problems, "invalid-attribute", { rule: "repeated" }, pointer);
  }
  if (problems.length > 0) throw new ApiError(problems);
}

/**
 * A visitor who already has a row is not added again. A visitor whose row was removed gets it back: a correction to `not-held`
 * removes the rows and keeps the people, and a second correction can name them again.
 */
async function newVisitors(
  { actor, catalogue, db }: WriteContext,
  { cellId, date, id }: ReportedMeeting,
  visitors: readonly VisitorEntry[],
): Promise<VisitorEntry[]> {
  if (visitors.length === 0) return [];
  const { accountId, personId } = actor;
  const sent = visitors.map((visitor) => ({
    id: newId(),
    name: visitor["full-name"],
    note: visitor.note ?? null,
  }));
  const rows = await db<{ personId: string }[]>`
    with returned as (
      insert into cell_attendances (account_id, id, created_by, modified_by, meeting_id, cell_id, date, person_id, status,
        is_visitor, first_time, note)
      select distinct on (fold(sent.name)) ${accountId}::uuid, sent.id, ${personId}::uuid, ${personId}::uuid, ${id}::uuid,
        ${cellId}::uuid, ${date}::date, person.person_id, 'present', true, true, sent.note
      from json_to_recordset(${json(sent)}::json) as sent (id uuid, name text, note text)
      join person_facts person on person.account_id = ${accountId} and person.name_folded = fold(sent.name)
      join cell_memberships membership on membership.account_id = ${accountId} and membership.cell_id = ${cellId}
        and membership.person_id = person.person_id and membership.cell_role = 'visitor' and membership.joined_on = ${date}
      where not exists (
        select from cell_attendances present
        join person_facts other on other.account_id = present.account_id and other.person_id = present.person_id
        where present.account_id = ${accountId} and present.meeting_id = ${id}
          and (present.person_id = person.person_id or (present.is_visitor and other.name_folded = fold(sent.name))))
      order by fold(sent.name), sent.id, person.person_id
      returning person_id)
    select person_id as "personId" from cell_attendances
    where account_id = ${accountId} and meeting_id = ${id} and is_visitor and person_id is not null
    union all
    select person_id from returned`;
  const added = await catalogue.published.newNames(db, actor.accountId, {
    names: visitors.map((visitor) => visitor["full-name"]),
    people: rows.map(({ personId }) => personId),
  });
  return visitors.filter((_, position) => added.has(position));
}

/** A report can come after the cell was closed. Memberships that begin then have ended, so that the cell has no members. */
async function endOf({ actor, db }: WriteContext, { cellId, date }: ReportedMeeting): Promise<End> {
  const [closed] = await db<{ on: string }[]>`
    select greatest(${date}::date, (closed_at at time zone time_zone_of(account_id))::date)::text as on from cells
    where account_id = ${actor.accountId} and id = ${cellId} and closed_at is not null`;
  return closed && { "status": "left", "left-on": closed.on, "left-reason": "cell-closed" };
}

type End = Pick<MembershipValues, "status" | "left-on" | "left-reason"> | undefined;

/** Adds a prospect, a membership with the role `visitor`, and an attendance as present for the first time. */
async function addVisitor(
  context: WriteContext,
  { cellId, date, id }: ReportedMeeting,
  { end, ...visitor }: VisitorEntry & { end: End },
): Promise<void> {
  const { actor, catalogue, db } = context;
  const person = await catalogue.published.createProspect(context, {
    fullName: visitor["full-name"],
    phone: visitor.phone,
    email: visitor.email,
  });
  const memberships = forType(context, cellMemberships);
  await insertRow(memberships, memberships.resource, {
    attributes: { "cell-role": "visitor", "joined-on": date, ...end },
    toOne: { cell: cellId, person },
    toMany: {},
  });
  await db`
    insert into cell_attendances (account_id, id, created_by, modified_by, meeting_id, cell_id, date, person_id, status,
      is_visitor, first_time, note)
    values (${actor.accountId}, ${newId()}, ${actor.personId}, ${actor.personId}, ${id}, ${cellId}, ${date}, ${person},
      'present', true, true, ${visitor.note ?? null})`;
}

/**
 * The first report counts the members of that day. If the leader sends no count of the visitors, it is the number of visitors
 * in the document. A later report raises it to the number of first-time visitors with an attendance. Returns the row for the
 * event.
 */
async function writeCounts(
  { actor, catalogue, db }: WriteContext,
  { cellId, date, id }: ReportedMeeting,
  { isCounted, visitors }: { isCounted: boolean; visitors: number },
): Promise<Row> {
  const { columns } = layoutOf(definitionOf(catalogue, "cell-meetings"));
  const statement = new StatementBuilder(actor.accountId, id);
  const [row] = await statement.rows(
    db,
    `update cell_meetings set
       members_count = coalesce(cell_meetings.members_count, (
         select count(distinct member_of(member)) from cell_memberships member
         where member.account_id = ${statement.account} and member.cell_id = ${statement.bind(cellId)}::uuid
           and was_membership(member, ${statement.bind(date)}::date))),
       visitors_count = case
         when ${statement.bind(isCounted)}::boolean or cell_meetings.status <> 'held' then cell_meetings.visitors_count
         when cell_meetings.members_count is null then ${statement.bind(visitors)}::integer
         else greatest(cell_meetings.visitors_count, (
           select count(*) from cell_attendances a
           where a.account_id = ${statement.account} and a.meeting_id = ${statement.id} and a.is_visitor and a.first_time)) end
     where account_id = ${statement.account} and id = ${statement.id} returning ${columns}`,
  );
  if (!row) throw new Error("The reported meeting no longer exists.");
  return row;
}
