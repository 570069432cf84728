import {
  boolean,
  computed,
  detailed,
  integer,
  list,
  object,
  text,
} from "../../../jsonapi/definition/attributes.ts";
import { publicType, shown } from "../../../jsonapi/definition/public.ts";
import { courses } from "./definition.ts";

const lessons = `(select coalesce(json_agg(json_build_object('number', number, 'name', name) order by number), '[]')
  from course_lessons x where x.account_id = courses.account_id and x.course_id = courses.id and x.is_active)`;

/** `GET /p/v1/courses` */
export const publicCourses = publicType({
  type: "courses",
  description: "A course that visitors can find.",
  table: "courses",
  rows: "courses.is_active and courses.is_public",
  attributes: {
    ...shown(
      courses.attributes,
      "name",
      "summary",
      "description",
      "price",
      "price-currency",
      "lessons-to-graduate",
      "image-url",
      "category",
      "enrollment-policy",
    ),
    "has-open-classes": computed(
      boolean(),
      `exists (select 1 from course_classes x where x.account_id = courses.account_id and x.course_id = courses.id
        and x.status = 'open' and x.is_public)`,
    ),
    "lessons": detailed(
      computed(
        list(
          object({
            number: integer({ minimum: 1, maximum: 500 }),
            name: text({ maxLength: 200 }),
          }),
          { maxItems: 500 },
        ),
        lessons,
      ),
    ),
  },
  filters: {
    name: { match: "contains", column: "name_folded" },
    category: { match: "equals-text", column: "category", by: "fold" },
  },
  sorts: { name: { column: "name_folded" }, order: { column: "order", nullable: true } },
  defaultSort: "name",
});
