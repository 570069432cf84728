import { lockPeople } from "../../../access/locks.ts";
import { fail, invalid, notAllowedHere, notFound } from "../../../base/errors.ts";
import { checkTransition } from "../../../base/transitions.ts";
import { beginBatch } from "../../../events/capture.ts";
import type { RowInput, UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
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
  await lockPlace(context, id, personId);
  const [before] = await db<EnrollmentRequest[]>`
    select class_id as "classId", person_id as "personId", status, contact from course_enrollment_requests
    where account_id = ${actor.accountId} and id = ${id} for no key update`;
  if (!before) throw notFound();

  const status = input.attributes.status ?? before.status;
  const decides = checkTransition(requestTransitions, before.status, status);
  const approves = decides && status === "approved";
  if (input.toOne.person !== undefined && personId !== before.personId)
    assertNamesPerson(before, personId, approves);
  if (status !== "declined" && input.attributes["decline-reason"])
    throw invalid(
      "/data/attributes/decline-reason",
      notAllowedHere("Only a declined request has a reason."),
    );
  if (!decides) return updateRow(context, resource, id, input);

  const decided = { decided_at: "now()", decided_by: AUTHOR };
  if (!approves) return updateRow(context, resource, id, input, decided);
  beginBatch(db);
  const enrolled = personId ?? before.personId ?? (await addProspect(context, before));
  const { meta } = await enrollByForm(context, {
    classId: before.classId,
    personId: enrolled,
    source: "public-form",
  });
  const toOne = { ...input.toOne, person: enrolled };
  const written = await updateRow(context, resource, id, { ...input, toOne }, decided);
  return { ...written, ...(meta && { meta }) };
}

function assertNamesPerson(
  before: EnrollmentRequest,
  personId: string | null,
  approves: boolean,
): void {
  const at = { pointer: "/data/relationships/person/data" };
  if (before.personId !== null) throw fail("invalid-relationship", { rule: "read-only" }, at);
  if (!approves || personId === null)
    throw fail(
      "invalid-relationship",
      notAllowedHere("Only an approval names the person of a contact."),
      at,
    );
}

/** An approval takes a seat. The class and the person are locked before the request. */
async function lockPlace(
  { actor, db }: WriteContext,
  id: string,
  personId: string | null,
): Promise<void> {
  const { accountId } = actor;
  const [place] = await db<{ classId: string; personId: string | null }[]>`
    select class_id as "classId", person_id as "personId" from course_enrollment_requests
    where account_id = ${accountId} and id = ${id}`;
  if (!place) return;
  await lockClass(db, { accountId, classId: place.classId });
  const enrolled = personId ?? place.personId;
  await lockPeople(db, accountId, enrolled === null ? [] : [enrolled]);
}

/** The contact of a pending request is never deleted. */
async function addProspect(context: WriteContext, { contact }: EnrollmentRequest): Promise<string> {
  if (!contact) throw new Error("A pending request has a contact.");
  const { email, "full-name": fullName, phone } = contact;
  return context.catalogue.published.createProspect(context, { fullName, email, phone });
}
