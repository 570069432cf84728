import { notAllowedHere } from "../../base/errors.ts";
import { can, writesAbout } from "../../access/policy.ts";
import { column, readOnly as readable, via } from "../../access/reach.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../jsonapi/definition/sorts.ts";
import { createNote, deleteNote, updateNote } from "./write-note.ts";
import { followUpStatuses, noteFields } from "./fields.ts";
import { onRow } from "../../jsonapi/definition/row-conditions.ts";
import { changes, mayDelete, mayFollowUp } from "./may.ts";

/** The other scopes reach only notes that everyone in scope may read. */
const inScope = "x.visibility = 'scope'";

export const notes = resource({
  type: "notes",
  description: "A note about a person, a household or a cell, which can ask for a follow-up.",
  table: "notes",
  ...noteFields,
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
    ...timeSorts,
    "follow-up-on": { column: "follow_up_on", nullable: true },
  },
  defaultSort: "-created-at",
  operations: {
    list: can("notes:read"),
    read: can("notes:read"),
    create: {
      allow: writesAbout("notes:write"),
      actsOn: { about: { "add-note": {} } },
      run: createNote,
    },
    update: {
      allow: can("notes:write", "notes:read"),
      description:
        "Only the author changes a note. The assignee, and callers with `notes:write` for the subject, change `follow-up-status`, and `assignee` while it is open. Only the author assigns a confidential note.",
      allowedIf: mayFollowUp,
      changesIf: changes,
      run: updateNote,
    },
    delete: {
      allow: can("notes:write", "notes:delete"),
      allowedIf: mayDelete,
      run: deleteNote,
    },
  },
  actions: {
    finish: {
      sets: { "follow-up-status": "done" },
      allowedIf: mayFollowUp,
      refusedIf: { "invalid-attribute": onRow`notes.follow_up_on is null` },
    },
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
      breaks: notAllowedHere("Must be set if `follow-up-on` is, and null otherwise."),
    },
  },
});
