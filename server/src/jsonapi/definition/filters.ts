import type { Permission } from "../../access/permissions.ts";

/** Callers need the permission `needs` to filter by it, so that filtering reveals nothing they may not read. */
export type Filter = Comparison & { needs?: Permission };

/** What `filter[name]` compares with what. Several values, separated by commas, mean any of them. */
type Comparison =
  /** Part of the value; case and accents are ignored. `covered` names an indexed text that contains the value. */
  | { match: "contains"; column: string; covered?: SearchText }
  /** Every word must be found; digits also match a telephone number. */
  | { match: "search"; text: SearchText }
  /** The whole value, but case does not count; nor do accents, where it is folded. */
  | { match: "equals-text"; column: string; by: "lower" | "fold" }
  /** Digits in the order given. `covered` as above. */
  | { match: "digits"; column: string; covered: SearchText }
  /** `single`: one value and no more. `also`: what its rows meet besides, in words that an index knows. */
  | { match: "one-of"; column: string; values: readonly string[]; single?: true; also?: Narrowing }
  | { match: "id"; column: string }
  | { match: "boolean"; column: string }
  | { match: "number"; column: string; minimum: number; maximum: number }
  | { match: "at-least" | "at-most"; column: string; minimum: number; maximum: number }
  | { match: "since" | "until"; column: string }
  /** Rows for which a row of `table` leads from the own id (`from`) to one of the ids given (`to`). */
  | { match: "related"; table: string; from: string; to: string; where?: string }
  /** A condition of its own, with `$account` and `$ids` in it: for what is reached over several steps. */
  | { match: "within"; sql: string }
  /** true: a row of `table` leads from the own id; false: none does. `negated` turns the two round. */
  | { match: "exists"; table: string; from: string; where?: string; negated?: true };

/** A text with a trigram index, in the row of `table` whose `from` is the own id. */
export interface SearchText {
  table: string;
  from: string;
  column: string;
}

type Narrowing = (value: string) => string;
