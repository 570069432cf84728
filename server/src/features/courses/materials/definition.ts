import { can } from "../../../access/policy.ts";
import { column, readOnly as readable, via } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { attachmentUpload } from "../attachments/upload.ts";
import { cleanContent } from "./clean-content.ts";
import { classesOf, isForClasses, isForStudents, studentsOfMaterial } from "../former-readers.ts";
import { createMaterial, updateMaterial } from "./write-material.ts";
import { audiences, publishStatuses, materialFields } from "./fields.ts";

export const courseMaterials = resource({
  type: "course-materials",
  description: "Course material for students or for teachers.",
  table: "course_materials",
  ...materialFields,
  filters: {
    "course": { match: "id", column: "course_id" },
    "class": { match: "id", column: "class_id" },
    "lesson": { match: "id", column: "lesson_id" },
    "audience": { match: "one-of", column: "audience", values: audiences },
    "publish-status": { match: "one-of", column: "publish_status", values: publishStatuses },
  },
  sorts: {
    "order": { column: "order", nullable: true },
    ...timeSorts,
  },
  defaultSort: "order",
  files: { attachments: attachmentUpload },
  operations: {
    list: can("course-materials:read"),
    read: can("course-materials:read"),
    create: {
      allow: can("course-materials:write"),
      before: (_context, input) => cleanContent(input),
      run: createMaterial,
    },
    update: {
      allow: can("course-materials:write"),
      before: (_context, input) => cleanContent(input),
      run: updateMaterial,
    },
    delete: can("course-materials:write"),
  },
  // A teacher writes the materials of their own class.
  place: ["class", "course"],
  reach: {
    "course": column("course_id"),
    "course-class": [
      column("class_id"),
      readable(
        via("course_material_classes", {
          from: "material_id",
          to: "class_id",
          former: { ids: classesOf("gone"), where: isForClasses("gone") },
        }),
      ),
    ],
    "self": readable(
      via("course_material_students", {
        from: "material_id",
        to: "person_id",
        through: "course-enrollments",
        former: { ids: studentsOfMaterial("gone"), where: isForStudents("gone") },
      }),
    ),
    "public": {
      where: "course_materials.audience = 'student' and course_materials.publish_status = 'public'",
    },
  },
  captures: {
    created: "course-material.created",
    updated: "course-material.updated",
    deleted: "course-material.deleted",
  },
});
