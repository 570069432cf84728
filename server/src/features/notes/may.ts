import { at, caller, inAccount, onRow } from "../../jsonapi/definition/row-conditions.ts";

/** The rules of `write-note.ts`, as `meta.may` shows them. */

const isAuthor = onRow`notes.author_id = ${caller}`;

/** The assignee, and callers with `notes:write` for the subject, work on the follow-up. */
export const mayFollowUp = onRow`${isAuthor} or notes.assignee_id = ${caller} or ${inAccount("notes:write")} or ${at("notes:write")}`;

/** Only the author changes what the note says. An open follow-up can be passed on, unless the note is confidential. */
export const changes = {
  "text": isAuthor,
  "kind": isAuthor,
  "visibility": isAuthor,
  "follow-up-on": isAuthor,
  "assignee": onRow`${isAuthor} or notes.follow_up_status = 'open' and notes.visibility <> 'confidential'`,
};

export const mayDelete = onRow`${inAccount("notes:delete")} or ${at("notes:delete")} or ${isAuthor} and ${at("notes:write")}`;
