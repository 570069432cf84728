import type { EventExamples, EventTypes } from "../../events/event-types.ts";

export const events = {
  "course.created": { description: "A course was added.", personal: "ids", captured: true },
  "course.updated": { description: "A course changed.", personal: "ids", captured: true },
  "course.deleted": { description: "A course was deleted.", personal: "none", captured: true },
  "course-lesson.created": { description: "A lesson was added.", personal: "none", captured: true },
  "course-lesson.updated": { description: "A lesson changed.", personal: "none", captured: true },
  "course-lesson.deleted": {
    description: "A lesson was deleted.",
    personal: "none",
    captured: true,
  },
  "course-class.created": { description: "A class was added.", personal: "ids", captured: true },
  "course-class.updated": { description: "A class changed.", personal: "ids", captured: true },
  "course-class.deleted": { description: "A class was deleted.", personal: "none", captured: true },
  "course-class.started": { description: "A class began.", personal: "ids", captured: true },
  "course-class.finished": { description: "A class ended.", personal: "ids", captured: true },
  "course-enrollment.created": {
    description: "A person enrolled.",
    personal: "details",
    captured: true,
  },
  "course-enrollment.updated": {
    description: "An enrollment changed.",
    personal: "details",
    captured: true,
  },
  "course-enrollment.deleted": {
    description: "An enrollment was deleted.",
    personal: "none",
    captured: true,
  },
  "course-enrollment.completed": {
    description: "A person finished a course.",
    personal: "details",
    captured: true,
  },
  "course-enrollment.withdrawn": {
    description: "A person withdrew from a course.",
    personal: "details",
    captured: true,
  },
  "course-attendance.recorded": {
    description: "The attendance of a session was recorded.",
    personal: "ids",
    captured: true,
  },
  "course-material.created": {
    description: "A material was added.",
    personal: "none",
    captured: true,
  },
  "course-material.updated": {
    description: "A material changed.",
    personal: "none",
    captured: true,
  },
  "course-material.deleted": {
    description: "A material was deleted.",
    personal: "none",
    captured: true,
  },
  "course-task-completion.created": {
    description: "The work for a task was handed in.",
    personal: "ids",
    captured: true,
  },
  "course-task-completion.updated": {
    description: "The work for a task was reviewed, or handed in again.",
    personal: "ids",
    captured: true,
  },
} as const satisfies EventTypes;

export const eventExamples: EventExamples = {
  "course": {
    type: "courses",
    attributes: {
      "name": "Foundations",
      "description": "The Christian faith in eight evenings.",
      "price": 4_500,
      "price-currency": "BRL",
      "lessons-to-graduate": 6,
      "is-active": true,
    },
    relationships: { "created-by": "people" },
    changed: ["price", "is-active"],
  },
  "course-lesson": {
    type: "course-lessons",
    attributes: { name: "The nature of God", number: 1 },
    relationships: { course: "courses" },
    changed: ["name"],
  },
  "course-class": {
    type: "course-classes",
    attributes: { name: "Tuesday evenings", status: "open" },
    relationships: { course: "courses" },
    changed: ["status"],
  },
  "course-enrollment": {
    type: "course-enrollments",
    attributes: { status: "active" },
    relationships: { course: "courses", class: "course-classes", person: "people" },
    changed: ["status"],
  },
  "course-attendance": {
    type: "course-sessions",
    attributes: {
      "date": "2026-03-03",
      "status": "held",
      "attendance-counts": {
        "present": 11,
        "late": 1,
        "excused": 0,
        "absent": 2,
        "online": 0,
        "not-applicable": 0,
      },
    },
    relationships: { class: "course-classes", lesson: "course-lessons" },
  },
  "course-material": {
    type: "course-materials",
    attributes: { "title": "Workbook", "audience": "student", "publish-status": "unlisted" },
    relationships: { course: "courses" },
    changed: ["title", "publish-status"],
  },
  "course-task-completion": {
    type: "course-task-completions",
    attributes: { "status": "accepted", "points-earned": 9 },
    relationships: { enrollment: "course-enrollments", person: "people" },
    changed: ["status", "points-earned"],
  },
};

type DeclaredEvents = typeof events;
declare module "../../events/event-types.ts" {
  interface EventVocabulary extends DeclaredEvents {}
}
