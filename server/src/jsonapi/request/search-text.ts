import { type Home, isTypedPhone, searchedDigits } from "../../base/phone-numbers.ts";
import type { Filter, SearchText } from "../definition/filters.ts";
import type { Binding, Condition } from "./binding.ts";

/** A pattern for a part of a folded text. The value is folded before escaping, because folding can produce `%`. */
export const foldedPattern = (statement: Binding, value: string): string =>
  `('%' || regexp_replace(fold(${statement.bind(value)}), '([\\\\%_])', '\\\\\\1', 'g') || '%')`;

/** Escapes `%`, `_` and `\`, which are ordinary characters in a search. */
export const likePattern = (value: string): string => `%${value.replaceAll(/[\\%_]/g, "\\$&")}%`;

/** The condition for reduced rows that a search finds, if it searches more than the reduced view shows. */
export function inShownText(
  filter: Filter | undefined,
  value: string,
  { country }: { country?: Home["country"] },
): Condition | undefined {
  if (filter?.match !== "search" || filter.text.shown === undefined) return undefined;
  // Every view shows the names.
  if (filter.initials !== undefined && isInitials(value)) return () => "true";
  const { shown } = filter.text;
  return (statement) => searchCondition(statement, shown, value.trim(), country);
}

export const inText = (
  { account }: Binding,
  { column, from, table }: SearchText,
  of: string,
  condition: (text: string) => string,
): string =>
  `${of}.id in (select x.${from} from ${table} x where x.account_id = ${account} and ${condition(`x.${column}`)})`;

export function searchCondition(
  statement: Binding,
  column: string,
  value: string,
  country: Home["country"],
): string {
  const digits = isTypedPhone(value) ? searchedDigits(value, country) : "";
  if (digits.length >= 3) return `${column} like ${statement.bind(likePattern(digits))}`;
  const words = value.split(/\s+/).filter(Boolean);
  if (words.length === 0) return "true";
  return words.map((word) => wordCondition(statement, column, word)).join(" and ");
}

/** Whether a search has only single letters and digits. */
export const isInitials = (value: string): boolean =>
  /^[\p{L}\p{N}](\s+[\p{L}\p{N}])*$/u.test(value.trim().normalize("NFC"));

/** Names that begin with a letter are few, and an index of names finds them where the collation of the database allows it. */
export function initialsCondition(statement: Binding, column: string, value: string): string {
  const [first = "", ...others] = value.trim().split(/\s+/);
  const like = (before: string, letter: string) =>
    `${column} like '${before}' || regexp_replace(fold(${statement.bind(letter)}), '([\\\\%_])', '\\\\\\1', 'g') || '%'`;
  return [like("", first), ...others.map((letter) => like("% ", letter))].join(" and ");
}

/** An e-mail address is searched by the part before the @, because half of an account may share the domain. */
function wordCondition(statement: Binding, column: string, word: string): string {
  const like = (searched: string, text: string) =>
    `${searched} like ${foldedPattern(statement, text)}`;
  const [name = ""] = word.split("@");
  const rare = hasTrigram(name) ? name : word;
  const found = hasTrigram(rare) ? [like(column, rare)] : [];
  if (found.length === 0 || rare !== word) found.push(like(`(${column} || '')`, word));
  return found.join(" and ");
}

/**
 * A trigram index finds three letters in a row. For less, PostgreSQL would scan the whole index, with the entries of all
 * accounts. `|| ''` keeps it from using the index.
 */
export const hasTrigram = (value: string): boolean => /[\p{L}\p{N}]{3}/u.test(value);
