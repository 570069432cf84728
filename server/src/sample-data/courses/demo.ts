import { newId } from "../../base/ids.ts";
import type { DemoAccount } from "../demo-account.ts";
import { addDemoClass, type CourseIds } from "./demo-classes.ts";
import { courses, type DemoCourse, type DemoMaterial } from "./demo-courses.ts";
import { storeProgress } from "../../features/courses/enrollments/progress.ts";
import { lessonsNeeded } from "./lessons.ts";

/** Courses with their classes, half of which have begun. */
export async function addDemo(account: DemoAccount): Promise<void> {
  for (const { name } of courses) account.newId("courses", name);
  for (const course of courses) await addCourse(account, course);
}

async function addCourse(account: DemoAccount, course: DemoCourse): Promise<void> {
  const course_id = account.idOf("courses", course.name);
  const free = course.price === undefined;
  await account.insert("courses", [
    {
      id: course_id,
      name: course.name,
      summary: course.summary,
      description: course.description,
      category: course.category,
      price: course.price ?? 0,
      price_currency: free ? null : "EUR",
      lessons_to_graduate: lessonsNeeded(course.lessons.length),
      is_active: course.isActive ?? true,
      is_public: course.isPublic ?? false,
    },
  ]);
  await account.insert(
    "course_teachers",
    course.teachers.map((name) => ({ course_id, person_id: account.idOf("people", name) })),
  );
  const lessons = course.lessons.map((name, index) => ({
    id: newId(),
    course_id,
    name,
    number: index + 1,
    is_mandatory: index === 0,
  }));
  await account.insert("course_lessons", lessons);
  const lessonIds = lessons.map(({ id }) => id);
  const materials = course.materials.map((one, index) => materialRow(one, index, lessonIds));
  await account.insert(
    "course_materials",
    materials.map((row) => ({ course_id, ...row })),
  );
  for (const [index, { file }] of course.materials.entries())
    if (file) await attach(account, materials[index]?.id ?? "", file);
  const tasks = (course.tasks ?? []).map((task) => ({
    ...task,
    id: account.newId("course-tasks", task.name),
  }));
  await account.insert(
    "course_tasks",
    tasks.map(({ due, id, instructions, isMandatory = false, name }, index) => ({
      id,
      course_id,
      name,
      instructions,
      is_mandatory: isMandatory,
      due: { criterion: "class-start-offset", value: due },
      points: 10,
      order: index + 1,
    })),
  );
  if (course.isPublic) {
    const tag_id = account.idOf("tags", "Open to guests");
    await account.insert("course_tags", [{ course_id, tag_id }]);
  }
  await account.insert("course_requirements", requirementsOf(account, course, course_id));
  const ids: CourseIds = { courseId: course_id, lessonIds, tasks };
  for (const one of course.classes) await addDemoClass(account, course, ids, one);
  const actorId = account.idOf("people", course.teachers[0] ?? "");
  const { accountId, tx: db } = account;
  await storeProgress({ accountId, actorId, db }, { courseId: course_id });
}

function materialRow(material: DemoMaterial, index: number, lessonIds: readonly string[]) {
  const {
    audience,
    availableFrom,
    content,
    file,
    lesson,
    status = "unlisted",
    title,
    url,
  } = material;
  return {
    id: newId(),
    title,
    audience,
    content: content ?? null,
    url: url ?? null,
    material_type: file ? "file" : url === undefined ? "text" : "link",
    publish_status: status,
    published_at: status === "draft" ? null : "now",
    available_from: availableFrom ?? null,
    lesson_id: lesson === undefined ? null : lessonIds[lesson - 1],
    order: index + 1,
  };
}

async function attach(
  account: DemoAccount,
  material_id: string,
  { bytes, mediaType, name }: NonNullable<DemoMaterial["file"]>,
): Promise<void> {
  const file_id = await account.addFile(name, mediaType, bytes());
  await account.insert("material_attachments", [{ id: newId(), material_id, file_id }]);
}

function requirementsOf(account: DemoAccount, course: DemoCourse, course_id: string) {
  const { minimumAge, requires } = course;
  const none = { course_id, required_course_id: null, value: null };
  return [
    ...(requires === undefined
      ? []
      : [
          {
            ...none,
            id: newId(),
            kind: "course",
            required_course_id: account.idOf("courses", requires),
          },
        ]),
    ...(minimumAge === undefined
      ? []
      : [{ ...none, id: newId(), kind: "minimum-age", value: minimumAge }]),
  ];
}
