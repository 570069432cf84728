import { choicesFor } from "../../base/choices.ts";
import { problem, type Problem } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
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

/** Returns the condition, or the error text for an invalid value. */
function parse(filter: Filter, raw: string, table: string, idList: IdList): Condition | string {
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
        return `takes at most ${limits.searchWordsMax} words`;
      return (statement) => {
        const found = inText(statement, filter.text, table, (text) =>
          searchCondition(statement, text, value),
        );
        // Without an index, PostgreSQL would look up the text of one row after another in the order of the page. `is true`
        // makes it read all texts once.
        return hasTrigram(value) ? found : `(${found}) is true`;
      };
    case "equals-text":
      return (statement) =>
        `${filter.by}(${columnIn(table, filter)}) = ${filter.by}(${statement.bind(value)})`;
    case "digits": {
      const digits = value.replaceAll(/\D/g, "");
      if (digits.length < 3) return "must contain at least three digits";
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
        return `must be ${filter.single ? "a single one" : "one"} of ${choicesFor(filter.values, unknown)}`;
      if (filter.inArray)
        return (statement) => `${table}.${filter.column} && ${statement.bind(values)}::text[]`;
      const also = filter.also?.(value) ?? "";
      return (statement) => `${columnIn(table, filter)} ${anyOf(statement, values, "text")}${also}`;
    }
    case "id": {
      const ids = value.split(",").filter(isId);
      const among = (statement: Binding) =>
        filter.among === undefined
          ? anyOf(statement, ids, "uuid")
          : `= any(${idList(statement, ids)})`;
      return (statement) => `${table}.${filter.column} ${among(statement)}`;
    }
    case "boolean":
    case "exists": {
      const values = value.split(",");
      if (!values.every((one) => one === "true" || one === "false")) return "must be true or false";
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
      const inRange = (one: string) =>
        /^-?\d{1,9}$/.test(one) && Number(one) >= filter.minimum && Number(one) <= filter.maximum;
      if (!numbers.every(inRange))
        return `must be a whole number from ${filter.minimum} to ${filter.maximum}`;
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
        return "must be an ISO 8601 timestamp with a zone, or a date, in the years 1000 to 2999";
      const operator = filter.match === "since" ? ">=" : "<=";
      return (statement) =>
        `${table}.${filter.column} ${operator} ${statement.bind(instant)}::timestamptz`;
    }
    case "from":
    case "to": {
      if (!isDate(value)) return "must be a date as YYYY-MM-DD, in the years 1000 to 2999";
      const operator = filter.match === "from" ? ">=" : "<=";
      return (statement) => `${table}.${filter.column} ${operator} ${statement.bind(value)}::date`;
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
        return `must be a latitude, a longitude and a distance of up to ${filter.kilometersMax} km, for example -22.9,-47.06,5`;
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
export function inShownText(filter: Filter | undefined, value: string): Condition | undefined {
  if (filter?.match !== "search" || filter.text.shown === undefined) return undefined;
  const { shown } = filter.text;
  return (statement) => searchCondition(statement, shown, value.trim());
}

const inText = (
  { account }: Binding,
  { column, from, table }: SearchText,
  of: string,
  condition: (text: string) => string,
): string =>
  `${of}.id in (select x.${from} from ${table} x where x.account_id = ${account} and ${condition(`x.${column}`)})`;

function searchCondition(statement: Binding, column: string, value: string): string {
  const digits = value.replaceAll(/\D/g, "");
  if (digits.length >= 3 && /^[\d\s()+.-]+$/.test(value))
    return `${column} like ${statement.bind(likePattern(digits))}`;
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
  table: string,
  parameter: string,
  problems: Problem[],
  idList = anyIds,
): Condition | undefined {
  const report = (sentence: string) =>
    void problems.push(problem("invalid-parameter", `${parameter} ${sentence}.`, { parameter }));
  if (value.includes("\0") || !value.isWellFormed())
    return (report("contains characters that cannot be stored"), undefined);
  if (!whole.has(filter.match) && value.split(",").length > limits.filterValuesMax)
    return (report(`takes at most ${limits.filterValuesMax} values`), undefined);
  const parsed = parse(filter, value, table, idList);
  return typeof parsed === "string" ? (report(parsed), undefined) : parsed;
}
