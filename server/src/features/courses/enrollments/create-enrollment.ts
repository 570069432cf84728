import { fail, forbidden, invalid, notAllowedHere } from "../../../base/errors.ts";
import { beginBatch } from "../../../events/capture.ts";
import type { EnrollmentFields } from "./fields.ts";
import type { CreateInput, RowInput } from "../../../jsonapi/definition/input.ts";
import type { Resource, WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { definitionOf, forType } from "../../../jsonapi/definition/targets.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import { isReadable } from "../../../jsonapi/sql/read.ts";
import { captureRows, insertRow } from "../../../jsonapi/sql/write.ts";
import { mayAtClass } from "../may-at-class.ts";
import { assertRequirementsMet } from "../requirements/unmet.ts";
import { updateProgress } from "./progress.ts";
import {
  assertAdmits,
  assertMayWaive,
  NO_WAIVERS,
  assertNotEnrolled,
  isInScope,
  seatIn,
} from "./admission.ts";
import { type LockedClass, lockClass } from "./seats.ts";

const classSource = { pointer: "/data/relationships/class/data" };
const personSource = { pointer: "/data/relationships/person/data" };
const newPersonPointer = "/data/attributes/new-person";

type EnrollmentInput = CreateInput<EnrollmentFields>;

/** POST /v1/course-enrollments. People enroll themselves, and staff of the class enroll others. */
export const createEnrollment = (
  context: WriteContext<EnrollmentFields>,
  input: EnrollmentInput,
): Promise<Written> => enroll(context, input, "'staff'");

/** The same for a row of an import. */
export const enrollFromFile = (
  context: WriteContext<EnrollmentFields>,
  input: EnrollmentInput,
): Promise<Written> => enroll(context, input, "'import'");

async function enroll(
  context: WriteContext<EnrollmentFields>,
  input: EnrollmentInput,
  byStaff: "'staff'" | "'import'",
): Promise<Written> {
  const { actor, db, resource } = context;
  const classId = input.toOne.class;
  const isStaff = await mayAtClass(context, "course-enrollments:write", classId);
  if (!isStaff) await assertForOneself(context, classId, input);
  await assertMayWaive(context, classId, input.attributes, NO_WAIVERS);
  const wanted = wantedStatus(input);
  assertNamesOnePerson(input);

  const locked = await lockClass(db, { accountId: actor.accountId, classId });
  if (!locked) throw absentTarget(resource, "class");
  assertAdmits(locked, classSource);
  if (!isStaff) assertOpenToPeople(locked);
  const personId = input.toOne.person ?? (await knownOrNewPerson(context, input));
  const source = input.toOne.person ? personSource : { pointer: newPersonPointer };
  const isRequest = isStaff ? wanted === "requested" : locked.enrollmentPolicy === "request";
  return admit(context, locked, {
    input: { ...input, toOne: { ...input.toOne, person: personId } },
    personId,
    isRequest,
    source: isStaff ? byStaff : "'self'",
    at: { person: source, class: classSource },
  });
}

interface Admission {
  input: RowInput<EnrollmentFields>;
  personId: string;
  isRequest: boolean;
  source: "'staff'" | "'import'" | "'self'" | "'public-form'";
  /** The pointers of errors about the person, and about the class. */
  at: { person: { pointer: string }; class: { pointer: string } };
}

/** Inserts the enrollment of a person in a class that the caller holds and that admits people. */
async function admit(
  context: WriteContext<EnrollmentFields>,
  locked: LockedClass,
  { at, input, isRequest, personId, source }: Admission,
): Promise<Written> {
  const { resource } = context;
  const { courseId, id: classId } = locked;
  await assertNotEnrolled(context, { classId, personId }, at.person);
  const warnings = await assertRequirementsMet(context, {
    courseId,
    personId,
    areWaived: input.attributes["requirements-waived"] === true,
  });
  const status = isRequest ? "requested" : await seatIn(context, locked, at.class);
  const attributes: RowInput<EnrollmentFields>["attributes"] = {
    ...(locked.hasPrice && { "payment-status": "pending" }),
    ...input.attributes,
    status,
  };
  const toOne = { ...input.toOne, class: classId, person: personId, course: courseId };
  const isAccepted = await isInScope(context, personId);
  const { id } = await insertRow(
    context,
    resource,
    { ...input, attributes, toOne },
    { source, is_accepted: String(isAccepted) },
  );
  await updateProgress(context, { ids: [id] });
  await captureRows(context, resource.type, "course-enrollment.created", [id]);
  return { id, ...(warnings.length > 0 && { meta: { unmet: warnings } }) };
}

/**
 * Enrolls the person of a form or of a request, under the conditions of an enrollment by staff. The operation has checked the
 * rights of the caller at the class. The pointer of every error is `/data`.
 */
export async function enrollByForm(
  context: WriteContext,
  {
    classId,
    personId,
    source,
  }: { classId: string; personId: string; source: "staff" | "public-form" },
): Promise<Written> {
  const enrollments = forType(context, courseEnrollmentsOf(context));
  const { actor, db } = context;
  const locked = await lockClass(db, { accountId: actor.accountId, classId });
  const data = { pointer: "/data" };
  if (!locked) throw fail("class-not-open", "The class no longer exists.", data);
  assertAdmits(locked, data);
  return admit(enrollments, locked, {
    input: { attributes: {}, toOne: {}, toMany: {} },
    personId,
    isRequest: false,
    source: source === "staff" ? "'staff'" : "'public-form'",
    at: { person: data, class: data },
  });
}

const courseEnrollmentsOf = ({ catalogue }: WriteContext) =>
  definitionOf(catalogue, "course-enrollments") as unknown as Resource<EnrollmentFields>;

/** 403 unless people enroll themselves, in a class that they may read, without a status of their choice. */
async function assertForOneself(
  context: WriteContext,
  classId: string,
  { attributes, toOne }: CreateInput<EnrollmentFields>,
): Promise<void> {
  const classes = definitionOf(context.catalogue, "course-classes");
  if (!(await isReadable(context, classes, classId)))
    throw forbidden("This person may not do this in classes of this id.");
  if (toOne.person !== context.actor.personId)
    throw fail("forbidden", "People may enroll only themselves.", personSource);
  if (attributes.status !== undefined)
    throw fail("forbidden", "This person may not set status.", {
      pointer: "/data/attributes/status",
    });
}

export const initialStatuses = ["active", "requested"] as const;

function wantedStatus({ attributes }: CreateInput<EnrollmentFields>): "active" | "requested" {
  const status = attributes.status ?? "active";
  if (status !== "active" && status !== "requested")
    throw invalid("/data/attributes/status", { rule: "one-of", allowed: initialStatuses });
  return status;
}

function assertNamesOnePerson({ attributes, toOne }: CreateInput<EnrollmentFields>): void {
  const isNew = (attributes["new-person"] ?? null) !== null;
  const isKnown = (toOne.person ?? null) !== null;
  if (isNew && isKnown)
    throw invalid(
      newPersonPointer,
      notAllowedHere("An enrollment has either `person` or `new-person`."),
    );
  if (!isNew && !isKnown)
    throw fail(
      "missing-relationship",
      { rule: "required", hint: "Send `person` or `new-person`." },
      { pointer: "/data/relationships/person" },
    );
}

function assertOpenToPeople({ enrollmentPolicy, isTimeToEnroll }: LockedClass): void {
  if (enrollmentPolicy === "closed" || !isTimeToEnroll)
    throw fail("enrollment-closed", "People cannot enroll themselves now.", classSource);
}

/** The person whom the caller describes, or a prospect. The caller learns of no other person that exists. */
async function knownOrNewPerson(
  context: WriteContext,
  { attributes }: CreateInput<EnrollmentFields>,
): Promise<string> {
  const { createProspect, findKnownPerson } = context.catalogue.published;
  const { "new-person": person } = attributes;
  if (!person) throw new Error("An enrollment without a person names a new one.");
  const { email, "full-name": fullName, phone } = person;
  const described = { fullName, email, phone };
  const known = await findKnownPerson(context, described);
  if (known !== undefined) return known;
  beginBatch(context.db);
  return createProspect(context, described);
}
