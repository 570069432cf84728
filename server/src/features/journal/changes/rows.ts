import type { ReadContext } from "../../../jsonapi/definition/resource.ts";

export type ChangeContext = Pick<ReadContext, "actor" | "catalogue" | "db">;

export const changeActions = [
  "created",
  "updated",
  "deleted",
  "merged",
  "entered",
  "left",
] as const;

/** A row of the feed. */
export interface Change {
  position: string;
  action: string;
  type: string;
  id: string;
  mergedInto: string | null;
  occurredAt: string;
  /** The integration through which the person worked. */
  client: string | null;
  requestId: string | null;
  /** The members that changed. */
  members: readonly string[];
}

/** A row of the journal. */
export interface JournalRow extends Change {
  subjectId: string | null;
  /** The ids that lead to scopes, now and before, and for an update those that it no longer names, such as an assignee. */
  places: readonly string[];
}
