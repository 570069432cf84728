import { can } from "../../../access/policy.ts";
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
  lines,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { customValues } from "../../../jsonapi/definition/custom-fields.ts";
import { fileLink } from "../../../jsonapi/definition/files.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import { authorship, linkOnly, toMany } from "../../../jsonapi/definition/relationships.ts";

const counted = (table: string, where = "") =>
  computed(
    integer(),
    `(select count(*) from ${table} x where x.account_id = courses.account_id and x.course_id = courses.id${where})`,
  );

export const courseFields = {
  attributes: {
    ...timestamps,
    "name": example("Foundations", named(200)),
    "description": example(
      "The Christian faith in eight evenings.",
      optional(lines({ maxLength: 10_000 })),
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
    "summary": optional(lines({ maxLength: 500 })),
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
};

export type CourseFields = typeof courseFields;
