import { lockPeople } from "../../access/locks.ts";
import { can, holds } from "../../access/policy.ts";
import { fail, forbidden, notAllowedHere } from "../../base/errors.ts";
import type { NoteFields } from "./fields.ts";
import { placeOf } from "./place.ts";
import type { CreateInput, UpdateInput } from "../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../jsonapi/definition/resource.ts";
import { mayReach } from "../../jsonapi/sql/reach.ts";
import { assertReadable } from "../../jsonapi/sql/read.ts";
import {
  assertMayChange,
  AUTHOR,
  deleteRow,
  insertRow,
  updateRow,
} from "../../jsonapi/sql/write.ts";

type NoteAttributes = Required<UpdateInput<NoteFields>["attributes"]>;
type FollowUpStatus = NoteAttributes["follow-up-status"];

/** The members of a note on which the rules of its assignee depend. */
interface Assigned {
  aboutId: string | null;
  assigneeId: string | null;
  visibility: NoteAttributes["visibility"];
}

/** POST /v1/notes */
export async function createNote(
  context: WriteContext<NoteFields>,
  input: CreateInput<NoteFields>,
): Promise<Written> {
  const { about: aboutId } = input.toOne;
  assertNotSubject(withChanges({ aboutId, assigneeId: null, visibility: "scope" }, input));
  const written = await insertRow(context, context.resource, withFollowUp(input), {
    author_id: AUTHOR,
  });
  const { actor, db } = context;
  const placeId = await placeOf(context, {
    type: input.targets?.["about"] ?? "people",
    id: aboutId,
  });
  if (placeId !== null)
    await db`
      update notes set place_id = ${placeId} where account_id = ${actor.accountId} and id = ${written.id}`;
  return written;
}

/**
 * PATCH /v1/notes/:id. Callers in scope read a note, but only its author changes it. The assignee, and callers with `notes:write`
 * for the subject, finish the follow-up. They pass it on unless the note is confidential.
 */
export async function updateNote(
  context: WriteContext<NoteFields>,
  id: string,
  input: UpdateInput<NoteFields>,
): Promise<Written> {
  await assertMayChange(context, context.resource, id);
  const { assignee } = input.toOne;
  await lockPeople(context.db, context.actor.accountId, assignee ? [assignee] : [], "key share");
  const note = await lockNote(context, id);
  const { actor } = context;
  if (note?.authorId !== actor.personId) {
    if (note?.assigneeId !== actor.personId && !(await mayWriteAbout(context, id)))
      throw forbidden("Only the author may change a note.");
    assertFollowsUp(input, note);
  }
  // A merge can make the assignee the subject. The author still changes the rest of that note.
  if (note && !isForSubject(note)) assertNotSubject(withChanges(note, input));
  return updateRow(context, context.resource, id, withFollowUp(input, note?.followUpStatus));
}

/**
 * Whether the caller holds `notes:write` for the subject of a note that they can read. The reach of the account leaves out
 * confidential notes, which some of its holders read with `note-confidential:read`.
 */
const mayWriteAbout = async (context: WriteContext, id: string): Promise<boolean> =>
  holds(context.actor, "notes:write") ||
  (await mayReach(context, can("notes:write"), context.resource, id));

/** Rejects changes of anything but the follow-up. An assignee reads the note, so the author chooses that of a confidential one. */
function assertFollowsUp(
  { attributes, toMany, toOne }: UpdateInput<NoteFields>,
  note: Awaited<ReturnType<typeof lockNote>>,
): void {
  const names = [...Object.keys(attributes), ...Object.keys(toOne), ...Object.keys(toMany)];
  if (names.some((name) => name !== "follow-up-status" && name !== "assignee"))
    throw forbidden("Only the author may change more of a note than its follow-up.");
  if (!names.includes("assignee")) return;
  if (note?.visibility === "confidential")
    throw fail("forbidden", "Only the author may assign a confidential note.", assigneeSource);
  if (note?.followUpStatus !== "open")
    throw fail("forbidden", "Only an open follow-up can be passed on.", assigneeSource);
}

const assigneeSource = { pointer: "/data/relationships/assignee" };

const withChanges = (
  note: Assigned,
  { attributes, toOne }: Pick<UpdateInput<NoteFields>, "attributes" | "toOne">,
): Assigned => ({
  aboutId: note.aboutId,
  assigneeId: toOne.assignee === undefined ? note.assigneeId : toOne.assignee,
  visibility: attributes.visibility ?? note.visibility,
});

/** Whether a confidential note is assigned to the person it is about. */
const isForSubject = ({ aboutId, assigneeId, visibility }: Assigned): boolean =>
  visibility === "confidential" && assigneeId !== null && assigneeId === aboutId;

function assertNotSubject(note: Assigned): void {
  if (isForSubject(note))
    throw fail(
      "invalid-relationship",
      notAllowedHere("A confidential note cannot be assigned to the person it is about."),
      { pointer: "/data/relationships/assignee/data" },
    );
}

/**
 * DELETE /v1/notes/:id. The author deletes a note, and so does a caller with `notes:delete`. With this permission for the
 * account, they delete each note that they can read. The reach of the account leaves out confidential notes.
 */
export async function deleteNote(context: WriteContext, id: string): Promise<void> {
  const { actor, resource } = context;
  const note = await lockNote(context, id);
  await assertReadable(context, resource, id);
  if (holds(actor, "notes:delete")) return deleteRow(context, resource, id, "everything");
  if (
    note?.authorId !== actor.personId &&
    !(await mayReach(context, can("notes:delete"), resource, id))
  )
    throw forbidden("Only the author may delete this note.");
  return deleteRow(context, resource, id);
}

async function lockNote({ actor, db }: WriteContext, id: string) {
  const [note] = await db<
    (Assigned & { authorId: string | null; followUpStatus: FollowUpStatus })[]
  >`
    select author_id as "authorId", assignee_id as "assigneeId", about_person_id as "aboutId", visibility,
      follow_up_status as "followUpStatus"
    from notes where account_id = ${actor.accountId} and id = ${id} for no key update`;
  return note;
}

/** A follow-up that gets a day is open, and one that loses its day has no status. */
function withFollowUp(
  input: UpdateInput<NoteFields>,
  present: FollowUpStatus = null,
): UpdateInput<NoteFields> {
  const { attributes } = input;
  if (attributes["follow-up-on"] === undefined || attributes["follow-up-status"] !== undefined)
    return input;
  const status = attributes["follow-up-on"] === null ? null : (present ?? "open");
  return { ...input, attributes: { ...attributes, "follow-up-status": status } };
}
