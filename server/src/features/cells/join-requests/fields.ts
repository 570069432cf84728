import {
  boolean,
  choice,
  defaulted,
  describe,
  example,
  lines,
  optional,
  readOnly,
  redacted,
  selfEditable,
  text,
  timestamp,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { newPerson } from "../../../jsonapi/definition/contact.ts";
import { author, authorship, toOne } from "../../../jsonapi/definition/relationships.ts";
import { requestStatuses } from "./statuses.ts";

export const requestSources = ["staff", "self", "public"] as const;

export const joinRequestFields = {
  attributes: {
    ...timestamps,
    "message": redacted(
      example("May I come?", selfEditable(optional(lines({ maxLength: 1_000 })))),
    ),
    "contact": describe(redacted(optional(newPerson())), {
      onlyCreated: true,
      example: { "full-name": "Ana Lima", "email": "ana@example.org" },
      description:
        "For an unknown person, instead of `person`: a name, and an e-mail address or a telephone number. Deleted 90 days after the decision.",
    }),
    "status": describe(selfEditable(defaulted(choice(requestStatuses))), {
      onlyChanged: true,
      alsoWritableWith: ["cell-join-requests:approve"],
      description:
        "The requester sets `cancelled`. `approved` and `declined` require `cell-join-requests:approve`.",
    }),
    "decline-reason": describe(optional(text({ maxLength: 500 })), {
      onlyChanged: true,
      alsoWritableWith: ["cell-join-requests:approve"],
    }),
    "source": readOnly(choice(requestSources)),
    "is-confirmed": describe(readOnly(boolean()), {
      description: "Whether the owner of the e-mail address confirmed the request.",
    }),
    "decided-at": readOnly(optional(timestamp())),
  },
  relationships: {
    ...authorship,
    "cell": toOne("cells", { column: "cell_id", required: true, onlyCreated: true }),
    "person": toOne("people", { column: "person_id", cascades: true }),
    "decided-by": author("decided_by"),
  },
};

export type JoinRequestFields = typeof joinRequestFields;
