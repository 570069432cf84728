import { MINUTE } from "../../base/clock.ts";
import type { Value } from "../../store/insert-rows.ts";
import { personId } from "./people.ts";
import { idOf, type Plan, type Table } from "./plan.ts";
import { Die, idFrom, kinds } from "./random.ts";

const subjects = [
  "Foundations of Faith",
  "Fundamentos da Fé",
  "Grundlagen des Glaubens",
  "Fundamentos de la Fe",
  "Marriage Preparation",
  "Curso de Noivos",
  "Leading a Cell",
  "Líderes de Célula",
  "Reading the Prophets",
  "Die Psalmen",
  "Children's Team Training",
  "Escola Dominical",
  "Church History",
  "Introducción a la Oración",
  "Taufkurs",
  "Money and Generosity",
] as const;

const LESSONS = 8;
const CLASSES = 3;
const classStatuses = ["finished", "in-progress", "open"] as const;

const courseIndexes = ({ shape }: Plan) => Array.from({ length: shape.courses }, (_, at) => at);

/** In the order in which they refer to each other. */
export const courseTables: readonly Table[] = [
  {
    table: "courses",
    columns: [
      "account_id",
      "id",
      "name",
      "summary",
      "category",
      "price",
      "price_currency",
      "lessons_to_graduate",
      "is_active",
      "is_public",
      "created_by",
      "modified_by",
    ],
    rows: (plan) =>
      courseIndexes(plan).map((index) => {
        const die = new Die(plan.seed, kinds.course, plan.index, index);
        const id = idFrom(die, plan.foundedMs + index * MINUTE);
        const author = personId(plan, 0);
        const round = Math.floor(index / subjects.length) + 1;
        const name = `${subjects[index % subjects.length]}${round > 1 ? ` ${round}` : ""}`;
        const costs = die.chance(0.3);
        return [
          plan.accountId,
          id,
          name,
          "A course of eight lessons.",
          die.pick(["Discipleship", "Family", "Leadership", "Community"]),
          costs ? 500 * (1 + die.below(20)) : 0,
          costs ? "EUR" : null,
          LESSONS - 1,
          die.chance(0.9),
          die.chance(0.3),
          author,
          author,
        ];
      }),
  },
  {
    table: "course_teachers",
    columns: ["account_id", "course_id", "person_id"],
    rows: (plan) =>
      courseIndexes(plan).flatMap((course) =>
        [0, 1].map((which) => [
          plan.accountId,
          idOf(plan, kinds.course, course),
          personId(plan, teacherOf(plan, course, which)),
        ]),
      ),
  },
  {
    table: "course_lessons",
    columns: ["account_id", "id", "course_id", "name", "number"],
    rows: (plan) =>
      courseIndexes(plan).flatMap((course) =>
        Array.from({ length: LESSONS }, (_, lesson) => [
          plan.accountId,
          idOf(plan, kinds.lesson, course * LESSONS + lesson),
          idOf(plan, kinds.course, course),
          `Lesson ${lesson + 1}`,
          lesson + 1,
        ]),
      ),
  },
  {
    table: "course_materials",
    columns: ["account_id", "id", "course_id", "title", "audience"],
    rows: (plan) =>
      courseIndexes(plan).flatMap((course) =>
        (["student", "student", "teacher"] as const).map((audience, which) => [
          plan.accountId,
          idOf(plan, kinds.material, course * 3 + which),
          idOf(plan, kinds.course, course),
          audience === "teacher" ? "Notes for teachers" : `Workbook ${which + 1}`,
          audience,
        ]),
      ),
  },
  {
    table: "course_classes",
    columns: ["account_id", "id", "course_id", "name", "status"],
    rows: (plan) =>
      courseIndexes(plan).flatMap((course) =>
        classStatuses.map((status, which) => [
          plan.accountId,
          idOf(plan, kinds.class, course * CLASSES + which),
          idOf(plan, kinds.course, course),
          `Class ${which + 1}`,
          status,
        ]),
      ),
  },
  {
    table: "course_class_teachers",
    columns: ["account_id", "class_id", "person_id"],
    rows: (plan) =>
      courseIndexes(plan).flatMap((course) =>
        classStatuses.map((_, which) => [
          plan.accountId,
          idOf(plan, kinds.class, course * CLASSES + which),
          personId(plan, teacherOf(plan, course, which % 2)),
        ]),
      ),
  },
  {
    table: "course_enrollments",
    columns: ["account_id", "id", "course_id", "class_id", "person_id", "status"],
    rows: enrollments,
  },
];

const teacherOf = ({ shape }: Plan, course: number, which: number) =>
  1 + ((course * 2 + which) % (shape.people - 1));

/** Every seventh person is in some class: of a finished one most have completed, in the others most are active. */
function* enrollments(plan: Plan): Generator<readonly Value[]> {
  for (let person = 0; person < plan.shape.people; person += 7) {
    const die = new Die(plan.seed, kinds.enrollment, plan.index, person);
    const id = idFrom(die, plan.foundedMs + person * MINUTE);
    const course = die.below(plan.shape.courses);
    const which = die.below(CLASSES);
    yield [
      plan.accountId,
      id,
      idOf(plan, kinds.course, course),
      idOf(plan, kinds.class, course * CLASSES + which),
      personId(plan, person),
      which === 0
        ? die.pick(["completed", "completed", "completed", "withdrawn", "failed"])
        : die.pick(["active", "active", "active", "requested", "waitlisted"]),
    ];
  }
}
