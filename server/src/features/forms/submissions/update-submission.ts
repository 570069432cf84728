import { notThrough } from "../../../access/policy.ts";
import {
  ApiError,
  fail,
  invalid,
  notAllowedHere,
  notFound,
  type Problem,
  problem,
} from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { checkTransition, invalidTransition } from "../../../base/transitions.ts";
import type { RowInput, UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { parseResource } from "../../../jsonapi/request/input.ts";
import { mayReach } from "../../../jsonapi/sql/reach.ts";
import { assertMayChange, AUTHOR, updateRow } from "../../../jsonapi/sql/write.ts";
import { customFieldIn } from "../forms/form-field.ts";
import type { SubmissionFields } from "./fields.ts";
import { assertMayAct, atData, carryOut, lockForActions } from "./process.ts";
import { findSender, lockSenders } from "./find-sender.ts";
import { suggestPeople } from "./suggest-people.ts";
import { submissionTransitions } from "./statuses.ts";
import { findForm } from "./stored-form.ts";
import { readSubmission, type StoredSubmission } from "./stored-submission.ts";

const personPointer = "/data/relationships/person/data";
const acceptedPointer = "/data/attributes/accepted-changes";

/** PATCH /v1/form-submissions/:id. The status `processed` carries out the actions of the form. */
export async function updateSubmission(
  context: WriteContext<SubmissionFields>,
  id: string,
  input: UpdateInput<SubmissionFields>,
): Promise<Written> {
  await assertMayChange(context, context.resource, id);
  const { actor, db } = context;
  const { accountId } = actor;
  const known = await readSubmission(db, accountId, id);
  const form = known && (await findForm(db, accountId, known.formId));
  if (!known || !form) throw notFound();
  const personOf = ({ personId }: StoredSubmission) =>
    input.toOne.person === undefined ? personId : input.toOne.person;
  const wants = input.attributes.status ?? known.status;
  const like =
    wants === "new" && known.status !== "new" && personOf(known) === null
      ? await context.catalogue.published.findLikePeople(
          context,
          known.proposed,
          limits.formSuggestionsMax,
        )
      : [];
  const acts = wants === "processed" && known.status !== "processed";
  const createsPerson = acts && form.createsPeople && personOf(known) === null;
  if (createsPerson) await lockSenders(db, accountId);
  const found =
    createsPerson && input.attributes["create-person"] !== true
      ? await findSender(context, known)
      : undefined;
  const targets = acts ? form : { cellId: null, classId: null, createsPeople: false };
  await lockForActions(context, targets, [personOf(known), ...like]);
  const before = await readSubmission(db, accountId, id, "for no key update");
  if (!before) throw notFound();

  const status = input.attributes.status ?? before.status;
  const changes = checkTransition(submissionTransitions, before.status, status);
  const processes = changes && status === "processed";
  const personId = personOf(before);
  const {
    "accepted-changes": accepted,
    "create-person": createPerson,
    ...attributes
  } = input.attributes;
  if (input.attributes.status === "processed" && !changes)
    assertRepeats(before, personId, accepted);
  if (personId !== before.personId && before.status !== "new" && !changes)
    throw fail(
      "invalid-relationship",
      notAllowedHere("Only a new submission gets another person."),
      { pointer: personPointer },
    );
  if (accepted && accepted.length > 0 && (!processes || personId === null))
    throw invalid(
      acceptedPointer,
      notAllowedHere("Changes are accepted with the status `processed` and a `person`."),
    );

  if (createPerson === true && (!processes || personId !== null))
    throw invalid(
      "/data/attributes/create-person",
      notAllowedHere("A person is created with the status `processed` and without a `person`."),
    );

  const written: RowInput<SubmissionFields> = { attributes, toOne: input.toOne, toMany: {} };
  if (!changes) return write(context, id, before, written);
  if (status === "new") {
    if (personId === null) await suggestPeople(context, id, like);
    return write(context, id, before, written);
  }
  if (!processes) return write(context, id, before, written, { reviewed_by: AUTHOR });

  await assertMayAct(context, form);
  if (personId === null && found !== undefined)
    throw fail(
      "person-found",
      "The account has a person who may have sent this.",
      { pointer: personPointer },
      { person: found },
    );
  if (personId !== null) await accept(context, personId, before, accepted ?? []);
  const { personId: linked, results } = await carryOut(context, form, { ...before, personId });
  return write(
    context,
    id,
    before,
    {
      ...written,
      attributes: { ...attributes, results: { ...results } },
      toOne: { ...input.toOne, person: linked },
    },
    { reviewed_by: AUTHOR },
  );
}

/** Another decision about a submission that a colleague has processed comes too late. */
function assertRepeats(
  before: StoredSubmission,
  personId: string | null,
  accepted: readonly string[] | null | undefined,
): void {
  if (personId === before.personId && (accepted ?? []).length === 0) return;
  throw invalidTransition(
    { from: "processed", to: "processed", allowed: submissionTransitions.processed },
    { pointer: "/data/attributes/status" },
  );
}

/**
 * Receivers that never heard of a submission hear of it when it first becomes `new`. The answer is read afterwards, because
 * `suggested-changes` looks up the person in the table, where the update itself sees the former one.
 */
async function write(
  context: WriteContext<SubmissionFields>,
  id: string,
  { isAnnounced }: StoredSubmission,
  input: RowInput<SubmissionFields>,
  extra: Readonly<Record<string, string>> = {},
): Promise<Written> {
  const becomesKnown = !isAnnounced && input.attributes.status === "new";
  await updateRow(
    context,
    context.resource,
    id,
    input,
    { ...extra, ...(becomesKnown && { is_announced: "true" }) },
    becomesKnown
      ? { event: "form-submission.created" }
      : isAnnounced
        ? { event: "form-submission.updated" }
        : {},
  );
  return { id };
}

/** Writes the accepted changes to the person, as the caller could write them in the person's own document. */
async function accept(
  context: WriteContext,
  personId: string,
  { proposed }: StoredSubmission,
  accepted: readonly string[],
): Promise<void> {
  if (accepted.length === 0) return;
  const { acceptProposed, changesFor } = context.catalogue.published;
  const people = definitionOf(context.catalogue, "people");
  if (!(await mayReach(context, notThrough("self", "people:write"), people, personId)))
    throw fail("forbidden", "This person may not change the person of the submission.", {
      pointer: acceptedPointer,
    });
  const customFields = await context.customFieldsOf(context.db, context.actor, people);
  const offered = await changesFor(context, personId, proposed);
  const problems: Problem[] = [];
  for (const [position, name] of accepted.entries()) {
    const source = { pointer: `${acceptedPointer}/${position}` };
    const custom = customFieldIn(name);
    if (!offered.includes(name))
      problems.push(
        problem("invalid-attribute", { rule: "one-of", allowed: offered, given: name }, source),
      );
    else if (custom !== undefined && !customFields?.mayWrite({ actor: context.actor }, custom))
      throw fail("forbidden", `This person may not change ${custom}.`, source);
  }
  if (problems.length > 0) throw new ApiError(problems);
  const values = Object.fromEntries(accepted.map((name) => [name, proposed[name]]));
  try {
    checkCustom(context, personId, values, customFields);
    await acceptProposed(context, personId, values);
  } catch (error) {
    throw atData(error);
  }
}

/** The definitions of custom fields may have changed since the answers were checked. */
function checkCustom(
  { actor, catalogue }: WriteContext,
  personId: string,
  values: Readonly<Record<string, unknown>>,
  customFields: Awaited<ReturnType<WriteContext["customFieldsOf"]>>,
): void {
  const custom = Object.entries(values).flatMap(([name, value]) => {
    const field = customFieldIn(name);
    return field === undefined ? [] : [[field, value] as const];
  });
  if (custom.length === 0) return;
  const people = definitionOf(catalogue, "people");
  const attributes = { "custom-properties": Object.fromEntries(custom) };
  const document = { data: { type: "people", id: personId, attributes } };
  parseResource(people, document, { actor, customFields, id: personId });
}
