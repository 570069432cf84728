import {
  boolean,
  choice,
  computed,
  counted,
  defaulted,
  describe,
  example,
  integer,
  optional,
  readOnly,
  selfEditable,
  lines,
  text,
  timestamp,
  writableAlsoWith,
  writeOnly,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { newPerson } from "../../../jsonapi/definition/contact.ts";
import { customValues } from "../../../jsonapi/definition/custom-fields.ts";
import { authorship, linkOnly, toMany, toOne } from "../../../jsonapi/definition/relationships.ts";
import { enrollmentStatuses } from "./statuses.ts";

const sources = ["staff", "self", "public-form", "import"] as const;

export const paymentStatuses = ["not-required", "pending", "paid", "waived", "refunded"] as const;

const approver = ["course-enrollments:approve"] as const;

const waitlistPosition = `case when course_enrollments.status = 'waitlisted' then 1 + (
  select count(*) from course_enrollments earlier
  where earlier.account_id = course_enrollments.account_id and earlier.class_id = course_enrollments.class_id
    and earlier.status = 'waitlisted'
    and (earlier.created_at, earlier.id) < (course_enrollments.created_at, course_enrollments.id)) end`;

export const enrollmentFields = {
  attributes: {
    ...timestamps,
    "status": describe(selfEditable(defaulted(choice(enrollmentStatuses))), {
      alsoWritableWith: approver,
      example: "active",
      description:
        "A create by staff accepts `active` (the default) and `requested`. A full class turns `active` into `waitlisted`.",
    }),
    "enrolled-at": describe(defaulted(timestamp()), { description: "Defaults to now." }),
    "status-changed-at": readOnly(timestamp()),
    "completed-at": readOnly(optional(timestamp())),
    "waitlist-position": describe(computed(optional(integer()), waitlistPosition), {
      description: "1 is the next to get a seat. Null unless the enrollment is waiting.",
    }),
    "lessons-attended": counted(integer()),
    "lessons-required": counted(integer()),
    "lessons-left": describe(
      computed(integer({ minimum: 0 }), "lessons_left(course_enrollments)"),
      {
        description:
          "The lessons of planned sessions of the class that the person has not attended.",
      },
    ),
    "progress": describe(counted(integer({ minimum: 0, maximum: 100 })), {
      description: "Percent of the required lessons.",
    }),
    "is-eligible-to-graduate": counted(boolean()),
    "payment-status": describe(example("pending", defaulted(choice(paymentStatuses))), {
      description: "Defaults to `pending` if the course has a price, otherwise to `not-required`.",
    }),
    "paid-amount": describe(optional(integer({ minimum: 0, maximum: 1_000_000_000 })), {
      description: "In minor units of the currency of the course.",
    }),
    "requirements-waived": describe(writableAlsoWith(approver, defaulted(boolean())), {
      description: "Requires `course-enrollments:approve` and a `waiver-note`.",
    }),
    "graduation-waived": describe(writableAlsoWith(approver, defaulted(boolean())), {
      description: "Requires `course-enrollments:approve` and a `waiver-note`.",
    }),
    "waiver-note": writableAlsoWith(approver, optional(lines({ maxLength: 500 }))),
    "withdrawn-reason": describe(selfEditable(optional(text({ maxLength: 500 }))), {
      onlyChanged: true,
      description: "Only of a withdrawn enrollment.",
    }),
    "is-accepted": describe(selfEditable(defaulted(boolean())), {
      onlyChanged: true,
      description:
        "False after a caller enrolled a person outside their scope. Class staff then see the names of the person and nothing else. The person and holders of `course-enrollments:write` for the account set it to true.",
    }),
    "source": readOnly(choice(sources)),
    "new-person": describe(writeOnly(optional(newPerson())), {
      onlyCreated: true,
      example: { "full-name": "Ana Lima", "email": "ana@example.org" },
      description:
        "Instead of `person`: the one active person with this name and this address or number, or else a new prospect.",
    }),
    "custom-properties": customValues(),
  },
  relationships: {
    ...authorship,
    course: linkOnly(toOne("courses", { column: "course_id" })),
    class: toOne("course-classes", { column: "class_id", required: true, onlyCreated: true }),
    person: toOne("people", { column: "person_id", onlyCreated: true, cascades: true }),
    "attendances": linkOnly(
      toMany("course-attendances", {
        table: "course_attendances",
        from: "enrollment_id",
        to: "id",
      }),
    ),
    "task-completions": linkOnly(
      toMany("course-task-completions", {
        table: "course_task_completions",
        from: "enrollment_id",
        to: "id",
      }),
    ),
  },
};

export type EnrollmentFields = typeof enrollmentFields;
