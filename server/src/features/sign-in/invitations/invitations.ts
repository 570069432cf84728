import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { createInvitation, revealLink } from "./create-invitation.ts";
import { invitationFields } from "./fields.ts";
import { invitations } from "./may.ts";

export const personInvitations = resource({
  type: "person-invitations",
  description:
    "An invitation to a person to set a password, by mail or by a link that the caller hands over.",
  table: "person_invitations",

  ...invitationFields,
  filters: {},
  sorts: {},
  defaultSort: "id",

  operations: {
    read: can("person-invitations:write"),
    create: {
      allow: can("person-invitations:write"),
      description:
        "Also for a person who has a password and forgot it. 403 for a person whose administrative status is higher than the caller's, and with `link` for a person who outranks the caller. By mail, 409 if the person outranks the caller who set the address. A newer invitation of the person replaces the older one.",
      refuses: ["email-missing", "conflict", "address-unconfirmed", "unavailable"],
      actsOn: { person: invitations },
      run: createInvitation,
      reveal: revealLink,
    },
  },
  place: "person",
  reach: { creator: column("created_by") },
});
