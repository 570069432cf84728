import { isId } from "../../../base/ids.ts";
import { computed, describe, text } from "../../../jsonapi/definition/attributes.ts";
import { challenge, type ResourceKey } from "../../../jsonapi/definition/public-write.ts";
import { publicType, shown } from "../../../jsonapi/definition/public.ts";
import type { Queryable } from "../../../store/db.ts";
import { forms } from "./definition.ts";
import { publicFormFields } from "./form-field.ts";

/** The questions in their order, without the attributes of people to which they map. */
const questions = `(select jsonb_agg(field - 'maps-to' order by position)
  from jsonb_array_elements(forms.fields) with ordinality as question (field, position))`;

/** `GET /p/v1/forms/:id` */
export const publicForms = publicType({
  type: "forms",
  description: "A form that visitors can fill in. The path takes its id or its slug.",
  table: "forms",
  rows: `forms.status = 'open' and not forms.requires_login and is_available_form(forms)`,
  attributes: {
    ...shown(forms.attributes, "name", "description", "slug"),
    fields: computed(publicFormFields(), questions),
    ...shown(forms.attributes, "privacy-notice", "version", "confirmation-message", "closes-at"),
  },
  issued: {
    "form-token": describe(text({ maxLength: 200 }), {
      description: "For one submission, within 12 hours.",
    }),
    "challenge": describe(challenge(), {
      description:
        "The ALTCHA widget, version 1 or 2, solves it as `challengejson`, within 20 minutes. Null if the form asks for no proof.",
    }),
  },
  filters: {},
  sorts: {},
  defaultSort: "id",
  isListed: false,
});

export interface FoundForm {
  id: string;
  name: string;
  needsProof: boolean;
  opensAt: string | null;
  /** Visitors who have the address learn why the form takes no answers. Null if it does, or if it is not for visitors. */
  takesNone: "closed" | "coming" | "full" | null;
}

/** Finds a form by its id or its slug. Whether it is public is not known yet. */
export async function findPublicForm(
  db: Queryable,
  { accountId, id }: ResourceKey,
): Promise<FoundForm | undefined> {
  const [form] = await db<FoundForm[]>`
    select id, name, challenge = 'pow' as "needsProof", opens_at as "opensAt",
      case
        when requires_login or status not in ('open', 'closed') then null
        when status = 'closed' or closes_at <= now() then 'closed'
        when opens_at > now() then 'coming'
        when not is_available_form(forms) then 'full'
      end as "takesNone"
    from forms
    where account_id = ${accountId} and (id = ${isId(id) ? id : null}::uuid or slug = ${id})`;
  return form;
}
