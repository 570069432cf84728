import type { Feature } from "../../jsonapi/definition/feature.ts";
import { materialAttachments } from "./attachments/definition.ts";
import { courseAttendances } from "./attendances/definition.ts";
import { courseAttendanceSheets } from "./attendances/sheets.ts";
import { courseClasses } from "./classes/definition.ts";
import { publicClasses } from "./classes/public.ts";
import { courseTaskCompletions } from "./completions/definition.ts";
import { courses } from "./courses/definition.ts";
import { publicCourses } from "./courses/public.ts";
import { courseEnrollments } from "./enrollments/definition.ts";
import { enrollByForm } from "./enrollments/create-enrollment.ts";
import { enrollmentImporter } from "./enrollments/importer.ts";
import { enrollmentChanges, enrollmentStatuses } from "./enrollments/statuses.ts";
import { forgetStudent } from "./forget.ts";
import { lockClass, lockCoursesOf } from "./enrollments/seats.ts";
import { courseEnrollmentRequests } from "./enrollment-requests/definition.ts";
import { enrollmentRequestsOfVisitors } from "./enrollment-requests/of-visitors.ts";
import { approveRequest } from "./enrollment-requests/approve-request.ts";
import { requestChanges, requestStatuses } from "./enrollment-requests/statuses.ts";
import { eventExamples, events } from "./events.ts";
import { linked, moved } from "../../jsonapi/sql/merge.ts";
import { sweepContacts } from "../../jsonapi/sql/visitor-requests.ts";
import { courseLessons } from "./lessons/definition.ts";
import { courseMaterials } from "./materials/definition.ts";
import { classesGained, mergeEnrollments } from "./merge.ts";
import { classChanges, classStatuses } from "./classes/statuses.ts";
import { completionChanges, completionStatuses } from "./completions/statuses.ts";
import { coursesOfPeople } from "./on-people.ts";
import { permissions, presets } from "./permissions.ts";
import { sessionChanges, sessionStatuses } from "./sessions/statuses.ts";
import { courseSessionPlans, courseSessions } from "./sessions/definition.ts";
import { courseRequirements } from "./requirements/definition.ts";
import { courseTasks } from "./tasks/definition.ts";

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

declare module "../../access/scopes.ts" {
  interface Scopes {
    "course": true;
    "course-class": true;
  }
}

declare module "../../jsonapi/definition/resource.ts" {
  interface Published {
    approveEnrollmentRequest: typeof approveRequest;
    classesGained: typeof classesGained;
    enrollByForm: typeof enrollByForm;
    lockClass: typeof lockClass;
    lockCoursesOf: typeof lockCoursesOf;
    enrollmentImporter: typeof enrollmentImporter;
  }
}

export const coursesFeature: Feature = {
  types: [
    courses,
    courseLessons,
    courseClasses,
    courseSessions,
    courseSessionPlans,
    courseMaterials,
    materialAttachments,
    courseRequirements,
    courseEnrollments,
    courseEnrollmentRequests,
    courseAttendances,
    courseAttendanceSheets,
    courseTasks,
    courseTaskCompletions,
  ],
  extends: { people: coursesOfPeople },
  public: [publicCourses, publicClasses],
  publicWrites: [enrollmentRequestsOfVisitors],
  permissions,
  scopes: {
    "course": { type: "courses" },
    "course-class": { type: "course-classes" },
  },
  presets,
  everyone: {
    "courses:read": "account",
    "course-lessons:read": "account",
    // Classes that are not drafts.
    "course-classes:read": "public",
    "course-requirements:read": "account",
    // The sessions of the classes in which the person has a seat.
    "course-sessions:read": "self",
    "course-attendances:read": "self",
    // The tasks of the courses in which the person is enrolled.
    "course-tasks:read": "self",
    // People hand in their own work. Only reviewers write the review.
    "course-task-completions:write": "self",
    // The materials of their own courses, and the public ones.
    "course-materials:read": ["self", "public"],
    // People enroll, withdraw and cancel themselves.
    "course-enrollments:write": "self",
  },
  events,
  eventExamples,
  states: [
    { type: "course-classes", statuses: classStatuses, changes: classChanges },
    { type: "course-sessions", statuses: sessionStatuses, changes: sessionChanges },
    { type: "course-enrollments", statuses: enrollmentStatuses, changes: enrollmentChanges },
    { type: "course-enrollment-requests", statuses: requestStatuses, changes: requestChanges },
    { type: "course-task-completions", statuses: completionStatuses, changes: completionChanges },
  ],
  jobs: [
    {
      name: "course-enrollment-request-contacts",
      schedule: "45 3 * * *",
      run: sweepContacts("course_enrollment_requests", ["contact", "message"]),
    },
  ],
  personColumns: {
    "course_teachers.person_id": linked("course_id"),
    "course_class_teachers.person_id": linked("class_id"),
    "course_enrollments.person_id": mergeEnrollments,
    "course_enrollment_requests.person_id": moved("course-enrollment-requests"),
    "course_sessions.teacher_id": moved("course-sessions"),
    "course_attendances.person_id": moved("course-attendances"),
    "course_task_completions.person_id": moved("course-task-completions"),
  },
  tables: ["course_teachers", "course_class_teachers"],
  keptColumns: [
    "course_enrollments.person_id",
    "course_attendances.person_id",
    "course_task_completions.person_id",
  ],
  forget: forgetStudent,
  published: {
    approveEnrollmentRequest: approveRequest,
    classesGained,
    enrollByForm,
    enrollmentImporter,
    lockClass,
    lockCoursesOf,
  },
};
