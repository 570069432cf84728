import { notFound } from "../../../base/errors.ts";
import { checkTransition } from "../../../base/transitions.ts";
import { beginBatch } from "../../../events/capture.ts";
import type { RowInput, UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { addProspect, assertDecision, lockPlace } from "../../../jsonapi/sql/request-decisions.ts";
import { assertMayChange, AUTHOR, updateRow } from "../../../jsonapi/sql/write.ts";
import { enrollByForm } from "../enrollments/create-enrollment.ts";
import { lockClass } from "../enrollments/seats.ts";
import type { EnrollmentRequestFields } from "./fields.ts";
import { type RequestStatus, requestTransitions } from "./statuses.ts";

interface EnrollmentRequest {
  classId: string;
  personId: string | null;
  status: RequestStatus;
  contact: RowInput<EnrollmentRequestFields>["attributes"]["contact"];
}

type Decision = UpdateInput<EnrollmentRequestFields>;

/** PATCH /v1/course-enrollment-requests/:id. An approval enrolls the person. */
export async function updateEnrollmentRequest(
  context: WriteContext<EnrollmentRequestFields>,
  id: string,
  input: Decision,
): Promise<Written> {
  await assertMayChange(context, context.resource, id);
  return decide(context, id, input);
}

/** The rights of the caller at the class have been checked. */
export async function decide(
  context: WriteContext<EnrollmentRequestFields>,
  id: string,
  input: Decision,
): Promise<Written> {
  const { actor, db, resource } = context;
  const { person: personId = null } = input.toOne;
  await lockPlace(context, { id, personId }, "class_id", (classId) =>
    lockClass(db, { accountId: actor.accountId, classId }),
  );
  const [before] = await db<EnrollmentRequest[]>`
    select class_id as "classId", person_id as "personId", status, contact from course_enrollment_requests
    where account_id = ${actor.accountId} and id = ${id} for no key update`;
  if (!before) throw notFound();

  const status = input.attributes.status ?? before.status;
  const decides = checkTransition(requestTransitions, before.status, status);
  const approves = decides && status === "approved";
  assertDecision(before, input, approves);
  if (!decides) return updateRow(context, resource, id, input);

  const decided = { decided_at: "now()", decided_by: AUTHOR };
  if (!approves) return updateRow(context, resource, id, input, decided);
  beginBatch(db);
  const enrolled = personId ?? before.personId ?? (await addProspect(context, before.contact));
  const { meta } = await enrollByForm(context, {
    classId: before.classId,
    personId: enrolled,
    source: "public-form",
  });
  const toOne = { ...input.toOne, person: enrolled };
  const written = await updateRow(context, resource, id, { ...input, toOne }, decided);
  return { ...written, ...(meta && { meta }) };
}
