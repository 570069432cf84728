import { can } from "../../../access/policy.ts";
import { column, readOnly as readable, via } from "../../../access/reach.ts";
import { limits } from "../../../base/limits.ts";
import {
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
import { webAddress } from "../../../jsonapi/definition/contact.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import { authorship, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { attachmentsOf, attachmentUpload } from "../attachments/upload.ts";
import { cleanContent } from "./clean-content.ts";
import { createMaterial, updateMaterial } from "./write-material.ts";

const audiences = ["student", "teacher"] as const;
const publishStatuses = ["draft", "unlisted", "public"] as const;

export const courseMaterials = resource({
  type: "course-materials",
  description: "Course material for students or for teachers.",
  table: "course_materials",
  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    "title": example("Study guide", named(200)),
    "description": optional(text({ maxLength: 10_000 })),
    "content": describe(optional(text({ maxLength: limits.materialContentLengthMax })), {
      detailOnly: true,
      example: "# Week 1",
      description:
        "GitHub Flavored Markdown. The service removes raw HTML, and links other than http, https and mailto.",
    }),
    "material-type": example("text", choice(["file", "link", "text", "video"])),
    "audience": example("student", defaulted(choice(audiences))),
    "publish-status": describe(defaulted(choice(publishStatuses)), {
      example: "unlisted",
      description:
        "Only staff see a `draft`. Students see `unlisted` and `public` materials with the `audience` `student`. Every person in the account sees those that are `public`.",
    }),
    "published-at": describe(readOnly(optional(timestamp())), {
      description: "When the material first left `draft`.",
    }),
    "available-from": describe(optional(integer({ minimum: -365, maximum: 3_650 })), {
      example: 7,
      description:
        "Days after `starts` of the student's class, negative before it. Null means at once. It does not hide `public` materials.",
    }),
    "url": example("https://www.example.org/guide", optional(webAddress())),
    "order": example(1, optional(integer({ minimum: 0, maximum: 1_000_000 }))),
  },
  relationships: {
    ...authorship,
    course: toOne("courses", { column: "course_id", required: true, onlyCreated: true }),
    class: toOne("course-classes", { column: "class_id", cascades: true, onlyCreated: true }),
    lesson: toOne("course-lessons", { column: "lesson_id" }),
    attachments: attachmentsOf,
  },
  filters: {
    "course": { match: "id", column: "course_id" },
    "class": { match: "id", column: "class_id" },
    "lesson": { match: "id", column: "lesson_id" },
    "audience": { match: "one-of", column: "audience", values: audiences },
    "publish-status": { match: "one-of", column: "publish_status", values: publishStatuses },
  },
  sorts: {
    "order": { column: "order", nullable: true },
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
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
    "course-class": column("class_id"),
    "class-reading": via("course_material_classes", { from: "material_id", to: "class_id" }),
    "self": readable(via("course_material_students", { from: "material_id", to: "person_id" })),
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
