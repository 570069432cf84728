import { can } from "../../../access/policy.ts";
import { readOnly as readable, via } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { deleteAttachment } from "./write-attachment.ts";
import { classesOf, isForClasses, isForStudents, studentsOfMaterial } from "../former-readers.ts";
import { attachmentFields } from "./fields.ts";

/** The material can be deleted with the attachment. */
const ofMaterial = (ids: string, where = "true"): string =>
  `(select ${ids} from course_materials material
    where material.account_id = gone.account_id and material.id = gone.material_id and ${where})`;

export const materialAttachments = resource({
  type: "material-attachments",
  description: "A file of a course material.",
  table: "material_attachments",
  ...attachmentFields,
  filters: { material: { match: "id", column: "material_id" } },
  sorts: { "created-at": { column: "id" }, "modified-at": { column: "modified_at" } },
  defaultSort: "created-at",
  operations: {
    list: can("course-materials:read"),
    read: can("course-materials:read"),
    delete: { allow: can("course-materials:write"), run: deleteAttachment },
  },
  // Like the material.
  reach: {
    "course": via("material_attachment_places", {
      from: "attachment_id",
      to: "course_id",
      former: { ids: ofMaterial("array[material.course_id]") },
    }),
    "course-class": [
      via("material_attachment_places", {
        from: "attachment_id",
        to: "class_id",
        former: { ids: ofMaterial("array[material.class_id]") },
      }),
      readable(
        via("material_attachment_classes", {
          from: "attachment_id",
          to: "class_id",
          former: { ids: ofMaterial(classesOf("material"), isForClasses("material")) },
        }),
      ),
    ],
    "self": readable(
      via("material_attachment_students", {
        from: "attachment_id",
        to: "person_id",
        through: "course-enrollments",
        former: { ids: ofMaterial(studentsOfMaterial("material"), isForStudents("material")) },
      }),
    ),
    "public": {
      where: `exists (select from course_materials x where x.account_id = material_attachments.account_id
        and x.id = material_attachments.material_id and x.audience = 'student' and x.publish_status = 'public')`,
    },
  },
});
