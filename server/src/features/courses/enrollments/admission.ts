import { holds } from "../../../access/policy.ts";
import { isCondition, pathsOf, type ScopedReach } from "../../../access/reach.ts";
import { fail, type Source } from "../../../base/errors.ts";
import { alreadyExists } from "../../../jsonapi/definition/constraint-words.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { linkReach } from "../../../jsonapi/request/reach.ts";
import { reachesRow } from "../../../jsonapi/sql/reach.ts";
import { assertNoOther } from "../../../jsonapi/sql/read.ts";
import { assertMayAtClass } from "../may-at-class.ts";
import { freeSeats, type LockedClass } from "./seats.ts";
import type { UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { EnrollmentFields } from "./fields.ts";

export const alreadyEnrolled = alreadyExists(
  "/data/relationships/person/data",
  "The person is enrolled in this class.",
);

const APPROVE = "course-enrollments:approve";

/** 409 unless the class is open or in progress, and its course active. */
export function assertAdmits(
  { courseIsActive, status }: Pick<LockedClass, "courseIsActive" | "status">,
  source: Source,
): void {
  if (status !== "open" && status !== "in-progress")
    throw fail("class-not-open", `The class is ${status}.`, source);
  if (!courseIsActive) throw fail("enrollment-closed", "The course is not active.", source);
}

/** The status of an enrollment that wants a seat: `active`, or `waitlisted` if the class is full. */
export async function seatIn(
  { actor, db }: WriteContext,
  { id, waitlistEnabled }: LockedClass,
  source: Source,
): Promise<"active" | "waitlisted"> {
  if ((await freeSeats(db, { accountId: actor.accountId, classId: id })) > 0) return "active";
  if (waitlistEnabled) return "waitlisted";
  throw classFull(source);
}

export const classFull = (source: Source) =>
  fail("class-full", "All seats of the class are taken.", source);

/**
 * Whether an enrollment by the caller needs no acceptance: it is theirs, the person is in their scope, or is a prospect of theirs. A
 * person whom the caller only sees, such as one of the household or a leader of a cell above, is in another scope.
 */
export async function isInScope(context: WriteContext, personId: string): Promise<boolean> {
  const { actor, catalogue } = context;
  if (personId === actor.personId || holds(actor, "course-enrollments:write")) return true;
  const people = definitionOf(catalogue, "people");
  const reach = linkReach(actor, people);
  if (reach === "everything") return true;
  const own = pathsOf(people.reach, "creator").map(
    (path): ScopedReach => ({ scope: "creator", path, ids: [actor.personId] }),
  );
  const inScope = reach.filter(({ path }) => isCondition(path) || !path.onlyReduced);
  const [isIn = false] = await reachesRow(context, people, personId, [[...inScope, ...own]]);
  return isIn;
}

/** Names the current enrollment that exists. The unique index has the same condition. */
export async function assertNotEnrolled(
  context: WriteContext,
  { classId, personId }: { classId: string; personId: string },
  { pointer }: { pointer: string },
): Promise<void> {
  const { actor, db } = context;
  const [known] = await db<{ id: string }[]>`
    select id from course_enrollments
    where account_id = ${actor.accountId} and class_id = ${classId} and person_id = ${personId}
      and status in ('requested', 'waitlisted', 'active', 'completed')`;
  await assertNoOther(context, known, { ...alreadyEnrolled, pointer });
}

interface Waivers {
  "requirements-waived": boolean;
  "graduation-waived": boolean;
  "waiver-note": string | null;
}

export const NO_WAIVERS: Waivers = {
  "requirements-waived": false,
  "graduation-waived": false,
  "waiver-note": null,
};

/** 403 for a changed waiver, unless the caller approves enrollments of the class. */
export async function assertMayWaive(
  context: WriteContext,
  classId: string,
  attributes: UpdateInput<EnrollmentFields>["attributes"],
  present: Waivers,
): Promise<void> {
  for (const name of ["requirements-waived", "graduation-waived", "waiver-note"] as const)
    if (attributes[name] !== undefined && attributes[name] !== present[name])
      await assertMayAtClass(context, APPROVE, classId, `/data/attributes/${name}`);
}
