import {
  choice,
  computed,
  describe,
  integer,
  list,
  object,
  optional,
  readOnly,
  text,
  timestamp,
} from "../../../jsonapi/definition/attributes.ts";
import { timeZone } from "../../../jsonapi/definition/codes.ts";
import { publicType, shown } from "../../../jsonapi/definition/public.ts";
import { courseClasses } from "./definition.ts";

const minutes = () => integer({ minimum: 0, maximum: 1_439 });

const seatsLeft = `(select case
    when course_classes.seats is null then 'available'
    when course_classes.seats <= taken then 'none'
    when course_classes.seats - taken <= greatest(3, course_classes.seats / 10) then 'few'
    else 'available' end
  from (select count(*) as taken from course_enrollments x
    where x.account_id = course_classes.account_id and x.class_id = course_classes.id
      and x.status in ('active', 'completed', 'failed')) as enrollments)`;

const teachers = `(select coalesce(json_agg(teacher.name order by teacher.name), '[]')
  from (
    select public_name(x.account_id, x.person_id) as name from course_class_teachers x
    where x.account_id = course_classes.account_id and x.class_id = course_classes.id and course_classes.show_teachers
  ) teacher
  where teacher.name is not null)`;

/** `GET /p/v1/course-classes` */
export const publicClasses = publicType({
  type: "course-classes",
  description: "A class that is open for enrollments.",
  table: "course_classes",
  rows: `course_classes.is_public and course_classes.status = 'open' and exists (select 1 from courses x
    where x.account_id = course_classes.account_id and x.id = course_classes.course_id and x.is_active and x.is_public)`,
  attributes: {
    "course-id": readOnly(text({ maxLength: 36 })),
    ...shown(courseClasses.attributes, "name"),
    "starts": readOnly(optional(timestamp())),
    "ends": readOnly(optional(timestamp())),
    "schedule": computed(
      list(
        object({
          "weekday": integer({ minimum: 0, maximum: 6 }),
          "starts-at": minutes(),
          "ends-at": minutes(),
        }),
        { maxItems: 14 },
      ),
      "course_classes.schedule",
    ),
    "mode": readOnly(choice(["in-person", "online", "hybrid"])),
    "location": readOnly(optional(text({ maxLength: 500 }))),
    "time-zone": readOnly(timeZone()),
    "enrollment-closes-at": readOnly(optional(timestamp())),
    "seats-left": describe(computed(choice(["available", "few", "none"]), seatsLeft), {
      description: "`few` means at most 3 or a tenth of the seats.",
    }),
    "teachers": describe(computed(list(text({ maxLength: 200 }), { maxItems: 1_000 }), teachers), {
      description: "By the names they prefer, if the class shows them.",
    }),
  },
  filters: {
    "course": { match: "id", column: "course_id" },
    "starts-from": { match: "since", column: "starts" },
  },
  sorts: { starts: { column: "starts", nullable: true } },
  defaultSort: "starts",
});
