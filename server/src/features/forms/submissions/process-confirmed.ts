import { serviceOf } from "../../../access/operator.ts";
import { ApiError, notFound } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { forType } from "../../../jsonapi/definition/targets.ts";
import { constraintError } from "../../../jsonapi/sql/constraint.ts";
import { updateRow } from "../../../jsonapi/sql/write.ts";
import { formSubmissions } from "./definition.ts";
import { carryOut, lockForActions } from "./process.ts";
import { lockSenders } from "./find-sender.ts";
import { suggestPeople } from "./suggest-people.ts";
import { findForm } from "./stored-form.ts";
import { readSubmission } from "./stored-submission.ts";

/**
 * Records that the owner of the e-mail address confirmed a submission. If no person of the account may have sent it, the service
 * processes it: the sender becomes a prospect. A submission whose actions are rejected waits for staff.
 */
export async function processConfirmed(context: WriteContext, id: string): Promise<void> {
  const service = forType({ ...context, actor: serviceOf(context.actor) }, formSubmissions);
  const { actor, catalogue, db } = service;
  const { accountId } = actor;
  const known = await readSubmission(db, accountId, id);
  const form = known && (await findForm(db, accountId, known.formId));
  if (!known || !form) throw notFound();
  if (form.createsPeople) await lockSenders(db, accountId);
  const people = await catalogue.published.findLikePeople(
    service,
    known.proposed,
    limits.formSuggestionsMax,
  );
  await lockForActions(service, form, [known.personId, ...people]);
  const locked = await readSubmission(db, accountId, id, "for no key update");
  if (!locked) throw notFound();
  if (locked.personId === null && locked.status === "new") await suggestPeople(service, id, people);
  const isProcessed =
    form.createsPeople &&
    locked.status === "new" &&
    locked.personId === null &&
    people.length === 0;
  const processed = isProcessed ? await attempt(service, form, locked) : undefined;
  await updateRow(
    service,
    formSubmissions,
    id,
    {
      attributes: {
        "is-confirmed": true,
        ...(processed && { status: "processed", results: { ...processed.results } }),
      },
      toOne: processed ? { person: processed.personId } : {},
      toMany: {},
    },
    {},
    locked.isAnnounced ? { event: "form-submission.updated" } : {},
  );
}

async function attempt(
  service: WriteContext,
  form: Parameters<typeof carryOut>[1],
  { proposed, source }: Parameters<typeof carryOut>[2],
) {
  try {
    return await service.db.savepoint(() =>
      carryOut(service, form, { personId: null, proposed, source }),
    );
  } catch (error) {
    const known = constraintError(service, service.resource, error) ?? error;
    if (known instanceof ApiError && known.status < 500) return undefined;
    throw error;
  }
}
