import {
  choice,
  defaulted,
  describe,
  optional,
  readOnly,
  timestamp,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { authorship, toOne } from "../../../jsonapi/definition/relationships.ts";

export const invitationFields = {
  attributes: {
    ...timestamps,
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
    // The holder of the link acts with the rights of the person.
    person: toOne("people", { column: "person_id", required: true, changesRights: {} }),
  },
};

export type InvitationFields = typeof invitationFields;
