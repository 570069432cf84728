import assert from "node:assert/strict";
import { test } from "node:test";
import type { Permission } from "../access/permissions.ts";
import { can, fullAdministrator } from "../access/policy.ts";
import { column } from "../access/reach.ts";
import { integer, optional, readOnly, text, timestamp } from "../jsonapi/definition/attributes.ts";
import { checkCatalogue } from "../jsonapi/definition/check.ts";
import { explain } from "./explain.ts";
import { resource } from "../jsonapi/definition/resource.ts";
import { computedToOne, linkOnly, toMany, toOne } from "../jsonapi/definition/relationships.ts";

/** No feature declares them. */
const permission = (name: string) => name as Permission;

const books = resource({
  type: "books",
  description: "What one can read.",
  table: "books",
  attributes: {
    "created-at": readOnly(timestamp()),
    "title": text({ maxLength: 200 }),
    "pages": optional(integer({ minimum: 1 })),
    "shelf-mark": { ...optional(text({ maxLength: 20 })), writableWith: fullAdministrator },
  },
  relationships: {
    "author": toOne("authors", { column: "author_id", required: true }),
    "publisher": toOne("authors", { column: "publisher_id", onlyCreated: true }),
    "subject": toOne("authors", { column: "about_id", alsoTo: { books: "sequel_id" } }),
    "editor": computedToOne("authors", "(select books.editor_id)"),
    "readers": toMany("authors", { table: "readings", from: "book_id", to: "reader_id" }),
    "translators": linkOnly(
      toMany("authors", {
        table: "credits",
        from: "book_id",
        to: "person_id",
        where: { part: ["translator", "reviser"] },
      }),
    ),
  },
  filters: { title: { match: "contains", column: "title_folded" } },
  sorts: { pages: { column: "pages", nullable: true } },
  defaultSort: "-pages",
  operations: {
    list: can(permission("books:read")),
    read: can(permission("books:read")),
    update: { allow: can(permission("books:write")), run: async (_context, id) => ({ id }) },
    delete: fullAdministrator,
  },
  reach: { self: column("author_id") },
  captures: { deleted: "course.deleted" },
  constraints: {
    books_title_key: {
      pointer: "/data/attributes/title",
      detail: "Known.",
      code: "already-exists",
    },
  },
});

const authors = resource({
  type: "authors",
  description: "Who writes.",
  table: "authors",
  attributes: { name: text({ maxLength: 200 }) },
  relationships: {},
  filters: {},
  sorts: {},
  defaultSort: "id",
  operations: { list: can(permission("authors:read")), read: can(permission("authors:read")) },
});

const catalogue = checkCatalogue([books, authors]);
const told = explain(catalogue, "books");

/** Every line, its columns one space apart. */
const lines = told.split("\n").map((line) => line.trim().replaceAll(/ {2,}/g, " "));
const says = (line: string) => assert.ok(lines.includes(line), `${line}\nis not in\n${told}`);

test("routes stand with what they need and who wrote them", () => {
  says("GET /v1/books books:read");
  says("PATCH /v1/books/:id books:write written by hand");
  says("DELETE /v1/books/:id full administrator");
  says("POST /v1/books/:id/relationships/readers books:write written by hand");
  assert.ok(!lines.some((line) => line.startsWith("POST /v1/books ")), "nothing creates books");
  assert.ok(
    !lines.some((line) => line.startsWith("PATCH /v1/books/:id/relationships/translators")),
  );
});

test("attributes stand with their type, who sets them and where they are kept", () => {
  says("created-at date-time read-only created_at");
  says("pages integer or null optional pages");
  says("shelf-mark one-line or null optional written by full administrator shelf_mark");
});

test("relationships stand with the tables that hold them", () => {
  says("author to-one authors writable books.author_id");
  says("publisher to-one authors set at creation books.publisher_id");
  says("subject to-one authors or books writable books.about_id or books.sequel_id");
  says("editor to-one authors link only (select books.editor_id)");
  says("readers to-many authors writable readings: book_id → reader_id");
  says(
    "translators to-many authors link only credits: book_id → person_id where part = translator or reviser",
  );
});

test("filters stand with the condition they become", () => {
  const row = lines.find((line) => line.startsWith("title contains "));
  assert.match(row ?? "", /books\.title_folded like /);
  says("created-since since books.created_at >= $2::timestamptz");
});

test("sorts, scopes, events and rules stand there too", () => {
  says("pages pages may be null: no page[after], unless the caller says otherwise");
  says("self books.author_id");
  says("deleted course.deleted");
  says("books_title_key already-exists /data/attributes/title Known.");
});

test("the statements are the ones that are sent", () => {
  const statements = lines.filter((line) => line.startsWith("select "));
  assert.equal(statements.length, 2);
  const [one, page] = statements;
  assert.match(one ?? "", /from books where books\.account_id = \$1 and books\.id = \$2/);
  assert.match(page ?? "", /count\(\*\).* from books where books\.account_id = \$1\) as total/);
  assert.match(page ?? "", /order by books\."pages" desc nulls last, books\.id desc/);
});

test("an unknown type is reported with a list of the types", () => {
  assert.equal(
    explain(catalogue, "films"),
    'There is no type "films". There are:\n  books\n  authors',
  );
});
