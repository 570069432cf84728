import type { Permission } from "../../access/permissions.ts";

/**
 * Callers need the permission `needs` to filter by it, so that filtering reveals nothing they may not read. With `among`,
 * the permission counts in any scope, and the filter matches only ids of that type that the caller can read. Among people,
 * it always matches the caller's own id.
 */
export type Filter = Comparison & { needs?: Permission; among?: string };

/** The comparison of `filter[name]`. Several values, separated by commas, mean any of them. */
type Comparison =
  /** A part of the value, ignoring case and accents. `covered` names an indexed text that contains the value. */
  | { match: "contains"; column: string; covered?: SearchText }
  /**
   * Every word must match. Digits also match a telephone number. Single letters would match nearly every row of a large type. With
   * `initials`, the first one must begin that column, and each other one a further word of it.
   */
  | { match: "search"; text: SearchText; initials?: string }
  /** The whole value, ignoring case, and with `fold` also accents. */
  | { match: "equals-text"; column: string; by: "lower" | "fold" }
  /** Digits in the order given. `covered` as above. */
  | { match: "digits"; column: string; covered: SearchText }
  /**
   * `single` allows only one value. `also` adds a condition that all matching rows meet and that an index contains. With
   * `inArray` the column is an array that contains one of the values.
   */
  | {
      match: "one-of";
      column: string;
      values: readonly string[];
      single?: true;
      also?: Narrowing;
      inArray?: true;
    }
  /** With `orNone`, the value `none` matches rows without one. */
  | { match: "id"; column: string; orNone?: true }
  /** `otherwise` is the value that lists compare with if the query does not name the filter. */
  | { match: "boolean"; column: string; otherwise?: boolean }
  | { match: "number"; column: string; minimum: number; maximum: number }
  | { match: "at-least" | "at-most"; column: string; minimum: number; maximum: number }
  | { match: "since" | "until"; column: string }
  /** Calendar dates, both ends included. */
  | { match: "from" | "to"; column: string }
  /** Days of the year as `MM-DD`, both ends included. `other` is the filter of the other end, which may be earlier in the year. */
  | { match: "day-from" | "day-to"; column: string; other: string }
  /** Latitude, longitude and a distance in kilometers, separated by commas. */
  | { match: "near"; latitude: string; longitude: string; kilometersMax: number }
  /** Rows for which a row of `table` leads from their id (`from`) to one of the given ids (`to`). */
  | { match: "related"; table: string; from: string; to: string; where?: string }
  /** An SQL condition with `$account` and `$ids`, for relations over several tables. */
  | { match: "within"; sql: string }
  /** Whether a row of `table` leads from the row's id. `negated` inverts the result. */
  | { match: "exists"; table: string; from: string; where?: string; negated?: true }
  /**
   * `true` adds the rows of a view that the filter `within` finds. The view has the columns of the table, and `added_id`, which is
   * the id that the list shows.
   */
  | { match: "adds"; view: string; within: string };

/** A text with a trigram index, in the row of `table` whose `from` is the row's id. */
export interface SearchText {
  table: string;
  from: string;
  column: string;
  /** The part of the text that the reduced view shows, as an SQL expression. A search must find reduced rows in it. */
  shown?: string;
}

/** The condition that all rows with this value meet, if there is one. */
type Narrowing = (value: string) => string | undefined;

/** Whether the values are ids, among which `me` means the caller's person. */
export const takesIds = ({ match }: Filter): boolean =>
  match === "id" || match === "related" || match === "within";
