import { newId } from "../../src/base/ids.ts";
import type { Db } from "../../src/store/db.ts";
import { recordDelivery, recordEvent } from "../support/history.ts";
import { makeEndpoint, makePerson, makeRow } from "../support/make.ts";
import { formFields } from "../../src/features/forms/forms/form-field.ts";
import type { Makers } from "./furnish.ts";

/**
 * Rows that the catalog of the database cannot describe: views, two people of one row, endpoints with their health, a
 * person with an e-mail address, whom an invitation needs, and an active enrollment, whose student hands in work. Also classes
 * in which people can enroll, and forms that take submissions.
 */
export const specialMakers = (db: Db, accountId: string): Makers => ({
  "cell-report-summaries": async (rowOf) => `${await rowOf("cells")}.2026-03-01`,
  // No timestamp of an example begins with this week.
  "cell-report-totals": async () => "2024-03-03",
  // The view has the ids of forms.
  "form-totals": async (rowOf) => (await rowOf("forms")) ?? "",
  "people": async () => (await makePerson(db, accountId, { email: "ana@church.example" })).id,
  // People enroll in classes that are open. A requirement that blocks would keep most people out.
  "course-classes": async (rowOf) =>
    makeRow(db, "course_classes", accountId, {
      course_id: (await rowOf("courses")) ?? "",
      name: "Text",
      status: "open",
    }),
  "course-requirements": async (rowOf) =>
    makeRow(db, "course_requirements", accountId, {
      course_id: (await rowOf("courses")) ?? "",
      kind: "course",
      required_course_id: (await rowOf("courses")) ?? "",
      enforcement: "warn",
    }),
  // Staff enter submissions of forms that are no drafts.
  "forms": async (rowOf) =>
    makeRow(db, "forms", accountId, {
      name: "Text",
      status: "open",
      fields: JSON.stringify(formFields().example),
      owner_id: (await rowOf("people")) ?? "",
    }),
  // Only a declined request has a reason, the one text that staff write.
  "course-enrollment-requests": async (rowOf) =>
    makeRow(db, "course_enrollment_requests", accountId, {
      course_id: (await rowOf("courses")) ?? "",
      class_id: (await rowOf("course-classes")) ?? "",
      person_id: (await rowOf("people")) ?? "",
      status: "declined",
    }),
  "person-duplicates": async (rowOf) => {
    const { id } = await makePerson(db, accountId);
    return makeRow(db, "person_duplicates", accountId, {
      person_id: (await rowOf("people")) ?? "",
      other_id: id,
      score: 80,
      reasons: ["name-birthdate"],
    });
  },
  // The administrator changes the note, which only its author may do.
  "notes": async (rowOf) => {
    const [author] = await db<{ id: string }[]>`
      select id from people where account_id = ${accountId} and administrative_status = 'full-administrator'`;
    return makeRow(db, "notes", accountId, {
      text: "Text",
      about_person_id: (await rowOf("people")) ?? "",
      assignee_id: (await rowOf("people")) ?? "",
      author_id: author?.id ?? "",
    });
  },
  "course-enrollments": async (rowOf) =>
    makeRow(db, "course_enrollments", accountId, {
      course_id: (await rowOf("courses")) ?? "",
      class_id: (await rowOf("course-classes")) ?? "",
      person_id: (await rowOf("people")) ?? "",
      status: "active",
    }),
  "audit-entries": async (rowOf) => {
    const person = (await rowOf("people")) ?? "";
    const [made] = await db<{ id: string }[]>`
      insert into journal (account_id, id, occurred_at, action, entry, resource_type, resource_id, subject_id, actor_id,
        changes, cause, request_id, batch_id, ip)
      values (${accountId}, history_id(now()), date_trunc('milliseconds', now()), 'updated', 'updated', 'examples',
        ${newId()}, ${person}, ${person}, '{"name": {"from": "Anna", "to": "Ana"}}', 'ui', ${newId()}, ${newId()},
        '203.0.113.7')
      returning id`;
    return made?.id ?? "";
  },
  "webhook-endpoints": () => makeEndpoint(db, accountId),
  "webhook-events": async (rowOf) =>
    recordEvent(db, accountId, { subject: { type: "people", id: (await rowOf("people")) ?? "" } }),
  "webhook-deliveries": async (rowOf) => {
    const [endpointId = "", eventId = ""] = [
      await rowOf("webhook-endpoints"),
      await rowOf("webhook-events"),
    ];
    const exhausted = { endpointId, eventId, status: "exhausted" };
    const originId = await recordDelivery(db, accountId, exhausted);
    return recordDelivery(db, accountId, { ...exhausted, originId });
  },
});
