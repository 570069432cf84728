import { can } from "../../access/policy.ts";
import { column } from "../../access/reach.ts";
import {
  choice,
  defaulted,
  describe,
  optional,
  readOnly,
  timestamp,
} from "../../jsonapi/definition/attributes.ts";
import { authorship, toOne } from "../../jsonapi/definition/relationships.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { createInvitation, revealLink } from "./create-invitation.ts";

export const personInvitations = resource({
  type: "person-invitations",
  description:
    "An invitation to a person to set a password, by mail or by a link that the caller hands over.",
  table: "person_invitations",

  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    "delivery": describe(defaulted(choice(["email", "link"])), {
      example: "link",
      description: "With `link` the response contains `data.meta.token` and `data.meta.link`.",
    }),
    "expires-at": describe(readOnly(timestamp()), {
      description: "After 72 hours, or when the invitation was used or replaced by a newer one.",
    }),
    "sent-at": describe(readOnly(optional(timestamp())), {
      description: "The time at which the mail server accepted the mail.",
    }),
  },
  relationships: {
    ...authorship,
    person: toOne("people", { column: "person_id", required: true }),
  },
  filters: {},
  sorts: {},
  defaultSort: "id",

  operations: {
    read: can("person-invitations:write"),
    create: {
      allow: can("person-invitations:write"),
      description:
        "Also for a person who has a password and forgot it. 403 for a person whose administrative status is higher than the caller's. A newer invitation of the person replaces the older one.",
      refuses: ["email-missing", "conflict", "unavailable"],
      run: createInvitation,
      reveal: revealLink,
    },
  },
  place: "person",
  reach: { creator: column("created_by") },
});
