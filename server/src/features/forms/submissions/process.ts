import { ApiError, fail } from "../../../base/errors.ts";
import { lockPeople } from "../../../access/locks.ts";
import { noteAuthorship } from "../../../events/author.ts";
import { beginBatch } from "../../../events/capture.ts";
import { schemaOfField } from "../../../jsonapi/definition/custom-fields.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { validate } from "../../../jsonapi/request/validate.ts";
import { mayAt } from "../../../jsonapi/sql/reach.ts";
import { placements } from "../forms/actions.ts";
import { customFieldIn } from "../forms/form-field.ts";
import type { StoredForm } from "./stored-form.ts";

const DATA = { pointer: "/data" };

/** The columns of a form with the targets of its actions. */
type FormActions = Pick<StoredForm, "cellId" | "classId" | "createsPeople">;

export interface Results {
  "person-created": boolean;
  "cell-membership": string | null;
  "course-enrollment": string | null;
}

/**
 * Locks the cell, the class and the people of the actions, in the order of `access/locks.md`. The submission is locked
 * afterwards.
 */
export async function lockForActions(
  { actor, catalogue, db, ...context }: WriteContext,
  { cellId, classId }: FormActions,
  people: readonly (string | null)[],
): Promise<void> {
  const { accountId } = actor;
  const { lockCell, lockClass } = catalogue.published;
  // Values of custom fields are checked by definitions that do not change meanwhile.
  await context.lockCustomFields(db, actor, definitionOf(catalogue, "people"));
  if (cellId !== null) await lockCell(db, accountId, cellId);
  if (classId !== null) await lockClass(db, { accountId, classId });
  await lockPeople(
    db,
    accountId,
    people.filter((one) => one !== null),
  );
}

/** 403 unless the caller could carry out each action alone. A form never gives its moderators more rights than they have. */
export async function assertMayAct(
  context: WriteContext,
  { cellId, classId }: FormActions,
): Promise<void> {
  const targets = { "add-to-cell": cellId, "enroll-in-class": classId };
  for (const { name, needs, noun, type } of placements) {
    const id = targets[name];
    if (id !== null && !(await mayAt(type)(context, needs, id)))
      throw fail("forbidden", `This person lacks ${needs} at the ${noun} of the form.`, DATA);
  }
}

/**
 * Carries out the actions of a form for a person, or for the prospect whom the answers describe. Every error has the code of its
 * action and the pointer `/data`.
 */
export async function carryOut(
  context: WriteContext,
  { cellId, classId, createsPeople }: FormActions,
  {
    personId,
    proposed,
    source,
  }: { personId: string | null; proposed: Readonly<Record<string, unknown>>; source: string },
): Promise<{ personId: string | null; results: Results }> {
  const { addParticipant, createProposed, enrollByForm } = context.catalogue.published;
  beginBatch(context.db);
  // Each resource that the form makes has an entry of its own.
  noteAuthorship(context.db, { cause: "form", type: undefined });
  try {
    const isNew = personId === null && createsPeople;
    const known = isNew
      ? await createProposed(context, await storable(context, proposed), DATA)
      : personId;
    const results: Results = {
      "person-created": isNew,
      "cell-membership": null,
      "course-enrollment": null,
    };
    if (known === null) return { personId: null, results };
    if (cellId !== null)
      results["cell-membership"] = (await addParticipant(context, { cellId, personId: known })).id;
    if (classId !== null)
      results["course-enrollment"] = (
        await enrollByForm(context, {
          classId,
          personId: known,
          source: source === "public" ? "public-form" : "staff",
        })
      ).id;
    return { personId: known, results };
  } catch (error) {
    throw atData(error);
  }
}

/** The pointers of other types mean nothing in this document. */
export function atData(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  return new ApiError(error.problems.map((one) => ({ ...one, source: DATA })));
}

/** The proposed values without those of custom fields that no longer accept them. The answers still show these. */
async function storable(
  context: WriteContext,
  proposed: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { actor, catalogue, db } = context;
  const people = definitionOf(catalogue, "people");
  const definitions = await context.lockCustomFields(db, actor, people);
  const accepted = Object.entries(proposed).filter(([target, value]) => {
    const name = customFieldIn(target);
    if (name === undefined) return true;
    const field = definitions.fields.get(name);
    if (!field || field.archived) return false;
    const problems: Parameters<typeof validate>[3] = [];
    validate(schemaOfField(field), value, "", problems);
    return problems.length === 0;
  });
  return Object.fromEntries(accepted);
}
