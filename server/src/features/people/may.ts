import { notThrough } from "../../access/policy.ts";
import { at, caller, question, onRow, status } from "../../jsonapi/definition/row-conditions.ts";

/** The rules of `update-person.ts`, `delete-person.ts` and `create-anonymization.ts`, as `meta.may` shows them. */

/** Holds `people:write` at the person, and not only because it is the caller's own record. */
const isOffice = at(notThrough("self", "people:write"));

const outranks = question("outranks", ["people:write"], (context, id) =>
  context.catalogue.published.outranks(context, id),
);

const outranksByRoles = question("outranks-by-roles", ["people:write"], (context, id) =>
  context.catalogue.published.outranks(context, id, "stored"),
);

const mayGrantRoles = question("may-grant-roles", ["person-contacts:write"], (context, id) =>
  context.catalogue.published.mayGrantRolesOf(context, id),
);

export const changes = {
  "email": onRow`case when ${isOffice}
    then not case when people.has_login then ${outranks} else ${outranksByRoles} end
    else not people.has_login and ${mayGrantRoles} end`,
  "membership-status": onRow`${isOffice}`,
  "is-active": onRow`people.administrative_status in ('none', ${status}) or ${status} = 'full-administrator'`,
};

/** Nothing changes a person who was anonymized. */
export const mayChange = onRow`not people.is_anonymized
  and ${at("people:write", "person-contacts:write", "prospects:write")}`;

export const isAnonymized = onRow`people.is_anonymized`;

export const mayAnonymize = onRow`${status} <> 'none' and not people.is_anonymized and not ${outranks}`;

export const isOneself = onRow`people.id = ${caller}`;
