import { notAllowedHere } from "../../base/errors.ts";
import { can, writesAbout } from "../../access/policy.ts";
import { column, type Former, readOnly as readable, via } from "../../access/reach.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../jsonapi/definition/sorts.ts";
import { createNote, deleteNote, updateNote } from "./write-note.ts";
import { followUpStatuses, noteFields } from "./fields.ts";
import { onRow } from "../../jsonapi/definition/row-conditions.ts";
import { changes, mayDelete, mayFollowUp } from "./may.ts";

/** The other scopes reach only notes that everyone in scope may read. */
const inScope = "x.visibility = 'scope'";

const wasInScope = "gone.visibility = 'scope'";

const formerCells = `case when gone.place_id is not null then array[gone.place_id]
  else array[gone.about_cell_id] || array(select member.cell_id from active_cell_memberships member
    where member.account_id = gone.account_id and member.person_id = gone.about_person_id) end`;

const formerCourses = `array(select class.course_id from courses_of_classes class
  where class.account_id = gone.account_id and class.class_id = gone.place_id)`;

/** The readers of a confidential note also have a role for it. */
const formerReaders: readonly Former[] = [
  { ids: "array[gone.author_id, gone.assignee_id]" },
  {
    ids: `array(select given.person_id from valid_role_assignments given
      where given.account_id = gone.account_id and given.permissions ? 'note-confidential:read')`,
    where: "gone.visibility = 'confidential'",
  },
];

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
    "cell": via("note_cells", {
      from: "note_id",
      to: "cell_id",
      where: inScope,
      former: { ids: formerCells, where: wasInScope },
    }),
    "course": via("note_courses", {
      from: "note_id",
      to: "course_id",
      where: inScope,
      former: { ids: formerCourses, where: wasInScope },
    }),
    "course-class": via("note_courses", {
      from: "note_id",
      to: "class_id",
      where: inScope,
      former: { ids: "array[gone.place_id]", where: wasInScope },
    }),
    "self": readable(
      via("note_readers", { from: "note_id", to: "person_id", former: formerReaders }),
    ),
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
