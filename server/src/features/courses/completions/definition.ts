import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { at, onRow } from "../../../jsonapi/definition/row-conditions.ts";
import { limits } from "../../../base/limits.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { fileTypes } from "../../../store/files/media-types.ts";
import { createCompletion, alreadyHandedIn } from "./create-completion.ts";
import { deleteCompletion } from "./delete-completion.ts";
import { reviewers } from "./work.ts";
import { completionStatuses } from "./statuses.ts";
import { uploadWork } from "./upload-work.ts";
import { updateCompletion } from "./update-completion.ts";
import { completionFields } from "./fields.ts";

/** Only a reviewer corrects accepted work. */
const mayHandIn = onRow`course_task_completions.status <> 'accepted' or ${at(reviewers)}`;

/** Work that waits for its file is not handed in yet, so only the student sees it. */
const handedIn = "not course_task_completions.awaits_file";

export const courseTaskCompletions = resource({
  type: "course-task-completions",
  description: "The work that a student hands in for a task, and its review.",
  table: "course_task_completions",
  ...completionFields,
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
    ...timeSorts,
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
      changesIf: { "text": mayHandIn, "url": mayHandIn, "student-comment": mayHandIn },
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
    "account": { where: handedIn },
    "course": column("course_id", handedIn),
    "course-class": column("class_id", handedIn),
    "self": column("person_id"),
  },
  captures: {
    created: "course-task-completion.created",
    updated: "course-task-completion.updated",
  },
  constraints: {
    course_task_completions_task_key: alreadyHandedIn,
  },
});
