import { fail } from "../../../base/errors.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import {
  isFilledIn,
  publicWrite,
  type Received,
  requestOfVisitor,
  type ResourceKey,
  type VisitContext,
} from "../../../jsonapi/definition/public-write.ts";
import { toOne } from "../../../jsonapi/definition/relationships.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { forType } from "../../../jsonapi/definition/targets.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import { isReadable } from "../../../jsonapi/sql/read.ts";
import { visitorRequests } from "../../../jsonapi/sql/visitor-requests.ts";
import { unlessRefused } from "../../../jsonapi/sql/write-apart.ts";
import type { Queryable } from "../../../store/db.ts";
import { publicClasses } from "../classes/public.ts";
import { freeSeats, lockClass } from "../enrollments/seats.ts";
import { approveRequest } from "./approve-request.ts";
import { courseEnrollmentRequests } from "./definition.ts";

const fields = {
  attributes: requestOfVisitor,
  relationships: {
    class: toOne("course-classes", { column: "class_id", required: true }),
  },
};

const { arrived, markConfirmed, store, waiting } = visitorRequests(courseEnrollmentRequests, {
  table: "course_classes",
  column: "class_id",
  page: () => "/inbox",
});

/** `POST /p/v1/course-enrollment-requests` */
export const enrollmentRequestsOfVisitors = publicWrite({
  type: "course-enrollment-requests",
  description:
    "A visitor asks to enroll in a public class. A second request from the same address, while the first is undecided, counts as the first.",
  ...fields,
  status: 202,
  receipt: {},
  refuses: ["requests-closed", "proof-invalid"],
  run: askToEnroll,
  confirmation: { waiting, arrived, confirm },
});

async function askToEnroll(
  given: VisitContext,
  { attributes, toOne: { class: classId } }: CreateInput<typeof fields>,
): Promise<Received> {
  const context = forType(given, courseEnrollmentRequests);
  const { actor, db, resource } = context;
  const { accountId } = actor;
  if (!(await isReadable(context, publicClasses, classId))) throw absentTarget(resource, "class");
  const isProved = await given.visit.checkProof(attributes.proof, given.visit.needsProof);
  const locked = await lockClass(db, { accountId, classId });
  if (!locked) throw absentTarget(resource, "class");
  const isClosed = locked.enrollmentPolicy === "closed" || !locked.isTimeToEnroll;
  const isFull = !locked.waitlistEnabled && (await freeSeats(db, { accountId, classId })) === 0;
  if (isClosed || isFull)
    throw fail("requests-closed", "The class takes no requests now.", {
      pointer: "/data/relationships/class/data",
    });
  if (isFilledIn(attributes.website)) return {};

  return store(given, {
    given: attributes,
    placeId: classId,
    toOne: { class: classId, course: locked.courseId },
    isProved,
    personIds: await teachersOf(db, { accountId, id: classId }),
  });
}

async function teachersOf(db: Queryable, { accountId, id }: ResourceKey): Promise<string[]> {
  const teachers = await db<{ personId: string }[]>`
    select person_id as "personId" from course_class_teachers
    where account_id = ${accountId} and class_id = ${id}`;
  return teachers.map(({ personId }) => personId);
}

/** A course that is open to all takes the visitor at once. Any condition that rejects an enrollment leaves the request to staff. */
async function confirm(given: WriteContext, id: string): Promise<void> {
  const context = forType(given, courseEnrollmentRequests);
  const { actor, db } = context;
  const { accountId } = actor;
  const [request] = await db<{ classId: string; email: string }[]>`
    select class_id as "classId", contact ->> 'email' as email from course_enrollment_requests
    where account_id = ${accountId} and id = ${id} and status = 'pending'`;
  const locked = request && (await lockClass(db, { accountId, classId: request.classId }));
  if (!request || !locked) return;
  const person = await context.catalogue.published.lockPersonOf(context, request.email);
  await markConfirmed(db, { accountId, id });
  const isOpen = locked.enrollmentPolicy === "open" && locked.isTimeToEnroll;
  if (!isOpen || person?.isActive === false) return;
  const personId = person?.id ?? null;
  await unlessRefused(context, () => approveRequest(context, { id, personId }));
}
