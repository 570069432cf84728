import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { replaceFile } from "../../../jsonapi/sql/files.ts";
import { limits } from "../../../base/limits.ts";
import { imageTypes } from "../../../store/files/media-types.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { createCourse, updateCourse } from "./write-course.ts";
import { courseFields } from "./fields.ts";
import { customValuesSize } from "../../../jsonapi/definition/custom-fields.ts";

export const courses = resource({
  type: "courses",
  description: "A course: its price, its teachers and the conditions of graduation.",
  table: "courses",

  ...courseFields,

  filters: {
    "q": { match: "search", text: { table: "course_search", from: "course_id", column: "words" } },
    "name": { match: "contains", column: "name_folded" },
    "is-active": { match: "boolean", column: "is_active" },
    "is-public": { match: "boolean", column: "is_public" },
    "category": { match: "equals-text", column: "category", by: "fold" },
    "teacher": {
      needs: "people:read",
      among: "people",
      match: "related",
      table: "course_teachers",
      from: "course_id",
      to: "person_id",
    },
    "has-open-classes": {
      match: "exists",
      table: "course_classes",
      from: "course_id",
      where: "x.status = 'open'",
    },
  },
  sorts: {
    "name": { column: "name_folded" },
    "order": { column: "order", nullable: true },
    ...timeSorts,
  },
  defaultSort: "name",

  operations: {
    list: can("courses:read"),
    read: can("courses:read"),
    create: { allow: can("courses:write"), run: createCourse },
    update: { allow: can("courses:write"), run: updateCourse },
    delete: can("courses:delete"),
  },
  files: {
    image: {
      description: "An image of 1200 × 675 pixels.",
      allow: can("courses:write"),
      types: imageTypes,
      bytesMax: limits.imageBytesMax,
      image: { width: 1_200, height: 675 },
      run: (context, id, file) => replaceFile(context, id, "image-url", file),
      remove: (context, id) => replaceFile(context, id, "image-url", null),
    },
  },
  reach: { course: column("id") },
  customProperties: true,
  captures: { created: "course.created", updated: "course.updated", deleted: "course.deleted" },
  constraints: customValuesSize("courses"),
});
