import { holds } from "../../../access/policy.ts";
import { fail, invalid, notAllowedHere } from "../../../base/errors.ts";
import { checkTransition } from "../../../base/transitions.ts";
import { beginBatch } from "../../../events/capture.ts";
import type { CapturedType } from "../../../events/event-types.ts";
import type { EnrollmentFields } from "./fields.ts";
import type { UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { assertMayChange, updateRow } from "../../../jsonapi/sql/write.ts";
import { assertMayAtClass, mayAtClass } from "../may-at-class.ts";
import { assertRequirementsMet, type Unmet } from "../requirements/unmet.ts";
import { type LockedEnrollment, lockEnrollment } from "./locks.ts";
import { assertAdmits, assertMayWaive, classFull, assertNotEnrolled } from "./admission.ts";
import { admitWaiting, freeSeats, type LockedClass } from "./seats.ts";
import { type EnrollmentStatus, enrollmentTransitions, setterOf } from "./statuses.ts";

const statusSource = { pointer: "/data/attributes/status" };

const events: Partial<Record<EnrollmentStatus, CapturedType>> = {
  completed: "course-enrollment.completed",
  withdrawn: "course-enrollment.withdrawn",
};

/** PATCH /v1/course-enrollments/:id */
export async function updateEnrollment(
  context: WriteContext<EnrollmentFields>,
  id: string,
  input: UpdateInput<EnrollmentFields>,
): Promise<Written> {
  await assertMayChange(context, context.resource, id);
  const { lockedClass, enrollment } = await lockEnrollment(context, id, "for no key update");
  const { attributes } = input;
  const to = attributes.status ?? enrollment.status;
  const changes = checkTransition(enrollmentTransitions, enrollment.status, to);
  if (changes) await assertMaySet(context, { classId: lockedClass.id, enrollment, to });
  await assertMayWaive(context, lockedClass.id, attributes, enrollment);
  assertMayAccept(context, enrollment, attributes["is-accepted"]);
  if (to !== "withdrawn" && attributes["withdrawn-reason"])
    throw invalid(
      "/data/attributes/withdrawn-reason",
      notAllowedHere("Only a withdrawn enrollment has a reason."),
    );
  if (!changes) return updateRow(context, context.resource, id, input);

  const isWaived = (name: "requirements-waived" | "graduation-waived") =>
    (attributes[name] ?? enrollment[name]) === true;
  const enters = to === "active" || to === "waitlisted";
  if (enters) await assertHasIdentity(context, enrollment);
  const warnings = enters
    ? await enter(context, {
        lockedClass,
        enrollment,
        to,
        areWaived: isWaived("requirements-waived"),
      })
    : [];
  if (to === "completed" && !isWaived("graduation-waived")) await assertEligible(context, id);
  const freesSeat = to === "withdrawn";
  if (freesSeat) beginBatch(context.db);
  const times = {
    status_changed_at: "now()",
    ...(to === "completed" && { completed_at: "now()" }),
    ...(enrollment.status === "completed" && { completed_at: "null" }),
  };
  const written = await updateRow(context, context.resource, id, input, times, {
    event: events[to],
  });
  if (freesSeat) await admitWaiting(context, lockedClass.id);
  return { ...written, ...(warnings.length > 0 && { meta: { unmet: warnings } }) };
}

/** The person and the office accept an enrollment, and it stays accepted. */
function assertMayAccept(
  { actor }: WriteContext,
  { isAccepted, personId }: LockedEnrollment,
  to = isAccepted,
): void {
  if (to === isAccepted) return;
  const pointer = "/data/attributes/is-accepted";
  if (!to) throw invalid(pointer, notAllowedHere("An accepted enrollment stays accepted."));
  if (personId !== actor.personId && !holds(actor, "course-enrollments:write"))
    throw fail("forbidden", "Only the person and the office accept an enrollment.", { pointer });
}

/** The enrollments of an anonymized person are history. */
async function assertHasIdentity(
  { actor, db }: WriteContext,
  { personId }: LockedEnrollment,
): Promise<void> {
  const [anonymized] = await db`
    select from person_facts where account_id = ${actor.accountId} and person_id = ${personId} and is_anonymized`;
  if (anonymized)
    throw fail(
      "person-anonymized",
      "This person was anonymized, and enters no class.",
      statusSource,
    );
}

/** 403 unless the caller may set the status. */
async function assertMaySet(
  context: WriteContext,
  {
    classId,
    enrollment,
    to,
  }: { classId: string; enrollment: LockedEnrollment; to: EnrollmentStatus },
): Promise<void> {
  const setter = setterOf(enrollment.status, to);
  if (setter === "approver")
    return assertMayAtClass(context, "course-enrollments:approve", classId, statusSource.pointer);
  const isOwn = enrollment.personId === context.actor.personId;
  if (setter === "staff or the person" && isOwn) return;
  if (!(await mayAtClass(context, "course-enrollments:write", classId)))
    throw fail("forbidden", `This person may not set the status ${to}.`, statusSource);
}

/** Checks the conditions for `active` and `waitlisted`. Returns the requirements that only warn. */
async function enter(
  context: WriteContext,
  {
    areWaived,
    enrollment,
    lockedClass,
    to,
  }: {
    lockedClass: LockedClass;
    enrollment: LockedEnrollment;
    to: EnrollmentStatus;
    areWaived: boolean;
  },
): Promise<readonly Unmet[]> {
  const { actor, db } = context;
  const { personId, status } = enrollment;
  const { courseId, id: classId } = lockedClass;
  // A correction. The enrollment has kept its seat.
  if (status === "completed") return [];
  if (status === "failed") {
    await assertNotEnrolled(context, { classId, personId }, statusSource);
    return [];
  }
  assertAdmits(lockedClass, statusSource);
  const warnings =
    status === "requested"
      ? await assertRequirementsMet(context, { courseId, personId, areWaived })
      : [];
  const needsSeat = to === "active";
  if (needsSeat && (await freeSeats(db, { accountId: actor.accountId, classId })) === 0)
    throw classFull(statusSource);
  return warnings;
}

/** 409 with the missing lessons and tasks, unless the enrollment is eligible to graduate. */
async function assertEligible({ actor, db }: WriteContext, id: string): Promise<void> {
  const [progress] = await db<
    { isEligible: boolean; lessons: number; mandatoryLessons: string[]; tasks: string[] }[]
  >`
    select is_eligible_to_graduate as "isEligible", greatest(0, lessons_required - lessons_attended) as lessons,
      missing_lessons as "mandatoryLessons", missing_tasks as tasks
    from course_progress where account_id = ${actor.accountId} and enrollment_id = ${id}`;
  if (!progress || progress.isEligible) return;
  const { lessons, mandatoryLessons, tasks } = progress;
  throw fail(
    "not-eligible-to-graduate",
    "The conditions of graduation are not met.",
    statusSource,
    { missing: { lessons, "mandatory-lessons": mandatoryLessons, tasks } },
  );
}
