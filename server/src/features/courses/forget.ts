import type { Forgetting, WriteContext } from "../../jsonapi/definition/resource.ts";
import { discardFiles } from "../../jsonapi/sql/files.ts";
import { revisedBy } from "../../jsonapi/sql/write.ts";

/**
 * Attendances stay when their student is forgotten, so that the counts of a session do not change. An anonymized student also keeps
 * enrollments and completions. Texts and files of these rows are removed.
 */
export async function forgetStudent(
  context: WriteContext,
  personId: string,
  forgetting: Forgetting,
): Promise<void> {
  const { actor, db } = context;
  await db`
    update course_attendances attendance set note = null, ${revisedBy(actor, "attendance")}
    where account_id = ${actor.accountId} and person_id = ${personId} and note is not null`;
  if (forgetting === "anonymized") await emptyEnrollments(context, personId);
}

async function emptyEnrollments({ actor, db }: WriteContext, personId: string): Promise<void> {
  const { accountId } = actor;
  await db`
    update course_enrollments enrollment set status = ended.status, withdrawn_reason = null, waiver_note = null,
      custom_properties = '{}', ${revisedBy(actor, "enrollment")},
      status_changed_at = case when ended.status = enrollment.status then enrollment.status_changed_at else now() end
    from course_enrollments former
    cross join lateral (
      select case former.status
        when 'active' then 'withdrawn'
        when 'requested' then 'cancelled'
        when 'waitlisted' then 'cancelled'
        else former.status end as status
    ) ended
    where enrollment.account_id = ${accountId} and enrollment.person_id = ${personId}
      and former.account_id = enrollment.account_id and former.id = enrollment.id`;
  const works = await db<{ fileId: string | null }[]>`
    select file_id as "fileId" from course_task_completions
    where account_id = ${accountId} and person_id = ${personId}
    order by id for no key update`;
  await db`
    update course_task_completions work set text = null, url = null, file_id = null, student_comment = null,
      teacher_comment = null, ${revisedBy(actor, "work")}
    where account_id = ${accountId} and person_id = ${personId}`;
  await discardFiles(
    db,
    accountId,
    works.flatMap(({ fileId }) => fileId ?? []),
  );
}
