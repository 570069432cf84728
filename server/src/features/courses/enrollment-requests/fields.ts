import {
  boolean,
  choice,
  defaulted,
  describe,
  lines,
  optional,
  readOnly,
  redacted,
  text,
  timestamp,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { newPerson } from "../../../jsonapi/definition/contact.ts";
import { author, authorship, linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { requestStatuses } from "./statuses.ts";

export const enrollmentRequestFields = {
  attributes: {
    ...timestamps,
    "message": redacted(readOnly(optional(lines({ maxLength: 1_000 })))),
    "contact": describe(redacted(readOnly(optional(newPerson()))), {
      example: { "full-name": "Ana Lima", "email": "ana@example.org" },
      description: "Deleted 90 days after the decision.",
    }),
    "status": describe(defaulted(choice(requestStatuses)), {
      description: "`approved` enrolls the person under the conditions of every enrollment.",
    }),
    "decline-reason": describe(optional(text({ maxLength: 500 })), {
      description: "Only of a declined request.",
    }),
    "source": describe(readOnly(text({ maxLength: 20 })), { description: "Always `public`." }),
    "is-confirmed": describe(readOnly(boolean()), {
      description: "Whether the owner of the e-mail address confirmed the request.",
    }),
    "decided-at": readOnly(optional(timestamp())),
  },
  relationships: {
    ...authorship,
    "class": linkOnly(toOne("course-classes", { column: "class_id" })),
    "course": linkOnly(toOne("courses", { column: "course_id" })),
    "person": toOne("people", { column: "person_id", cascades: true }),
    "decided-by": author("decided_by"),
  },
};

export type EnrollmentRequestFields = typeof enrollmentRequestFields;
