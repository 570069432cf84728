import { limits } from "../../../base/limits.ts";
import {
  choice,
  defaulted,
  describe,
  example,
  integer,
  optional,
  readOnly,
  lines,
  timestamp,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { webAddress } from "../../../jsonapi/definition/contact.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import { authorship, toOne, linkOnly, toMany } from "../../../jsonapi/definition/relationships.ts";

export const audiences = ["student", "teacher"] as const;

export const publishStatuses = ["draft", "unlisted", "public"] as const;

export const materialFields = {
  attributes: {
    ...timestamps,
    "title": example("Study guide", named(200)),
    "description": optional(lines({ maxLength: 10_000 })),
    "content": describe(optional(lines({ maxLength: limits.materialContentLengthMax })), {
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
    attachments: linkOnly(
      toMany("material-attachments", {
        table: "material_attachments",
        from: "material_id",
        to: "id",
      }),
    ),
  },
};

export type MaterialFields = typeof materialFields;
