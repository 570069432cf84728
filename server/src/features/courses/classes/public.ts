import {
  choice,
  computed,
  describe,
  list,
  readOnly,
  text,
} from "../../../jsonapi/definition/attributes.ts";
import { publicType, shown } from "../../../jsonapi/definition/public.ts";
import { courseClasses } from "./definition.ts";
import { seatsTaken } from "./fields.ts";

const seatsLeft = `(select case
    when course_classes.seats is null then 'available'
    when course_classes.seats <= taken then 'none'
    when course_classes.seats - taken <= greatest(3, course_classes.seats / 10) then 'few'
    else 'available' end
  from (select ${seatsTaken} as taken) as seats)`;

const teachers = `(select coalesce(json_agg(teacher.name order by teacher.name), '[]')
  from (
    select person.public_name as name from course_class_teachers x
    join person_facts person on person.account_id = x.account_id and person.person_id = x.person_id
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
    ...shown(
      courseClasses.attributes,
      "name",
      "starts",
      "ends",
      "schedule",
      "mode",
      "location",
      "time-zone",
      "enrollment-closes-at",
    ),
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
