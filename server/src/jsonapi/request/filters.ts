import { now } from "../../base/clock.ts";
import { problem, type Problem } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { type Home, isTypedPhone, searchedDigits } from "../../base/phone-numbers.ts";
import type { Broken } from "../../base/rules.ts";
import { isDate, isTimestamp } from "../../base/timestamps.ts";
import type { Filter, SearchText } from "../definition/filters.ts";
import { anyOf, type Binding } from "./binding.ts";

/** A filter that has been checked. It writes its SQL with the values bound to a statement. */
export type Condition = (statement: Binding) => string;

/** These filters take one value, which may contain commas. */
const whole = new Set<Filter["match"]>(["contains", "search", "equals-text", "digits", "near"]);

/** A pattern for a part of a folded text. The value is folded before escaping, because folding can produce `%`. */
export const foldedPattern = (statement: Binding, value: string): string =>
  `('%' || regexp_replace(fold(${statement.bind(value)}), '([\\\\%_])', '\\\\\\1', 'g') || '%')`;

/** Escapes `%`, `_` and `\`, which are ordinary characters in a search. */
export const likePattern = (value: string): string => `%${value.replaceAll(/[\\%_]/g, "\\$&")}%`;

/** The ids of a filter as an SQL array, for callers who may filter by some ids only. */
export type IdList = (statement: Binding, ids: readonly string[]) => string;

const anyIds: IdList = (statement, ids) => `${statement.bind(ids)}::uuid[]`;

export interface FilterContext {
  table: string;
  /** The country of telephone numbers without a country code. */
  country?: Home["country"];
  idList?: IdList | undefined;
  /** The value of another filter of the request. */
  givenFor?: (name: string) => string | undefined;
}

/** Returns the condition, or the rule that an invalid value breaks. */
function parse(
  filter: Filter,
  raw: string,
  { country, idList = anyIds, table, givenFor }: FilterContext,
): Condition | Broken {
  // An unescaped plus sign of an offset arrives as a space.
  const value = raw.trim();
  switch (filter.match) {
    case "contains":
      return (statement) => {
        const pattern = foldedPattern(statement, value);
        const found =
          filter.covered && hasTrigram(value)
            ? ` and ${inText(statement, filter.covered, table, (text) => `${text} like ${pattern}`)}`
            : "";
        return `${table}.${filter.column} like ${pattern}${found}`;
      };
    case "search":
      if (value.split(/\s+/).length > limits.searchWordsMax)
        return { rule: "max-items", limit: limits.searchWordsMax, hint: "An entry is a word." };
      return (statement) => {
        const found = inText(statement, filter.text, table, (text) =>
          searchCondition(statement, text, value, country),
        );
        // Without an index, PostgreSQL would look up the text of one row after another in the order of the page. `is true`
        // makes it read all texts once.
        return hasTrigram(value) ? found : `(${found}) is true`;
      };
    case "equals-text":
      return (statement) =>
        `${filter.by}(${columnIn(table, filter)}) = ${filter.by}(${statement.bind(value)})`;
    case "digits": {
      const digits = searchedDigits(value, country);
      if (digits.length < 3) return { rule: "min-length", limit: 3, hint: "Only digits count." };
      return (statement) => {
        const pattern = statement.bind(likePattern(digits));
        const found = inText(statement, filter.covered, table, (text) => `${text} like ${pattern}`);
        return `${found} and ${filter.column} like ${pattern}`;
      };
    }
    case "one-of": {
      const values = filter.single ? [value] : value.split(",");
      const unknown = values.find((one) => !filter.values.includes(one));
      if (unknown !== undefined)
        return {
          rule: "one-of",
          allowed: filter.values,
          given: unknown,
          hint: filter.single && "The filter takes a single value.",
        };
      if (filter.inArray)
        return (statement) => `${columnIn(table, filter)} && ${statement.bind(values)}::text[]`;
      const narrowings = new Set(values.map((one) => filter.also?.(one)));
      const also = narrowings.has(undefined) ? "" : ` and (${[...narrowings].join(" or ")})`;
      return (statement) => `${columnIn(table, filter)} ${anyOf(statement, values, "text")}${also}`;
    }
    case "id": {
      const ids = value.split(",").filter(isId);
      const among = (statement: Binding) =>
        filter.among === undefined
          ? anyOf(statement, ids, "uuid")
          : `= any(${idList(statement, ids)})`;
      const column = `${table}.${filter.column}`;
      const orNone =
        filter.orNone && value.split(",").includes("none") ? ` or ${column} is null` : "";
      return (statement) => `${column} ${among(statement)}${orNone}`;
    }
    case "boolean":
    case "exists": {
      const values = value.split(",");
      if (!values.every((one) => truths.includes(one))) return { rule: "one-of", allowed: truths };
      const [yes, either] = [values.includes("true"), new Set(values).size === 2];
      if (filter.match === "boolean")
        return () => `${columnIn(table, filter)} ${either ? "is not null" : `= ${yes}`}`;
      if (either) return () => "true";
      const some = yes !== (filter.negated === true);
      const where = filter.where ? ` and ${filter.where}` : "";
      return (statement) =>
        `${some ? "" : "not "}exists (select 1 from ${filter.table} x where x.account_id = ${statement.account}` +
        ` and x.${filter.from} = ${table}.id${where})`;
    }
    case "number":
    case "at-least":
    case "at-most": {
      const numbers = filter.match === "number" ? value.split(",") : [value];
      for (const one of numbers) {
        if (!/^-?\d{1,9}$/.test(one)) return { rule: "type", type: "integer" };
        if (Number(one) < filter.minimum) return { rule: "min", limit: filter.minimum };
        if (Number(one) > filter.maximum) return { rule: "max", limit: filter.maximum };
      }
      const column = columnIn(table, filter);
      if (filter.match === "number")
        return (statement) => `${column} = any(${statement.bind(numbers.map(Number))}::int[])`;
      const operator = filter.match === "at-least" ? ">=" : "<=";
      return (statement) => `${column} ${operator} ${statement.bind(Number(value))}::int`;
    }
    case "since":
    case "until": {
      const instant = value.replace(" ", "+");
      if (!isTimestamp(instant))
        return { rule: "format", format: "timestamp", hint: "A date is accepted too." };
      const operator = filter.match === "since" ? ">=" : "<=";
      return (statement) =>
        `${table}.${filter.column} ${operator} ${statement.bind(instant)}::timestamptz`;
    }
    case "from":
    case "to": {
      if (!isDate(value)) return { rule: "format", format: "date" };
      const operator = filter.match === "from" ? ">=" : "<=";
      return (statement) => `${table}.${filter.column} ${operator} ${statement.bind(value)}::date`;
    }
    case "day-from":
    case "day-to": {
      if (!isDayOfYear(value)) return { rule: "format", format: "day-of-year" };
      const column = columnIn(table, filter);
      const other = givenFor?.(filter.other)?.trim() ?? "";
      const [first, last] = filter.match === "day-from" ? [value, other] : [other, value];
      const spansNewYear = isDayOfYear(other) && first > last;
      // The other end says it all.
      if (spansNewYear && filter.match === "day-to") return () => `${column} is not null`;
      return (statement) => {
        const since = () => `${column} >= ${statement.bind(first)}`;
        const until = () => `${column} <= ${statement.bind(celebratedUntil(last))}`;
        if (spansNewYear) return `${since()} or ${until()}`;
        return filter.match === "day-from" ? since() : until();
      };
    }
    case "near": {
      const numbers = value.split(",").map((one) => (one.trim() === "" ? Number.NaN : Number(one)));
      const [latitude = Number.NaN, longitude = Number.NaN, kilometers = Number.NaN] = numbers;
      const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
      if (
        numbers.length !== 3 ||
        !isPlace ||
        !(kilometers > 0 && kilometers <= filter.kilometersMax)
      )
        return {
          rule: "format",
          format: "place",
          hint: `The distance is at most ${filter.kilometersMax} km.`,
        };
      return (statement) => isWithin(statement, filter, { latitude, longitude, kilometers });
    }
    case "related": {
      const ids = value.split(",").filter(isId);
      const where = filter.where ? ` and ${filter.where}` : "";
      return (statement) =>
        `${table}.id in (select x.${filter.from} from ${filter.table} x where x.account_id = ${statement.account}` +
        ` and x.${filter.to} = any(${idList(statement, ids)})${where})`;
    }
    case "within": {
      const ids = value.split(",").filter(isId);
      return (statement) =>
        filter.sql
          .replaceAll("$account", statement.account)
          .replaceAll("$ids", idList(statement, ids));
    }
  }
}

const isDayOfYear = (value: string): boolean =>
  /^\d\d-\d\d$/.test(value) && isDate(`2000-${value}`);

/** In a year without a 29 February, its birthdays are celebrated on the 28th. The days are those of the next twelve months. */
function celebratedUntil(last: string): string {
  if (last !== "02-28") return last;
  const today = new Date(now()).toISOString();
  const year = Number(today.slice(0, 4)) + (today.slice(5, 10) > last ? 1 : 0);
  return isDate(`${year}-02-29`) ? last : "02-29";
}

const truths: readonly string[] = ["true", "false"];

/** Some filters compare an expression, which names its table itself. */
const columnIn = (table: string, { column }: { column: string }): string =>
  column.includes("(") ? column : `${table}.${column}`;

/** A row without a place is never near. */
function isWithin(
  statement: Binding,
  columns: { latitude: string; longitude: string },
  resource: { latitude: number; longitude: number; kilometers: number },
): string {
  const place = `${statement.bind(resource.latitude)}::float8, ${statement.bind(resource.longitude)}::float8`;
  return (
    `kilometers_between(${columns.latitude}, ${columns.longitude}, ${place})` +
    ` <= ${statement.bind(resource.kilometers)}::float8`
  );
}

/** The condition for reduced rows that a search finds, if it searches more than the reduced view shows. */
export function inShownText(
  filter: Filter | undefined,
  value: string,
  { country }: Pick<FilterContext, "country">,
): Condition | undefined {
  if (filter?.match !== "search" || filter.text.shown === undefined) return undefined;
  const { shown } = filter.text;
  return (statement) => searchCondition(statement, shown, value.trim(), country);
}

const inText = (
  { account }: Binding,
  { column, from, table }: SearchText,
  of: string,
  condition: (text: string) => string,
): string =>
  `${of}.id in (select x.${from} from ${table} x where x.account_id = ${account} and ${condition(`x.${column}`)})`;

function searchCondition(
  statement: Binding,
  column: string,
  value: string,
  country: FilterContext["country"],
): string {
  const digits = isTypedPhone(value) ? searchedDigits(value, country) : "";
  if (digits.length >= 3) return `${column} like ${statement.bind(likePattern(digits))}`;
  const words = value.split(/\s+/).filter(Boolean);
  if (words.length === 0) return "true";
  return words.map((word) => wordCondition(statement, column, word)).join(" and ");
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
const hasTrigram = (value: string): boolean => /[\p{L}\p{N}]{3}/u.test(value);

export function parseFilter(
  filter: Filter,
  value: string,
  context: FilterContext,
  parameter: string,
  problems: Problem[],
): Condition | undefined {
  const report = (broken: Broken) =>
    void problems.push(problem("invalid-parameter", broken, { parameter }));
  if (value.includes("\0") || !value.isWellFormed())
    return (report({ rule: "format", format: "text" }), undefined);
  if (!whole.has(filter.match) && value.split(",").length > limits.filterValuesMax)
    return (report({ rule: "max-items", limit: limits.filterValuesMax }), undefined);
  const parsed = parse(filter, value, context);
  return typeof parsed === "function" ? parsed : (report(parsed), undefined);
}
