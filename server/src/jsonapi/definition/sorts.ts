export interface Sort {
  /** A column, or an SQL expression that qualifies columns with the table. An expression is `nullable`. */
  column: string;
  /** Columns that are never null can carry a cursor (`page[after]`). */
  nullable?: true;
  descending?: true;
  /** Only with a place to measure from (`nearby`). */
  needsPlace?: true;
  /** The attribute that shows the value, if its name differs. Where the reduced view hides it, the sort has no value. */
  member?: string;
}

/** The sorts by the times of a resource. */
export const timeSorts = {
  "created-at": { column: "created_at" },
  "modified-at": { column: "modified_at" },
} as const satisfies Record<string, Sort>;

export interface Nearby {
  /** The distance in kilometers between a row and `place`, as an SQL expression. */
  distance: string;
  kilometersMax: number;
}
