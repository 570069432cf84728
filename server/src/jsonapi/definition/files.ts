import { type Attribute, optional, readOnly } from "./attributes.ts";
import { webAddress } from "./contact.ts";

/**
 * An expression for links of storage `link`: the text that `FileLinks` signs. `seconds` is SQL. The link stays the same for that
 * long, counted from midnight, so that browsers can keep the file. It works for once to twice as long.
 */
export const steadyLink = (fileId: string, seconds: string): string =>
  reference(fileId, `(floor(extract(epoch from now()) / (${seconds})) + 2) * (${seconds})`);

const reference = (fileId: string, expires: string): string =>
  `${fileId}::text || '?expires=' || (${expires})::bigint::text`;

/** A read-only attribute with a signed link to the file that a column names. */
export const fileLink = (
  table: string,
  column: string,
  seconds: string,
): Attribute<string | null, "read-only"> => ({
  ...readOnly(optional(webAddress())),
  storage: "link",
  column,
  expression: steadyLink(`${table}.${column}`, seconds),
});
