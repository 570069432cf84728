import { can } from "../../src/access/policy.ts";
import { column, via } from "../../src/access/reach.ts";
import {
  boolean,
  computed,
  defaulted,
  integer,
  optional,
  readOnly,
  text,
  timestamp,
} from "../../src/jsonapi/definition/attributes.ts";
import { checkCatalogue } from "../../src/jsonapi/definition/check.ts";
import { authorship, linkOnly, toMany, toOne } from "../../src/jsonapi/definition/relationships.ts";
import { resource } from "../../src/jsonapi/definition/resource.ts";
import { json } from "../../src/store/sql.ts";
import { makePerson, makeRow, type Member } from "../support/make.ts";
import { type RequestOptions, startService, type TestService } from "../support/service.ts";

/**
 * Types of the tests' own, on tables of the service: books with their chapters, writers and loans. All operations are derived,
 * so the tests promise what the kernel does for every type, without the rules of any feature.
 */

const times = { "created-at": readOnly(timestamp()), "modified-at": readOnly(timestamp()) };
const timeSorts = {
  "created-at": { column: "created_at" },
  "modified-at": { column: "modified_at" },
};

const books = resource({
  type: "books",
  description: "A book.",
  table: "courses",
  attributes: {
    ...times,
    "name": text({ minLength: 1, maxLength: 200 }),
    "summary": optional(text({ maxLength: 500 })),
    "category": optional(text({ maxLength: 80 })),
    "order": optional(integer({ minimum: 0, maximum: 1_000_000 })),
    "is-active": defaulted(boolean()),
    "chapters-count": computed(
      integer(),
      "(select count(*) from course_lessons x where x.account_id = courses.account_id and x.course_id = courses.id)",
    ),
  },
  relationships: {
    ...authorship,
    writers: toMany("people", { table: "course_teachers", from: "course_id", to: "person_id" }),
    chapters: linkOnly(
      toMany("chapters", { table: "course_lessons", from: "course_id", to: "id", order: "number" }),
    ),
    loans: linkOnly(toMany("loans", { table: "course_enrollments", from: "course_id", to: "id" })),
    // A person can return the same book twice.
    readers: linkOnly(
      toMany("people", {
        table: "course_enrollments",
        from: "course_id",
        to: "person_id",
        where: { status: "completed" },
      }),
    ),
  },
  filters: {
    "name": { match: "contains", column: "name_folded" },
    "is-active": { match: "boolean", column: "is_active" },
    "category": { match: "equals-text", column: "category", by: "fold" },
    "writer": {
      match: "related",
      table: "course_teachers",
      from: "course_id",
      to: "person_id",
    },
    "has-chapters": { match: "exists", table: "course_lessons", from: "course_id" },
  },
  sorts: {
    ...timeSorts,
    name: { column: "name_folded" },
    order: { column: "order", nullable: true },
  },
  defaultSort: "name",
  operations: {
    list: can("courses:read"),
    read: can("courses:read"),
    create: can("courses:write"),
    update: can("courses:write"),
    delete: can("courses:write"),
  },
  reach: { course: column("id") },
  captures: { created: "course.created", updated: "course.updated", deleted: "course.deleted" },
});

const chapters = resource({
  type: "chapters",
  description: "A chapter of a book.",
  table: "course_lessons",
  attributes: {
    ...times,
    name: text({ minLength: 1, maxLength: 200 }),
    number: integer({ minimum: 1, maximum: 500 }),
  },
  relationships: { ...authorship, book: linkOnly(toOne("books", { column: "course_id" })) },
  filters: { book: { match: "id", column: "course_id" } },
  sorts: { number: { column: "number" } },
  defaultSort: "number",
  operations: { list: can("courses:read"), read: can("courses:read") },
  reach: { course: column("course_id") },
});

const loans = resource({
  type: "loans",
  description: "A person who has a book, or had it.",
  table: "course_enrollments",
  attributes: times,
  relationships: { book: linkOnly(toOne("books", { column: "course_id" })) },
  filters: {},
  sorts: timeSorts,
  defaultSort: "created-at",
  operations: { list: can("course-enrollments:read"), read: can("course-enrollments:read") },
  reach: { "course": column("course_id"), "course-class": column("class_id") },
});

const people = resource({
  type: "people",
  description: "A person.",
  table: "people",
  attributes: {
    ...times,
    "full-name": text({ maxLength: 200 }),
    "sex": optional(text({ maxLength: 40 })),
  },
  relationships: authorship,
  filters: {},
  sorts: timeSorts,
  defaultSort: "id",
  operations: { list: can("people:read"), read: can("people:read") },
  reach: {
    self: column("id"),
    course: via("course_enrollments", { from: "person_id", to: "course_id" }),
  },
});

export const startLibrary = (): Promise<TestService> =>
  startService({}, checkCatalogue([books, chapters, loans, people]));

/** A person with these permissions in a scope. */
export async function holding(
  { account, db }: TestService,
  permissions: readonly string[],
  scope_type: string,
  scope_ids: readonly string[] = [],
): Promise<Member> {
  const person = await makePerson(db, account.id);
  const role = { name: person.id, permissions: json(permissions) };
  const role_id = await makeRow(db, "roles", account.id, role as never);
  const assignment = { person_id: person.id, role_id, scope_type, scope_ids };
  await makeRow(db, "role_assignments", account.id, assignment);
  return person;
}

export const library = (service: TestService) => ({
  path: (id: string, rest = "") => `/v1/books/${id}${rest}`,
  create: (
    attributes: Record<string, unknown>,
    writers?: readonly string[],
    options?: RequestOptions,
  ) => service.post("/v1/books", book(attributes, writers), options),
  change: (id: string, attributes: Record<string, unknown>, options?: RequestOptions) =>
    service.patch(`/v1/books/${id}`, book(attributes, undefined, id), options),
});

/** A document with a book. */
export const book = (
  attributes: Record<string, unknown>,
  writers?: readonly string[],
  id?: string,
) => ({
  data: {
    type: "books",
    ...(id !== undefined && { id }),
    attributes,
    ...(writers && {
      relationships: { writers: { data: writers.map((one) => ({ type: "people", id: one })) } },
    }),
  },
});
