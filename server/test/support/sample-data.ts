import assert from "node:assert/strict";
import type { Db } from "../../src/store/db.ts";

/** Each statement finds the rows that contradict others. A database that only the interface wrote has none. */
const contradictions = {
  "an attendance belongs to a held meeting of its cell and date": `
    select from cell_attendances a
    join cell_meetings m on m.account_id = a.account_id and m.id = a.meeting_id
    where (a.cell_id, a.date) <> (m.cell_id, m.date) or m.status <> 'held'`,
  "a person with an attendance had a membership on that day": `
    select from cell_attendances a where not exists (
      select from cell_memberships member where member.account_id = a.account_id and member.cell_id = a.cell_id
        and member.person_id = a.person_id and (member.cell_role = 'visitor') = a.is_visitor
        and member.joined_on <= a.date and (member.left_on is null or a.date < member.left_on))`,
  "the members-count of a report is the number of members on that day": `
    select from cell_meetings m where submitted_at is not null and members_count is distinct from (
      select count(distinct member.person_id) from cell_memberships member
      where member.account_id = m.account_id and member.cell_id = m.cell_id and member.cell_role <> 'visitor'
        and member.joined_on <= m.date and (member.left_on is null or m.date < member.left_on))`,
  "the visitors-count of a held meeting is the number of visitors": `
    select from cell_meetings m where status = 'held' and visitors_count is distinct from (
      select count(*) from cell_attendances a
      where a.account_id = m.account_id and a.meeting_id = m.id and a.is_visitor)`,
  "a first time has no earlier attendance": `
    select from cell_attendances a where first_time and exists (
      select from cell_attendances earlier where earlier.account_id = a.account_id and earlier.cell_id = a.cell_id
        and earlier.person_id = a.person_id and earlier.date < a.date)`,
  "a visitor came for the first time on the day of joining": `
    select from cell_memberships member where cell_role = 'visitor' and not exists (
      select from cell_attendances a where a.account_id = member.account_id and a.cell_id = member.cell_id
        and a.person_id = member.person_id and a.date = member.joined_on and a.first_time)`,
  "a person is a participant of one cell at most": `
    select person_id from cell_memberships where status = 'active' and cell_role = 'participant'
    group by account_id, person_id having count(*) > 1`,
  "a membership has ended if it has an end": `
    select from cell_memberships where (status = 'left') <> (left_on is not null)`,
  "a cell met while it was open, on its weekday": `
    select from cell_meetings m join cells on cells.account_id = m.account_id and cells.id = m.cell_id
    where (m.is_automatic or m.status <> 'scheduled') and extract(dow from m.date) <> cells.weekday
      or cells.cell_type <> 'cell'
      or m.date < cells.opened_at::date or m.date > cells.closed_at::date`,
  "a report follows its meeting": `
    select from cell_meetings where submitted_at < date + ends_at * interval '1 minute' or submitted_at > now()`,
  "a closed cell has no members, and another one has a leader": `
    select from cells where (closed_at is null) <> exists (
      select from cell_memberships member where member.account_id = cells.account_id and member.cell_id = cells.id
        and member.status = 'active' and member.cell_role = 'leader')`,
  "a parent has a higher level than its child": `
    select from cells join cells parent on parent.account_id = cells.account_id and parent.id = cells.parent_id
    where parent.level <= cells.level`,
  "a session, an enrollment and an attendance belong to the course of their class": `
    select from course_classes class
    join (select account_id, class_id, course_id from course_sessions
      union all select account_id, class_id, course_id from course_enrollments
      union all select account_id, class_id, course_id from course_attendances
      union all select account_id, class_id, course_id from course_task_completions) row
      on row.account_id = class.account_id and row.class_id = class.id
    where row.course_id <> class.course_id`,
  "an attendance has the date and the lesson of a held session, and the person of its enrollment": `
    select from course_attendances a
    join course_sessions session on session.account_id = a.account_id and session.id = a.session_id
    join course_enrollments enrollment on enrollment.account_id = a.account_id and enrollment.id = a.enrollment_id
    where (a.class_id, a.lesson_id, a.date, a.person_id) is distinct from
        (session.class_id, session.lesson_id, session.date, enrollment.person_id)
      or session.status <> 'held' or enrollment.class_id <> a.class_id
      or enrollment.status not in ('active', 'completed', 'failed', 'withdrawn')
      or enrollment.status = 'withdrawn' and a.date > enrollment.status_changed_at`,
  "a held session is over, and a class meets on its weekday": `
    select from course_sessions session
    join course_classes class on class.account_id = session.account_id and class.id = session.class_id
    where session.status = 'held' and session.date > current_date
      or extract(dow from session.date) <> (class.schedule -> 0 ->> 'weekday')::integer`,
  "the stored progress is that of the attendances": `
    select from course_enrollments stored
    join course_progress now on now.account_id = stored.account_id and now.enrollment_id = stored.id
    where (now.lessons_attended, now.lessons_required, now.progress, now.is_eligible_to_graduate) is distinct from
      (stored.lessons_attended, stored.lessons_required, stored.progress, stored.is_eligible_to_graduate)`,
  "a completed enrollment was eligible or waived, and no other one is eligible": `
    select from course_enrollments
    where status in ('active', 'completed', 'failed')
      and (status = 'completed') <> (is_eligible_to_graduate or graduation_waived)`,
  "people wait only for a class that is full, and no class has more students than seats": `
    select from course_classes class
    cross join lateral (select count(*) filter (where status in ('active', 'completed', 'failed')) as taken,
        count(*) filter (where status = 'waitlisted') as waiting
      from course_enrollments e where e.account_id = class.account_id and e.class_id = class.id) students
    where taken > seats or waiting > 0 and (seats is null or taken < seats)`,
  "an enrollment has changed after it began, and a completed one has an end": `
    select from course_enrollments
    where status_changed_at < enrolled_at or enrolled_at > now() or status_changed_at > now()
      or (status = 'completed') <> (completed_at is not null)`,
  "a completion of a task belongs to its enrollment, and was reviewed if it is not submitted": `
    select from course_task_completions done
    join course_enrollments enrollment on enrollment.account_id = done.account_id and enrollment.id = done.enrollment_id
    join course_tasks task on task.account_id = done.account_id and task.id = done.task_id
    where (done.class_id, done.person_id) is distinct from (enrollment.class_id, enrollment.person_id)
      or task.course_id <> done.course_id or done.submitted_at > now() or done.reviewed_at < done.submitted_at
      or (done.status = 'submitted') <> (done.reviewed_at is null)`,
  "the ancestors of each cell are its parent and the parent's ancestors": `
    with recursive above as (
      select account_id, id as cell_id, id as ancestor_id, 0 as distance from cells
      union all
      select above.account_id, above.cell_id, cells.parent_id, above.distance + 1 from above
      join cells on cells.account_id = above.account_id and cells.id = above.ancestor_id
      where cells.parent_id is not null)
    (table above except select account_id, cell_id, ancestor_id, distance from cell_ancestors)
    union all (select account_id, cell_id, ancestor_id, distance from cell_ancestors except table above)`,
};

export async function assertNoContradictions(db: Db): Promise<void> {
  for (const [promise, statement] of Object.entries(contradictions)) {
    const found = await db.query(statement);
    assert.equal(found.length, 0, `${promise}: ${found.length} rows do not`);
  }
}
