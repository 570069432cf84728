import type { Tx } from "../../store/db.ts";

/** Choices of the caller. Each feature that offers one adds it with `declare module`. */
export interface MergeOptions {}

/** People who are merged into one. The rows of the removed people pass to the kept person. */
export interface Merging extends MergeOptions {
  readonly db: Tx;
  readonly accountId: string;
  /** The person who merges. */
  readonly actorId: string;
  readonly keptId: string;
  readonly removedIds: readonly string[];
}

/** A value or a resource that a merge dropped in favor of another one. */
export interface MergeConflict {
  "resource-type": string;
  /** Null when a whole resource was dropped. */
  "field": string | null;
  /** The rule that decided. docs/interface.md lists the rules. */
  "rule": string;
  /** Values of a field, or ids of resources. */
  "kept": unknown;
  "dropped": unknown;
}

/** The effect of a merge on the rows of one column. */
export interface Passed {
  /** By type, the number of resources that now belong to the kept person. */
  moved?: Readonly<Record<string, number>>;
  conflicts?: readonly MergeConflict[];
}

/** A column that names a person. */
export interface PersonColumn {
  readonly table: string;
  readonly column: string;
}

/** Moves the rows of the removed people to the kept person. */
export type MoveRows = (merging: Merging, place: PersonColumn) => Promise<Passed>;

/** The effect of a merge on a column that names a person. `deleted` rows disappear with the removed person. */
export type PersonColumnRule = "deleted" | MoveRows;

/** The rules of a feature by `table.column`. */
export type PersonColumns = Readonly<Record<string, PersonColumnRule>>;

/** A task that a merge passes to the kept person, who gets the rights that follow from it. */
export interface Appointment {
  /** The removed person who has the task. */
  personId: string;
  /** Whether the caller may give it. */
  mayGive: boolean;
}

/** The people of a merge. */
export interface MergedPeople {
  keptId: string;
  removedIds: readonly string[];
}
