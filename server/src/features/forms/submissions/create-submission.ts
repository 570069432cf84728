import { fail, forbidden, invalid } from "../../../base/errors.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import { mayAt } from "../../../jsonapi/sql/reach.ts";
import { isReadable } from "../../../jsonapi/sql/read.ts";
import { readAnswers } from "./answers.ts";
import type { SubmissionFields } from "./fields.ts";
import { receiveSubmission } from "./receive-submission.ts";
import { findForm } from "./stored-form.ts";

const formSource = { pointer: "/data/relationships/form/data" };

/** POST /v1/form-submissions. Staff enter what others wrote, and people fill in forms that ask for a log-in. */
export async function createSubmission(
  context: WriteContext<SubmissionFields>,
  { attributes, toOne }: CreateInput<SubmissionFields>,
): Promise<Written> {
  const { actor, db, resource } = context;
  const { form: formId, person: personId = null } = toOne;
  const isStaff = await mayAt("forms")(context, "form-submissions:write", formId);
  if (!isStaff) {
    if (!(await isReadable(context, definitionOf(context.catalogue, "forms"), formId)))
      throw forbidden("This person may not do this in forms of this id.");
    if (personId !== null && personId !== actor.personId)
      throw fail("forbidden", "People fill in forms only for themselves.", {
        pointer: "/data/relationships/person/data",
      });
  }
  const { consent = null } = attributes;
  if (consent !== null && typeof consent !== "boolean")
    throw invalid("/data/attributes/consent", { rule: "type", type: "boolean" });
  const form = await findForm(db, actor.accountId, formId);
  if (!form) throw absentTarget(resource, "form");
  if (!isStaff && !form.requiresLogin)
    throw forbidden("This person may not do this in forms of this id.");
  if (form.status === "draft" || form.status === "archived")
    throw fail("form-closed", `The form is ${form.status}.`, formSource);
  const read = await readAnswers(context, form.fields, attributes.answers);
  const id = await receiveSubmission(context, form, {
    read,
    hasConsent: consent === true,
    source: isStaff ? "staff" : "member",
    status: "new",
    personId: isStaff ? personId : actor.personId,
  });
  return { id };
}
