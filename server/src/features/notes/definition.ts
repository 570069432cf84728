import { can } from "../../access/policy.ts";
import { column, readOnly as readable, via } from "../../access/reach.ts";
import {
  type Attribute,
  type AttributeMode,
  choice,
  date,
  defaulted,
  describe,
  example,
  optional,
  readOnly,
  timestamp,
} from "../../jsonapi/definition/attributes.ts";
import { named } from "../../jsonapi/definition/names.ts";
import { authorship, linkOnly, toOne } from "../../jsonapi/definition/relationships.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { createNote, deleteNote, updateNote } from "./write-note.ts";

/** Events about notes contain ids only. */
const withheld = <V, M extends AttributeMode>(of: Attribute<V, M>) =>
  describe(of, { withheld: true });

/** The other scopes reach only notes that everyone in scope may read. */
const inScope = "x.visibility = 'scope'";
const followUpStatuses = ["open", "done"] as const;

export const notes = resource({
  type: "notes",
  description: "A note about a person, a household or a cell, which can ask for a follow-up.",
  table: "notes",
  attributes: {
    "created-at": withheld(readOnly(timestamp())),
    "modified-at": withheld(readOnly(timestamp())),
    "text": withheld(example("Called; comes on Sunday.", named(20_000))),
    "kind": withheld(example("call", optional(named(40)))),
    "visibility": withheld(
      describe(defaulted(choice(["scope", "staff", "confidential"])), {
        example: "staff",
        description:
          "`scope`: callers with `notes:read` for the subject. `staff`: callers with `notes:read` for the account. `confidential`: callers with `note-confidential:read`. The author and the assignee always see the note.",
      }),
    ),
    "follow-up-on": withheld(example("2026-12-01", optional(date()))),
    "follow-up-status": withheld(
      describe(optional(choice(followUpStatuses)), {
        description: "Null without `follow-up-on`. With it, `open` by default.",
      }),
    ),
  },
  relationships: {
    ...authorship,
    about: toOne("people", {
      column: "about_person_id",
      alsoTo: { households: "about_household_id", cells: "about_cell_id" },
      required: true,
      onlyCreated: true,
    }),
    author: linkOnly(toOne("people", { column: "author_id" })),
    assignee: toOne("people", { column: "assignee_id" }),
  },
  filters: {
    "about": {
      match: "within",
      sql: "(notes.about_person_id = any($ids) or notes.about_household_id = any($ids) or notes.about_cell_id = any($ids))",
    },
    "author": { match: "id", column: "author_id" },
    "assignee": { match: "id", column: "assignee_id" },
    "kind": { match: "equals-text", column: "kind_folded", by: "fold" },
    "follow-up-status": {
      match: "one-of",
      column: "follow_up_status",
      values: followUpStatuses,
    },
    "follow-up-until": { match: "to", column: "follow_up_on" },
  },
  sorts: {
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
    "follow-up-on": { column: "follow_up_on", nullable: true },
  },
  defaultSort: "-created-at",
  operations: {
    list: can("notes:read"),
    read: can("notes:read"),
    create: { allow: can("notes:write"), run: createNote },
    update: {
      allow: can("notes:write"),
      description: "Only the author changes a note.",
      run: updateNote,
    },
    delete: { allow: can("notes:write", "notes:delete"), run: deleteNote },
  },
  place: "about",
  reach: {
    "account": { where: "notes.visibility in ('scope', 'staff')" },
    "cell": via("note_cells", { from: "note_id", to: "cell_id", where: inScope }),
    "course": via("note_courses", { from: "note_id", to: "course_id", where: inScope }),
    "course-class": via("note_courses", { from: "note_id", to: "class_id", where: inScope }),
    "self": readable(via("note_readers", { from: "note_id", to: "person_id" })),
    "creator": column("author_id"),
  },
  captures: { created: "note.created" },
  constraints: {
    notes_follow_up: {
      pointer: "/data/attributes/follow-up-status",
      detail: "Must be set if `follow-up-on` is, and null otherwise.",
    },
  },
});
