import type { Attribute } from "./attributes.ts";

/** A row by position. `layout.ts` says which column stands where. */
export type Row = readonly unknown[];

/** The ids a relationship links to, or only their number when there are too many to show. */
export type Linkage = readonly string[] | { total: number };

/** An attribute that only some answers show, and its place in the row. */
export interface Extra {
  name: string;
  attribute: Attribute;
  index: number;
}

/** A resource as it was read. */
export interface Found {
  row: Row;
  /** The linkage of to-many relationships, by name. */
  linkage: ReadonlyMap<string, Linkage>;
  extras: readonly Extra[];
}
