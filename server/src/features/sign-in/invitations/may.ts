import { at, caller, onRow, question, status } from "../../../jsonapi/definition/row-conditions.ts";
import { isAddressUnconfirmed } from "./taking-the-place.ts";

/** The rules of invitations and of the end of access tokens, as `meta.may` of a person shows them. */

const outranks = question("outranks", ["person-invitations:write", "people:write"], (context, id) =>
  context.catalogue.published.outranks(context, id),
);

const addressUnconfirmed = question(
  "address-unconfirmed",
  ["person-invitations:write"],
  isAddressUnconfirmed,
);

const facts = `person_facts person
  where person.account_id = people.account_id and person.person_id = people.id`;

const isOfHigherRank = onRow`${status} <> 'full-administrator' and exists (select from ${facts}
  and person.administrative_status not in ('none', ${status}))`;

const refusedIf = {
  "conflict": onRow`exists (select from ${facts} and not person.is_active)`,
  "email-missing": onRow`exists (select from ${facts} and person.email is null)`,
};

const mayInvite = at("person-invitations:write");

export const invitations = {
  "invite": {
    allowedIf: onRow`${mayInvite} and not (${isOfHigherRank})`,
    refusedIf: { ...refusedIf, "address-unconfirmed": onRow`${addressUnconfirmed}` },
  },
  "invite-by-link": {
    sets: { delivery: "link" },
    allowedIf: onRow`${mayInvite} and not ${outranks}`,
    refusedIf,
  },
};

export const revocation = {
  "revoke-tokens": {
    allowedIf: onRow`people.id = ${caller} or ${status} <> 'none' and not ${outranks}`,
  },
};
