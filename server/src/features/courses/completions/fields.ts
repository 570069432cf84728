import {
  boolean,
  choice,
  defaulted,
  describe,
  example,
  integer,
  optional,
  readOnly,
  selfEditable,
  lines,
  timestamp,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { webAddress } from "../../../jsonapi/definition/contact.ts";
import { prose } from "../../../jsonapi/definition/names.ts";
import { author, authorship, linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { fileAttribute } from "../../../jsonapi/definition/files.ts";
import { completionStatuses } from "./statuses.ts";

const comment = () => optional(lines({ maxLength: 5_000 }));

export const completionFields = {
  attributes: {
    ...timestamps,
    // Events name the people. The work and the comments are between the student and the reviewers.
    "text": describe(example("My answer", selfEditable(optional(prose(20_000)))), {
      withheld: true,
      description: "Required for a task whose `submission-type` is `text`.",
    }),
    "url": describe(selfEditable(optional(webAddress())), {
      withheld: true,
      description: "Required for a task whose `submission-type` is `url`.",
    }),
    "file": describe(fileAttribute("course_task_completions", "file_id"), { withheld: true }),
    "student-comment": describe(selfEditable(comment()), { withheld: true }),
    "status": describe(defaulted(choice(completionStatuses)), {
      description:
        "A reviewer sets `accepted`, `rejected` or `returned`. Work that was rejected or returned is `submitted` after the student changes `text`, `url` or the file.",
    }),
    "teacher-comment": describe(comment(), { withheld: true }),
    "points-earned": describe(optional(integer({ minimum: 0, maximum: 10_000 })), {
      description: "At most the `points` of the task.",
    }),
    "was-on-time": describe(readOnly(optional(boolean())), {
      description: "Null if the task has no last day.",
    }),
    "attempt-count": readOnly(integer({ minimum: 1 })),
    "submitted-at": readOnly(timestamp()),
    "reviewed-at": readOnly(optional(timestamp())),
  },
  relationships: {
    ...authorship,
    "task": toOne("course-tasks", { column: "task_id", required: true, onlyCreated: true }),
    "enrollment": toOne("course-enrollments", {
      column: "enrollment_id",
      required: true,
      onlyCreated: true,
    }),
    "person": linkOnly(toOne("people", { column: "person_id", cascades: true })),
    "class": linkOnly(toOne("course-classes", { column: "class_id" })),
    "course": linkOnly(toOne("courses", { column: "course_id" })),
    "reviewed-by": author("reviewed_by"),
  },
};

export type CompletionFields = typeof completionFields;
