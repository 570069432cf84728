import { can } from "../../../access/policy.ts";
import { column, readOnly as readOnlyPath, via } from "../../../access/reach.ts";
import {
  boolean,
  choice,
  defaulted,
  describe,
  example,
  integer,
  optional,
  readOnly,
  text,
  timestamp,
} from "../../../jsonapi/definition/attributes.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import { authorship, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { due } from "./due.ts";
import { createTask, deleteTask, updateTask } from "./write-task.ts";

const assignees = ["student", "teacher"] as const;

export const courseTasks = resource({
  type: "course-tasks",
  description: "A task of a course, for its students or its teachers.",
  table: "course_tasks",
  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    "name": example("Read John 3", named(200)),
    "instructions": optional(text({ maxLength: 20_000 })),
    "is-mandatory": describe(defaulted(boolean()), {
      description: "A student graduates after all mandatory tasks for students are accepted.",
    }),
    "assigned-to": defaulted(choice(assignees)),
    "submission-type": defaulted(choice(["none", "text", "url", "file"])),
    "due": due(),
    "points": example(10, optional(integer({ minimum: 0, maximum: 10_000 }))),
    "order": example(1, optional(integer({ minimum: 0, maximum: 1_000_000 }))),
  },
  relationships: {
    ...authorship,
    course: toOne("courses", { column: "course_id", required: true, onlyCreated: true }),
    lesson: toOne("course-lessons", { column: "lesson_id" }),
  },
  filters: {
    "course": { match: "id", column: "course_id" },
    "lesson": { match: "id", column: "lesson_id" },
    "assigned-to": { match: "one-of", column: "assigned_to", values: assignees },
  },
  sorts: {
    "order": { column: "order", nullable: true },
    "name": { column: "name_folded" },
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
  },
  defaultSort: "order",
  operations: {
    list: can("course-tasks:read"),
    read: can("course-tasks:read"),
    create: { allow: can("course-tasks:write"), run: createTask },
    update: { allow: can("course-tasks:write"), run: updateTask },
    delete: { allow: can("course-tasks:write"), run: deleteTask },
  },
  place: "course",
  reach: {
    "course": column("course_id"),
    "course-class": readOnlyPath(via("course_task_classes", { from: "task_id", to: "class_id" })),
    "self": readOnlyPath(via("course_task_students", { from: "task_id", to: "person_id" })),
  },
  constraints: {
    course_tasks_due_has_value: {
      pointer: "/data/attributes/due",
      detail: "The value does not fit the criterion.",
    },
  },
});
