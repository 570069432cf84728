import { now } from "../../base/clock.ts";
import { problem, type Problem } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { type Home, searchedDigits } from "../../base/phone-numbers.ts";
import type { Broken } from "../../base/rules.ts";
import { isDate, isTimestamp } from "../../base/timestamps.ts";
import type { Filter } from "../definition/filters.ts";
import { anyOf, type Binding, type Condition } from "./binding.ts";
import {
  foldedPattern,
  hasTrigram,
  initialsCondition,
  inText,
  isInitials,
  likePattern,
  searchCondition,
} from "./search-text.ts";

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

type Match = Filter["match"];

type FilterOf<M extends Match, F = Filter> = F extends { match: infer Own }
  ? M extends Own
    ? F
    : never
  : never;

/** Returns the condition, or the rule that an invalid value breaks. */
type Parse<F> = (filter: F, value: string, context: FilterContext) => Condition | Broken;

const parsers: { readonly [M in Match]: Parse<FilterOf<M>> } = {
  "contains": contains,
  "search": search,
  "equals-text": equalsText,
  "digits": digits,
  "one-of": oneOf,
  "id": id,
  "boolean": boolean,
  "exists": exists,
  "number": number,
  "at-least": bound(">="),
  "at-most": bound("<="),
  "since": instant(">="),
  "until": instant("<="),
  "from": day(">="),
  "to": day("<="),
  "day-from": dayOfYear("from"),
  "day-to": dayOfYear("to"),
  "near": near,
  "related": related,
  "within": within,
  "adds": adds,
};

/** These filters take one value, which may contain commas. */
const whole = new Set<Filter["match"]>(["contains", "search", "equals-text", "digits", "near"]);

/** Returns the condition of a filter, or reports the rule that its value breaks. */
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
  const parse = parsers[filter.match] as Parse<Filter>;
  // An unescaped plus sign of an offset arrives as a space.
  const parsed = parse(filter, value.trim(), context);
  return typeof parsed === "function" ? parsed : (report(parsed), undefined);
}

function contains(
  { column, covered }: FilterOf<"contains">,
  value: string,
  { table }: FilterContext,
): Condition {
  return (statement) => {
    const pattern = foldedPattern(statement, value);
    const found =
      covered && hasTrigram(value)
        ? ` and ${inText(statement, covered, table, (text) => `${text} like ${pattern}`)}`
        : "";
    return `${table}.${column} like ${pattern}${found}`;
  };
}

function search(
  { initials, text: searched }: FilterOf<"search">,
  value: string,
  { country, table }: FilterContext,
): Condition | Broken {
  if (value.split(/\s+/).length > limits.searchWordsMax)
    return { rule: "max-items", limit: limits.searchWordsMax, hint: "An entry is a word." };
  if (initials !== undefined && isInitials(value))
    return (statement) => initialsCondition(statement, `${table}.${initials}`, value);
  return (statement) => {
    const found = inText(statement, searched, table, (text) =>
      searchCondition(statement, text, value, country),
    );
    // Without an index, PostgreSQL would look up the text of one row after another in the order of the page. `is true`
    // makes it read all texts once.
    return hasTrigram(value) ? found : `(${found}) is true`;
  };
}

function equalsText(
  filter: FilterOf<"equals-text">,
  value: string,
  { table }: FilterContext,
): Condition {
  const { by } = filter;
  return (statement) => `${by}(${columnIn(table, filter)}) = ${by}(${statement.bind(value)})`;
}

function digits(
  { column, covered }: FilterOf<"digits">,
  value: string,
  { country, table }: FilterContext,
): Condition | Broken {
  const searched = searchedDigits(value, country);
  if (searched.length < 3) return { rule: "min-length", limit: 3, hint: "Only digits count." };
  return (statement) => {
    const pattern = statement.bind(likePattern(searched));
    const found = inText(statement, covered, table, (text) => `${text} like ${pattern}`);
    return `${found} and ${column} like ${pattern}`;
  };
}

function oneOf(
  filter: FilterOf<"one-of">,
  value: string,
  { table }: FilterContext,
): Condition | Broken {
  const values = filter.single ? [value] : value.split(",");
  const unknown = values.find((one) => !filter.values.includes(one));
  if (unknown !== undefined)
    return {
      rule: "one-of",
      allowed: filter.values,
      given: unknown,
      hint: filter.single && "The filter takes a single value.",
    };
  const column = columnIn(table, filter);
  if (filter.inArray) return (statement) => `${column} && ${statement.bind(values)}::text[]`;
  const narrowings = new Set(values.map((one) => filter.also?.(one)));
  const also = narrowings.has(undefined) ? "" : ` and (${[...narrowings].join(" or ")})`;
  return (statement) => `${column} ${anyOf(statement, values, "text")}${also}`;
}

function id(
  filter: FilterOf<"id">,
  value: string,
  { idList = anyIds, table }: FilterContext,
): Condition {
  const ids = value.split(",").filter(isId);
  const among = (statement: Binding) =>
    filter.among === undefined ? anyOf(statement, ids, "uuid") : `= any(${idList(statement, ids)})`;
  const column = `${table}.${filter.column}`;
  const orNone = filter.orNone && value.split(",").includes("none") ? ` or ${column} is null` : "";
  return (statement) => `${column} ${among(statement)}${orNone}`;
}

const truths: readonly string[] = ["true", "false"];

/** The two truth values together match every row that has one. */
function truthIn(value: string): boolean | "either" | Broken {
  const values = new Set(value.split(","));
  if (![...values].every((one) => truths.includes(one))) return { rule: "one-of", allowed: truths };
  return values.size === 2 ? "either" : values.has("true");
}

function boolean(
  filter: FilterOf<"boolean">,
  value: string,
  { table }: FilterContext,
): Condition | Broken {
  const truth = truthIn(value);
  if (typeof truth === "object") return truth;
  return () => `${columnIn(table, filter)} ${truth === "either" ? "is not null" : `= ${truth}`}`;
}

/** The list reads the added rows. Every row of both matches. */
function adds(_filter: FilterOf<"adds">, value: string): Condition | Broken {
  const truth = truthIn(value);
  return typeof truth === "object" ? truth : () => "true";
}

/** Whether a filter that adds rows does so. */
export const addsRows = (value: string): boolean => {
  const truth = truthIn(value.trim());
  return truth === true || truth === "either";
};

function exists(
  { from, negated, table: of, where }: FilterOf<"exists">,
  value: string,
  { table }: FilterContext,
): Condition | Broken {
  const truth = truthIn(value);
  if (typeof truth === "object") return truth;
  if (truth === "either") return () => "true";
  const not = truth === (negated === true) ? "not " : "";
  return (statement) =>
    `${not}exists (select 1 from ${of} x where x.account_id = ${statement.account}` +
    ` and x.${from} = ${table}.id${where ? ` and ${where}` : ""})`;
}

/** The rule that the first invalid number breaks. */
function brokenBy(
  numbers: readonly string[],
  { maximum, minimum }: { minimum: number; maximum: number },
): Broken | undefined {
  for (const one of numbers) {
    if (!/^-?\d{1,9}$/.test(one)) return { rule: "type", type: "integer" };
    if (Number(one) < minimum) return { rule: "min", limit: minimum };
    if (Number(one) > maximum) return { rule: "max", limit: maximum };
  }
  return undefined;
}

function number(
  filter: FilterOf<"number">,
  value: string,
  { table }: FilterContext,
): Condition | Broken {
  const numbers = value.split(",");
  return (
    brokenBy(numbers, filter) ??
    ((statement) =>
      `${columnIn(table, filter)} = any(${statement.bind(numbers.map(Number))}::int[])`)
  );
}

function bound(operator: ">=" | "<="): Parse<FilterOf<"at-least" | "at-most">> {
  return (filter, value, { table }) =>
    brokenBy([value], filter) ??
    ((statement) => `${columnIn(table, filter)} ${operator} ${statement.bind(Number(value))}::int`);
}

function instant(operator: ">=" | "<="): Parse<FilterOf<"since" | "until">> {
  return ({ column }, value, { table }) => {
    const time = value.replace(" ", "+");
    if (!isTimestamp(time))
      return { rule: "format", format: "timestamp", hint: "A date is accepted too." };
    return (statement) => `${table}.${column} ${operator} ${statement.bind(time)}::timestamptz`;
  };
}

function day(operator: ">=" | "<="): Parse<FilterOf<"from" | "to">> {
  return (filter, value, { table }) =>
    isDate(value)
      ? (statement) => `${columnIn(table, filter)} ${operator} ${statement.bind(value)}::date`
      : { rule: "format", format: "date" };
}

function dayOfYear(end: "from" | "to"): Parse<FilterOf<"day-from" | "day-to">> {
  return (filter, value, { givenFor, table }) => {
    if (!isDayOfYear(value)) return { rule: "format", format: "day-of-year" };
    const column = columnIn(table, filter);
    const other = givenFor?.(filter.other)?.trim() ?? "";
    const [first, last] = end === "from" ? [value, other] : [other, value];
    const spansNewYear = isDayOfYear(other) && first > last;
    // The other end says it all.
    if (spansNewYear && end === "to") return () => `${column} is not null`;
    return (statement) => {
      const since = () => `${column} >= ${statement.bind(first)}`;
      const until = () => `${column} <= ${statement.bind(celebratedUntil(last))}`;
      if (spansNewYear) return `${since()} or ${until()}`;
      return end === "from" ? since() : until();
    };
  };
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

/** A row without a place is never near. */
function near(filter: FilterOf<"near">, value: string): Condition | Broken {
  const numbers = value.split(",").map((one) => (one.trim() === "" ? Number.NaN : Number(one)));
  const [latitude = Number.NaN, longitude = Number.NaN, kilometers = Number.NaN] = numbers;
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  const isDistance = kilometers > 0 && kilometers <= filter.kilometersMax;
  if (numbers.length !== 3 || !isPlace || !isDistance)
    return {
      rule: "format",
      format: "place",
      hint: `The distance is at most ${filter.kilometersMax} km.`,
    };
  return (statement) => {
    const place = `${statement.bind(latitude)}::float8, ${statement.bind(longitude)}::float8`;
    return (
      `kilometers_between(${filter.latitude}, ${filter.longitude}, ${place})` +
      ` <= ${statement.bind(kilometers)}::float8`
    );
  };
}

function related(
  { from, table: of, to, where }: FilterOf<"related">,
  value: string,
  { idList = anyIds, table }: FilterContext,
): Condition {
  const ids = value.split(",").filter(isId);
  return (statement) =>
    `${table}.id in (select x.${from} from ${of} x where x.account_id = ${statement.account}` +
    ` and x.${to} = any(${idList(statement, ids)})${where ? ` and ${where}` : ""})`;
}

function within(
  { sql }: FilterOf<"within">,
  value: string,
  { idList = anyIds }: FilterContext,
): Condition {
  const ids = value.split(",").filter(isId);
  return (statement) =>
    sql.replaceAll("$account", statement.account).replaceAll("$ids", idList(statement, ids));
}

/** Some filters compare an expression, which names its table itself. */
const columnIn = (table: string, { column }: { column: string }): string =>
  column.includes("(") ? column : `${table}.${column}`;
