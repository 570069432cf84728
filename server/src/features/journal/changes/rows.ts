import type { ReadContext } from "../../../jsonapi/definition/resource.ts";

export type ChangeContext = Pick<ReadContext, "actor" | "catalogue" | "db">;

/** A row of the feed. */
export interface Change {
  position: string;
  action: string;
  type: string;
  id: string;
  mergedInto: string | null;
  occurredAt: string;
}

/** A row of the journal. */
export interface JournalRow extends Change {
  subjectId: string | null;
  places: readonly string[];
  /** The members that changed. */
  members: readonly string[];
}
