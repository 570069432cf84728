import { isDeepStrictEqual } from "node:util";
import { lockPeople } from "../../../access/locks.ts";
import { notFound } from "../../../base/errors.ts";
import { checkTransition, invalidTransition } from "../../../base/transitions.ts";
import type { CreateInput, UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { assertMayChange, AUTHOR, insertRow, updateRow } from "../../../jsonapi/sql/write.ts";
import { json } from "../../../store/sql.ts";
import { type Actions, readActions, storeActions } from "./actions.ts";
import type { FormFields } from "./fields.ts";
import type { FormField } from "./form-field.ts";
import { assertMappings } from "./mappings.ts";
import { type FormStatus, formTransitions } from "./statuses.ts";

/** POST /v1/forms. Without an owner, it is the caller. */
export async function createForm(
  context: WriteContext<FormFields>,
  input: CreateInput<FormFields>,
): Promise<Written> {
  const { attributes, toOne } = input;
  const fields = attributes.fields as readonly FormField[];
  await assertMappings(context, fields);
  const actions = attributes.actions && (await readActions(context, attributes.actions));
  const { actor, resource } = context;
  const owner = toOne.owner === undefined ? actor.personId : toOne.owner;
  await lockNamed(context, [owner, ...(actions?.notify ?? [])]);
  const written = await insertRow(
    context,
    resource,
    {
      ...input,
      attributes: {
        ...attributes,
        ...(actions && { actions: { ...actions, notify: [...actions.notify] } }),
      },
    },
    toOne.owner === undefined ? { owner_id: AUTHOR } : {},
  );
  if (actions) await storeActions(context, written.id, actions);
  await storeVersion(context, written.id);
  return { id: written.id };
}

interface Stored {
  status: FormStatus;
  ownerId: string | null;
  fields: readonly FormField[];
  actions: Actions;
  isNewVersion: boolean;
  hasSubmissions: boolean;
}

/** PATCH /v1/forms/:id */
export async function updateForm(
  context: WriteContext<FormFields>,
  id: string,
  input: UpdateInput<FormFields>,
): Promise<Written> {
  const { actor, db, resource } = context;
  await assertMayChange(context, resource, id);
  const {
    attributes: { actions: sentActions, ...attributes },
    toOne,
  } = input;
  const before = await read(context, id, attributes);
  if (!before) throw notFound();
  const fields = attributes.fields as readonly FormField[] | undefined;
  if (fields) await assertMappings(context, fields, before.fields);
  const sent = sentActions && (await readActions(context, sentActions, before.actions));
  // The stored actions can name what was deleted since. A form that is sent back as it was read stays as it is.
  const actions = isDeepStrictEqual(sent, before.actions) ? undefined : sent;
  await lockNamed(context, [before.ownerId, toOne.owner ?? null, ...(actions?.notify ?? [])]);
  await db`select from forms where account_id = ${actor.accountId} and id = ${id} for no key update`;
  const form = await read(context, id, attributes);
  if (!form) throw notFound();
  const status = attributes.status ?? form.status;
  if (checkTransition(formTransitions, form.status, status)) assertMayBecome(form, status);

  if (actions) await storeActions(context, id, actions);
  const written = await updateRow(
    context,
    resource,
    id,
    {
      ...input,
      attributes: {
        ...attributes,
        ...(actions && { actions: { ...actions, notify: [...actions.notify] } }),
      },
    },
    form.isNewVersion ? { version_number: "forms.version_number + 1" } : {},
  );
  if (form.isNewVersion) await storeVersion(context, id);
  return written;
}

/** A form with submissions is no draft, because its versions are what people have answered. */
function assertMayBecome({ hasSubmissions, status: from }: Stored, to: FormStatus): void {
  if (to !== "draft" || !hasSubmissions) return;
  const allowed = formTransitions[from].filter((one) => one !== "draft");
  throw invalidTransition({ from, to, allowed }, { pointer: "/data/attributes/status" });
}

/** The form as it is, and whether the document makes a new version of it. */
async function read(
  { actor, db }: WriteContext,
  id: string,
  { fields, "privacy-notice": notice }: UpdateInput<FormFields>["attributes"],
): Promise<Stored | undefined> {
  const given = fields === undefined ? db`fields` : db`${json(fields)}::text::jsonb`;
  const said = notice === undefined ? db`privacy_notice` : db`${notice}::text`;
  const [form] = await db<Stored[]>`
    select status, owner_id as "ownerId", fields, form_actions(forms) as actions,
      fields <> ${given} or privacy_notice is distinct from ${said} as "isNewVersion",
      exists (select from form_submissions submission
        where submission.account_id = forms.account_id and submission.form_id = forms.id) as "hasSubmissions"
    from forms where account_id = ${actor.accountId} and id = ${id}`;
  return form;
}

/** People are locked before the rows that name them. */
const lockNamed = ({ actor, db }: WriteContext, people: readonly (string | null)[]) =>
  lockPeople(
    db,
    actor.accountId,
    people.filter((one) => one !== null),
    "key share",
  );

/** Keeps what the submissions of this version answer. */
async function storeVersion(context: WriteContext, formId: string): Promise<void> {
  const { actor, catalogue, db } = context;
  const [form] = await db<{ number: number; fields: FormField[]; notice: string | null }[]>`
    select version_number as number, fields, privacy_notice as notice from forms where account_id = ${actor.accountId} and id = ${formId}`;
  await insertRow(context, definitionOf(catalogue, "form-versions"), {
    attributes: {
      "number": form?.number,
      "fields": form?.fields,
      "privacy-notice": form?.notice,
    },
    toOne: { form: formId },
    toMany: {},
  });
}
