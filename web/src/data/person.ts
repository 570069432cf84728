import { queryOptions } from "@tanstack/react-query";
import type { Note, PersonChanges, Resource } from "@vestry/sdk";
import { api } from "./client.ts";
import { keys } from "./keys.ts";

const include = [
  "cell-memberships.cell",
  "tags",
  "course-enrollments.class",
  "created-by",
  "modified-by",
] as const;

/** All that the screen of a person shows. A caller with a reduced view gets fewer members, and the screen fewer cards. */
const fields = {
  "people": [
    "full-name",
    "first-name",
    "last-name",
    "preferred-name",
    "former-name",
    "sex",
    "birthdate",
    "birth-month-day",
    "age",
    "is-child",
    "deathdate",
    "marital-status",
    "wedding-date",
    "occupation",
    "nationality",
    "photo-url",
    "email",
    "other-emails",
    "phones",
    "address",
    "emergency-contact",
    "membership-status",
    "membership-status-changed-at",
    "member-since",
    "admission-method",
    "decision-date",
    "is-baptized",
    "baptism-date",
    "previous-church",
    "left-at",
    "left-reason",
    "identity-documents",
    "medical-notes",
    "is-active",
    "is-anonymized",
    "deactivated-at",
    "administrative-status",
    "has-login",
    "last-login-at",
    "locale",
    "custom-properties",
    "attendance-summary",
    "resource-scope",
    "created-at",
    "modified-at",
    "created-by",
    "modified-by",
  ],
  "cell-memberships": ["cell-role", "status", "joined-on", "left-on", "cell"],
  "cells": ["name"],
  "tags": ["name", "color"],
  "course-enrollments": [
    "status",
    "progress",
    "lessons-attended",
    "lessons-required",
    "enrolled-at",
    "completed-at",
    "class",
    "course",
  ],
  "course-classes": ["name"],
} as const;

const shape = { include, fields, meta: { may: true } } as const;

export type PersonRecord = Resource<"people", typeof shape>;

const readPerson = (id: string, signal?: AbortSignal): Promise<PersonRecord> =>
  api.people.get(id, shape, { signal });

export const personOptions = (id: string) =>
  queryOptions({
    queryKey: keys.one("people", id, "screen"),
    queryFn: ({ signal }) => readPerson(id, signal),
    staleTime: 60_000,
  });

export const personAgain = (id: string): Promise<PersonRecord> => readPerson(id);

export const changePerson = (
  id: string,
  changes: PersonChanges,
  options: { etag?: string | undefined; idempotencyKey?: string | undefined },
): Promise<PersonRecord> => api.people.update(id, changes, { ...shape, ...options });

export const deletePerson = (id: string, etag: string | undefined): Promise<void> =>
  api.people.delete(id, { etag });

export const anonymizePerson = (id: string, idempotencyKey: string) =>
  api.personAnonymizations.create({ person: { $type: "people", id } }, { idempotencyKey });

export const putPhoto = (id: string, file: Blob) => api.people.photo(id).put(file);
export const deletePhoto = (id: string): Promise<void> => api.people.photo(id).delete();

const attendanceShape = {
  include: ["cell"],
  fields: { "cell-attendances": ["status", "date", "cell"], "cells": ["name"] },
} as const;

export type Attendance = Resource<"cell-attendances", typeof attendanceShape>;

/** The last twelve meetings of the person's groups, the newest first. */
export const attendanceOptions = (personId: string) =>
  queryOptions({
    queryKey: keys.list("cell-attendances", { person: personId }),
    queryFn: ({ signal }) =>
      api.cellAttendances.page(
        {
          ...attendanceShape,
          // A leader ticks the people who came, so many meetings that a person missed have no row.
          filter: { "person": personId, "with-missed": true },
          sort: "-date",
          page: { size: 12 },
        },
        { signal },
      ),
  });

export type InvitationWay = "email" | "link";

/** The link is part of this answer alone. */
export async function invite(
  personId: string,
  delivery: InvitationWay,
  idempotencyKey: string,
): Promise<string | undefined> {
  const invitation = await api.personInvitations.create(
    { delivery, person: personId },
    { idempotencyKey },
  );
  const link = invitation.$meta?.["link"];
  return typeof link === "string" ? link : undefined;
}

/** Ends all log-ins of the person. */
export async function endLogins(personId: string, idempotencyKey: string): Promise<void> {
  await api.request("POST", "/v1/access-token-revocations", {
    headers: { "Idempotency-Key": idempotencyKey },
    body: {
      data: {
        type: "access-token-revocations",
        relationships: { person: { data: { type: "people", id: personId } } },
      },
    },
  });
}

export const tagsOptions = queryOptions({
  queryKey: keys.list("tags", { of: "people" }),
  queryFn: async ({ signal }) => {
    const { items } = await api.tags.page(
      { fields: { tags: ["name", "color", "applies-to"] }, sort: "name" },
      { signal },
    );
    return items.filter((tag) => tag["applies-to"].includes("people"));
  },
  staleTime: 300_000,
});

/** The names of cells, courses and classes in which roles count. Those that the caller cannot read are absent. */
export const placeNamesOptions = (cellIds: readonly string[], courseIds: readonly string[]) =>
  queryOptions({
    queryKey: keys.list("cells", { cells: cellIds, courses: courseIds }),
    queryFn: async ({ signal }) => {
      const [cells, courses] = await Promise.all([
        cellIds.length === 0
          ? []
          : api.cells
              .page({ filter: { id: cellIds }, fields: { cells: ["name"] } }, { signal })
              .then(({ items }) => items),
        courseIds.length === 0
          ? []
          : api.courses
              .page({ filter: { id: courseIds }, fields: { courses: ["name"] } }, { signal })
              .then(({ items }) => items),
      ]);
      return new Map([...cells, ...courses].map(({ id, name }) => [id, name]));
    },
    staleTime: 300_000,
  });

export type { Note };
