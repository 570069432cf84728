import type { Attribute } from "./attributes.ts";

/** A row as an array. `layout.ts` defines the positions of the columns. */
export type Row = readonly unknown[];

/** The ids of a relationship, or only their number if there are too many to show. */
export type Linkage = readonly string[] | { total: number };

/** An attribute that only some answers show, and its place in the row. */
export interface Extra {
  name: string;
  attribute: Attribute;
  index: number;
}

/** A resource that was read. */
export interface Found {
  row: Row;
  /** The linkage of to-many relationships, by name. */
  linkage: ReadonlyMap<string, Linkage>;
  extras: readonly Extra[];
}
