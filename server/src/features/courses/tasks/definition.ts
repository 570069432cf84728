import { notAllowedHere } from "../../../base/errors.ts";
import { can } from "../../../access/policy.ts";
import { column, readOnly as readOnlyPath, via } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { classesOf, studentsOf } from "../former-readers.ts";
import { createTask, deleteTask, updateTask } from "./write-task.ts";
import { assignees, taskFields } from "./fields.ts";

export const courseTasks = resource({
  type: "course-tasks",
  description: "A task of a course, for its students or its teachers.",
  table: "course_tasks",
  ...taskFields,
  filters: {
    "course": { match: "id", column: "course_id" },
    "lesson": { match: "id", column: "lesson_id" },
    "assigned-to": { match: "one-of", column: "assigned_to", values: assignees },
  },
  sorts: {
    "order": { column: "order", nullable: true },
    "name": { column: "name_folded" },
    ...timeSorts,
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
    "course-class": readOnlyPath(
      via("course_task_classes", {
        from: "task_id",
        to: "class_id",
        former: { ids: classesOf("gone") },
      }),
    ),
    "self": readOnlyPath(
      via("course_task_students", {
        from: "task_id",
        to: "person_id",
        through: "course-enrollments",
        former: { ids: studentsOf("gone"), where: "gone.assigned_to = 'student'" },
      }),
    ),
  },
  constraints: {
    course_tasks_due_has_value: {
      pointer: "/data/attributes/due",
      breaks: notAllowedHere("The value does not fit the criterion."),
    },
  },
});
