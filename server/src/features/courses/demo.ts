import { newId } from "../../base/ids.ts";
import type { DemoAccount } from "../../sample-data/demo-account.ts";
import { courses, type DemoClass, type DemoCourse } from "./demo-courses.ts";

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
      lessons_to_graduate: course.lessons.length - 1,
      is_active: course.isActive ?? true,
      is_public: course.isPublic ?? false,
    },
  ]);
  await account.insert(
    "course_teachers",
    course.teachers.map((name) => ({ course_id, person_id: account.idOf("people", name) })),
  );
  await account.insert(
    "course_lessons",
    course.lessons.map((name, index) => ({ id: newId(), course_id, name, number: index + 1 })),
  );
  await account.insert(
    "course_materials",
    course.materials.map(([title, audience]) => ({
      id: newId(),
      course_id,
      title,
      audience,
      material_type: "text",
    })),
  );
  if (course.isPublic) {
    const tag_id = account.idOf("tags", "Open to guests");
    await account.insert("course_tags", [{ course_id, tag_id }]);
  }
  if (course.requires !== undefined) {
    const required_course_id = account.idOf("courses", course.requires);
    await account.insert("course_requirements", [
      { id: newId(), course_id, required_course_id, kind: "course" },
    ]);
  }
  for (const one of course.classes) await addClass(account, course_id, one);
}

async function addClass(
  account: DemoAccount,
  course_id: string,
  { name, status, beginsIn, location, teachers, enrollments }: DemoClass,
): Promise<void> {
  const class_id = newId();
  const { daysAgo } = await account.clock();
  await account.insert("course_classes", [
    {
      id: class_id,
      course_id,
      name,
      status,
      ...(beginsIn !== undefined && { starts: `${daysAgo(-beginsIn)}T19:30:00Z` }),
      ...(location !== undefined && { location }),
      time_zone: "Europe/Lisbon",
      is_public: status === "open",
      show_teachers: status === "open",
    },
  ]);
  await account.insert(
    "course_class_teachers",
    teachers.map((teacher) => ({ class_id, person_id: account.idOf("people", teacher) })),
  );
  await account.insert(
    "course_enrollments",
    Object.entries(enrollments).flatMap(([standing, students]) =>
      students.map((student) => ({
        id: newId(),
        course_id,
        class_id,
        person_id: account.idOf("people", student),
        status: standing,
      })),
    ),
  );
}
