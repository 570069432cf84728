import type { Value } from "../../store/insert-rows.ts";
import { draw, idOf, type Plan } from "../../sample-data/plan.ts";
import type { SeededAccount } from "../../sample-data/seeded-account.ts";

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

export async function addSeed(account: SeededAccount): Promise<void> {
  const { plan } = account;
  const courses = Array.from({ length: plan.shape.courses }, (_, index) => index);
  await account.insert(
    "courses",
    courseColumns,
    courses.map((index) => courseOf(plan, index)),
  );
  await account.insert(
    "course_teachers",
    ["course_id", "person_id"],
    courses.flatMap((course) =>
      [0, 1].map((which) => [
        idOf(plan, "courses", course),
        idOf(plan, "people", teacherOf(plan, course, which)),
      ]),
    ),
  );
  await account.insert(
    "course_lessons",
    ["id", "course_id", "name", "number"],
    courses.flatMap((course) =>
      Array.from({ length: LESSONS }, (_, lesson) => [
        idOf(plan, "course-lessons", course * LESSONS + lesson),
        idOf(plan, "courses", course),
        `Lesson ${lesson + 1}`,
        lesson + 1,
      ]),
    ),
  );
  await account.insert(
    "course_materials",
    ["id", "course_id", "title", "audience", "material_type"],
    courses.flatMap((course) =>
      (["student", "student", "teacher"] as const).map((audience, which) => [
        idOf(plan, "course-materials", course * 3 + which),
        idOf(plan, "courses", course),
        audience === "teacher" ? "Notes for teachers" : `Workbook ${which + 1}`,
        audience,
        "text",
      ]),
    ),
  );
  await account.insert(
    "course_classes",
    ["id", "course_id", "name", "status"],
    courses.flatMap((course) =>
      classStatuses.map((status, which) => [
        idOf(plan, "course-classes", course * CLASSES + which),
        idOf(plan, "courses", course),
        `Class ${which + 1}`,
        status,
      ]),
    ),
  );
  await account.insert(
    "course_class_teachers",
    ["class_id", "person_id"],
    courses.flatMap((course) =>
      classStatuses.map((_, which) => [
        idOf(plan, "course-classes", course * CLASSES + which),
        idOf(plan, "people", teacherOf(plan, course, which % 2)),
      ]),
    ),
  );
  await account.insert(
    "course_enrollments",
    ["id", "course_id", "class_id", "person_id", "status"],
    enrollments(plan),
  );
}

const courseColumns = [
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
] as const;

function courseOf(plan: Plan, index: number): readonly Value[] {
  const { die, id } = draw(plan, "courses", index);
  const author = idOf(plan, "people", 0);
  const round = Math.floor(index / subjects.length) + 1;
  const name = `${subjects[index % subjects.length]}${round > 1 ? ` ${round}` : ""}`;
  const costs = die.chance(0.3);
  return [
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
}

const teacherOf = ({ shape }: Plan, course: number, which: number) =>
  1 + ((course * 2 + which) % (shape.people - 1));

/** Every seventh person is in a class. Most have completed a finished class or are active in another one. */
function* enrollments(plan: Plan): Generator<readonly Value[]> {
  for (let person = 0; person < plan.shape.people; person += 7) {
    const { die, id } = draw(plan, "course-enrollments", person);
    const course = die.below(plan.shape.courses);
    const which = die.below(CLASSES);
    yield [
      id,
      idOf(plan, "courses", course),
      idOf(plan, "course-classes", course * CLASSES + which),
      idOf(plan, "people", person),
      which === 0
        ? die.pick(["completed", "completed", "completed", "withdrawn", "failed"])
        : die.pick(["active", "active", "active", "requested", "waitlisted"]),
    ];
  }
}
