import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { currencyCode } from "../../../jsonapi/definition/codes.ts";
import {
  boolean,
  choice,
  computed,
  defaulted,
  describe,
  example,
  integer,
  optional,
  readOnly,
  text,
  timestamp,
} from "../../../jsonapi/definition/attributes.ts";
import { customValues } from "../../../jsonapi/definition/custom-fields.ts";
import { fileLink } from "../../../jsonapi/definition/files.ts";
import { replaceFile } from "../../../jsonapi/sql/files.ts";
import { limits } from "../../../base/limits.ts";
import { imageTypes } from "../../../store/files/media-types.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import { authorship, linkOnly, toMany } from "../../../jsonapi/definition/relationships.ts";
import { createCourse, updateCourse } from "./write-course.ts";

const counted = (table: string, where = "") =>
  computed(
    integer(),
    `(select count(*) from ${table} x where x.account_id = courses.account_id and x.course_id = courses.id${where})`,
  );

export const courses = resource({
  type: "courses",
  description: "A course: its price, its teachers and the conditions of graduation.",
  table: "courses",

  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    "name": example("Foundations", named(200)),
    "description": example(
      "The Christian faith in eight evenings.",
      optional(text({ maxLength: 10_000 })),
    ),

    "price": describe(optional(integer({ minimum: 0, maximum: 1_000_000_000 })), {
      example: 4_500,
      description: "In minor units of `price-currency`. 0 means free, null means not stated.",
    }),
    "price-currency": describe(example("EUR", optional(currencyCode())), {
      description: "A price without a currency takes that of the account.",
    }),

    "lessons-to-graduate": describe(optional(integer({ minimum: 0, maximum: 500 })), {
      example: 6,
      description: "0 or null means all lessons.",
    }),
    "is-active": defaulted(boolean()),

    "code": optional(named(40)),
    "summary": optional(text({ maxLength: 500 })),
    "image-url": describe(
      // Web sites show public courses, and keep their pages.
      fileLink("courses", "image_id", "case when courses.is_public then 86400 else 3600 end"),
      {
        description: "A signed link that stays the same for an hour, of a public course for a day.",
      },
    ),
    "is-public": describe(defaulted(boolean()), {
      writableWith: can("courses:write"),
      initialValue: false,
    }),
    "enrollment-policy": example("request", defaulted(choice(["open", "request", "closed"]))),
    "graduation-mode": defaulted(choice(["automatic", "manual"])),
    "excused-counts": defaulted(boolean()),
    "has-certificate": defaulted(boolean()),
    "certificate-valid-months": optional(integer({ minimum: 1, maximum: 1_200 })),
    "category": optional(named(80)),
    "order": optional(integer({ minimum: 0, maximum: 1_000_000 })),
    "position-in-path": optional(integer({ minimum: 0, maximum: 1_000_000 })),
    "lessons-count": counted("course_lessons"),
    "open-classes-count": counted("course_classes", " and x.status = 'open'"),
    "enrolled-count": counted("course_enrollments", " and x.status = 'active'"),
    "custom-properties": customValues(),
  },

  relationships: {
    ...authorship,
    "teachers": toMany("people", { table: "course_teachers", from: "course_id", to: "person_id" }),
    "lessons": linkOnly(
      toMany("course-lessons", { table: "course_lessons", from: "course_id", to: "id" }),
    ),
    "classes": linkOnly(
      toMany("course-classes", { table: "course_classes", from: "course_id", to: "id" }),
    ),
    "student-materials": linkOnly(
      toMany("course-materials", {
        table: "course_materials",
        from: "course_id",
        to: "id",
        where: { audience: "student" },
      }),
    ),
    "teacher-materials": linkOnly(
      toMany("course-materials", {
        table: "course_materials",
        from: "course_id",
        to: "id",
        where: { audience: "teacher" },
      }),
    ),
    "enrollments": linkOnly(
      toMany("course-enrollments", { table: "course_enrollments", from: "course_id", to: "id" }),
    ),
    "requirements": linkOnly(
      toMany("course-requirements", { table: "course_requirements", from: "course_id", to: "id" }),
    ),
    "completed-by": linkOnly(
      toMany("people", {
        table: "course_enrollments",
        from: "course_id",
        to: "person_id",
        where: { status: "completed" },
      }),
    ),
  },

  filters: {
    "name": { match: "contains", column: "name_folded" },
    "is-active": { match: "boolean", column: "is_active" },
    "is-public": { match: "boolean", column: "is_public" },
    "category": { match: "equals-text", column: "category", by: "fold" },
    "teacher": {
      needs: "people:read",
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
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
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
  constraints: {
    courses_custom_properties_size: {
      pointer: "/data/attributes/custom-properties",
      detail: "All fields together must not exceed 64 KiB.",
    },
  },
});
