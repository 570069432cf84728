import type { EventType } from "../../events/event-types.ts";

/** What an event is about: `cell-meeting.reported` is about a `cell-meeting`. */
export type Noun = EventType extends `${infer N}.${string}` ? N : never;

export interface Sample {
  type: string;
  attributes: Readonly<Record<string, unknown>>;
  /** To-one relationships, by the types they lead to. */
  relationships?: Readonly<Record<string, string>>;
  /** What `*.updated` says has changed. */
  changed?: readonly string[];
}

/** One subject of each kind, with as much of it as shows a reader what to expect. */
export const samples: Readonly<Record<Noun, Sample>> = {
  "person": {
    type: "people",
    attributes: {
      "full-name": "Ana Souza",
      "preferred-name": "Aninha",
      "email": "ana.souza@graca.example",
      "phones": [{ "number": "+5511987654321", "label": "mobile", "is-whatsapp": true }],
      "birthdate": "1984-05-17",
      "membership-status": "member",
      "is-active": true,
      "custom-properties": { "shirt-size": "M" },
    },
    changed: ["email", "custom-properties.shirt-size"],
  },
  "household": {
    type: "households",
    attributes: { name: "Souza", address: { city: "São Paulo", country: "BR" } },
    relationships: { "primary-contact": "people" },
    changed: ["address"],
  },
  "cell": {
    type: "cells",
    attributes: { name: "Vila Mariana" },
    relationships: { parent: "cells" },
    changed: ["name"],
  },
  "cell-membership": {
    type: "cell-memberships",
    attributes: { "cell-role": "participant", "status": "active" },
    relationships: { cell: "cells", person: "people" },
    changed: ["cell-role"],
  },
  "cell-join-request": {
    type: "cell-join-requests",
    attributes: { status: "pending", message: "I live around the corner." },
    relationships: { cell: "cells" },
  },
  "cell-meeting": {
    type: "cell-meetings",
    attributes: { "date": "2026-03-03", "status": "held", "visitors-count": 2 },
    relationships: { cell: "cells" },
    changed: ["visitors-count"],
  },
  "course": {
    type: "courses",
    attributes: {
      "name": "Foundations",
      "description": "What Christians believe, in eight evenings.",
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
    attributes: { name: "Who God is", number: 1 },
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
    type: "course-attendance-sheets",
    attributes: { "present-count": 11, "absent-count": 2 },
    relationships: { class: "course-classes", lesson: "course-lessons" },
  },
  "course-material": {
    type: "course-materials",
    attributes: { title: "Workbook", audience: "student" },
    relationships: { course: "courses" },
    changed: ["title"],
  },
  "course-task-completion": {
    type: "course-task-completions",
    attributes: { "status": "accepted", "points-earned": 9 },
    relationships: { enrollment: "course-enrollments", person: "people" },
    changed: ["status", "points-earned"],
  },
  "certificate": {
    type: "certificates",
    attributes: {
      "code": "7KQ2MZ4XW9TR3HPA",
      "issued-on": "2026-06-30",
      "course-name": "Foundations",
      "person-name": "Ana Souza",
      "status": "issued",
    },
    relationships: { person: "people", course: "courses" },
  },
  "form-submission": {
    type: "form-submissions",
    attributes: {
      "submitted-at": "2026-03-01T09:30:00.000Z",
      "answers": { name: "Ana Souza", email: "ana.souza@graca.example" },
      "status": "new",
    },
    relationships: { form: "forms" },
    changed: ["status"],
  },
  "account": {
    type: "accounts",
    attributes: {
      "church-name": "Igreja da Graça",
      "alias": "graca",
      "settings": { "lang": "pt-BR", "time-zone": "America/Sao_Paulo" },
    },
    changed: ["settings"],
  },
  "note": {
    type: "notes",
    attributes: {},
    relationships: { about: "people", author: "people" },
  },
  "people-list": {
    type: "people-lists",
    attributes: { "name": "New this year", "people-count": 42, "added": 3, "removed": 1 },
  },
  "import-job": {
    type: "import-jobs",
    attributes: {
      kind: "people",
      status: "done",
      counts: { created: 118, updated: 7, skipped: 2, failed: 0 },
    },
  },
  "role-assignment": {
    type: "role-assignments",
    attributes: { "scope-type": "account", "scope-ids": [] },
    relationships: { role: "roles", person: "people" },
  },
};
