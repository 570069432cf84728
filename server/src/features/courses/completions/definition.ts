import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
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
  text,
  timestamp,
} from "../../../jsonapi/definition/attributes.ts";
import { webAddress } from "../../../jsonapi/definition/contact.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import { author, authorship, linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { fileAttribute } from "../../../jsonapi/definition/files.ts";
import { limits } from "../../../base/limits.ts";
import { fileTypes } from "../../../store/files/media-types.ts";
import { createCompletion } from "./create-completion.ts";
import { deleteCompletion } from "./delete-completion.ts";
import { reviewers } from "./held-work.ts";
import { completionStatuses } from "./statuses.ts";
import { uploadWork } from "./upload-work.ts";
import { updateCompletion } from "./update-completion.ts";

const comment = () => optional(text({ maxLength: 5_000 }));

export const courseTaskCompletions = resource({
  type: "course-task-completions",
  description: "The work that a student hands in for a task, and its review.",
  table: "course_task_completions",
  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    // Events name the people. The work and the comments are between the student and the reviewers.
    "text": describe(example("My answer", selfEditable(optional(named(20_000)))), {
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
  filters: {
    task: { match: "id", column: "task_id" },
    course: { match: "id", column: "course_id" },
    class: { match: "id", column: "class_id" },
    enrollment: { match: "id", column: "enrollment_id" },
    person: { match: "id", column: "person_id" },
    status: { match: "one-of", column: "status", values: completionStatuses },
  },
  sorts: {
    "submitted-at": { column: "submitted_at" },
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
  },
  defaultSort: "-submitted-at",
  operations: {
    list: can("course-task-completions:read"),
    read: can("course-task-completions:read"),
    create: {
      allow: can("course-task-completions:write"),
      description:
        "Students hand in their own work. A reviewer can create a completion that is `accepted`, for work done on paper.",
      refuses: ["already-exists", "enrollment-not-active", "invalid-transition"],
      run: createCompletion,
    },
    update: {
      allow: can("course-task-completions:write"),
      refuses: ["invalid-transition", "enrollment-not-active"],
      run: updateCompletion,
    },
    delete: { allow: reviewers, run: deleteCompletion },
  },
  files: {
    file: {
      description:
        "Hands in a file, and replaces the former one. Work that was rejected or returned is `submitted` again.",
      allow: can("course-task-completions:write"),
      types: fileTypes,
      bytesMax: limits.completionFileBytesMax,
      refuses: ["enrollment-not-active"],
      run: uploadWork,
    },
  },
  place: "enrollment",
  reach: {
    "course": column("course_id"),
    "course-class": column("class_id"),
    "self": column("person_id"),
  },
  captures: {
    created: "course-task-completion.created",
    updated: "course-task-completion.updated",
  },
  constraints: {
    course_task_completions_task_key: {
      pointer: "/data/relationships/task/data",
      code: "already-exists",
      detail: "The enrollment has a completion of this task.",
    },
  },
});
