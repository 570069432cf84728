import type { TSchema } from "typebox";
import { now } from "../../../base/clock.ts";
import { type Home, type PhoneFault, readKnownPhone } from "../../../base/phone-numbers.ts";
import type { RowCode } from "../../../jsonapi/definition/importer.ts";

/** Converts the texts of cells to the types of the attributes. Other texts stay as they are, and the schema rejects them. */

export const dateFormats = [
  "YYYY-MM-DD",
  "DD/MM/YYYY",
  "MM/DD/YYYY",
  "DD.MM.YYYY",
  "DD-MM-YYYY",
  "YYYY/MM/DD",
] as const;

export type DateFormat = (typeof dateFormats)[number];

export interface Conversion {
  dateFormat: DateFormat;
  /** Makes E.164 of a telephone number, or says what the number lacks. */
  phoneOf: (text: string) => string | NotConverted;
  choiceOf: (choices: readonly string[], text: string) => string | NotConverted;
}

/** The parts of JSON Schema that decide on a conversion. */
interface Kind {
  anyOf?: TSchema[];
  enum?: string[];
  type?: string;
  format?: string;
  pattern?: string;
  items?: TSchema;
}

/** A text that is wrong for a reason that the schema does not know. */
export class NotConverted {
  readonly detail: string;
  readonly code: RowCode | "invalid-attribute";

  constructor(detail: string, code: NotConverted["code"] = "invalid-attribute") {
    this.detail = detail;
    this.code = code;
  }
}

/** A date without its year, as `MM-DD`. */
export class DayOfYear {
  readonly day: string;

  constructor(day: string) {
    this.day = day;
  }
}

const ADVICE: Partial<Record<PhoneFault, string>> = {
  "country-code-missing": " Set `country`, in the import or in the settings of the account.",
  "area-code-missing": " Add it, or set `default-area-code`.",
};

/** Reads telephone numbers that the numbering plan of their country knows. */
export const phoneReader =
  (home: Home): Conversion["phoneOf"] =>
  (text) => {
    const read = readKnownPhone(text, home);
    if (typeof read === "string") return read;
    const { detail, fault } = read;
    if (fault === "not-a-number") return new NotConverted(detail);
    return new NotConverted(`${detail}${ADVICE[fault] ?? ""}`, fault);
  };

export function convert(schema: TSchema, cell: string, conversion: Conversion): unknown {
  const kind = schema as Kind;
  if (kind.anyOf?.[0]) return convert(kind.anyOf[0], cell, conversion);
  if (kind.enum) return conversion.choiceOf(kind.enum, cell);
  switch (kind.type) {
    case "boolean":
      return booleans.get(cell.toLowerCase()) ?? cell;
    case "integer":
    case "number":
      return /^-?\d+([.,]\d+)?$/.test(cell) ? Number(cell.replace(",", ".")) : cell;
    case "array": {
      const entries = cell
        .split(";")
        .map((part) => part.trim())
        .filter((part) => part !== "")
        .map((part) => convert(kind.items ?? {}, part, conversion));
      return entries.find((entry) => entry instanceof NotConverted) ?? entries;
    }
    default:
      return textOf(kind, cell, conversion);
  }
}

function textOf(kind: Kind, cell: string, conversion: Conversion): unknown {
  if (kind.format === "date") return dateOf(cell, conversion.dateFormat);
  if (kind.format === "date-time") return timeOf(cell, conversion.dateFormat);
  if (kind.format === "phone") return conversion.phoneOf(cell);
  if (kind.pattern?.startsWith("^((0[1-9]|1[0-2])-"))
    return birthdayOf(cell, conversion.dateFormat);
  return cell;
}

const booleans = new Map(
  Object.entries({
    true: ["true", "yes", "y", "1", "x", "sim", "s", "sí", "si"],
    false: ["false", "no", "n", "0", "não", "nao"],
  }).flatMap(([value, words]) => words.map((word) => [word, value === "true"] as const)),
);

/** The parts of a date in the order of the format. */
const parts = (cell: string, format: string): Map<string, string> | undefined => {
  const [separator = "-"] = format.match(/[^A-Z]/) ?? [];
  const given = cell.split(separator).map((part) => part.trim());
  const names = format.split(separator);
  if (given.length !== names.length) return undefined;
  const isPart = (part: string, name: string | undefined) =>
    name === "YYYY" ? /^\d{2}(\d{2})?$/.test(part) : /^\d{1,2}$/.test(part);
  if (!given.every((part, at) => isPart(part, names[at]))) return undefined;
  return new Map(names.map((name, at) => [name, (given[at] ?? "").padStart(2, "0")]));
};

const withoutYear = (format: DateFormat) => format.replace(/^YYYY[^A-Z]|[^A-Z]YYYY$/, "");

function dateOf(cell: string, format: DateFormat): string | DayOfYear | NotConverted {
  const found = parts(cell, format);
  const year = found?.get("YYYY") ?? "";
  const day = `${found?.get("MM")}-${found?.get("DD")}`;
  // Many programs write a birthday without its year as a date of the year 0.
  const birthday = year === "0000" ? day : dayOf(cell, format);
  if (birthday !== undefined) return new DayOfYear(birthday);
  const iso = year.length === 2 ? inLastHundredYears(year, day) : `${year}-${day}`;
  // `new Date` moves an impossible day into the next month.
  const isReal = found && new Date(`${iso}T00:00:00Z`).toJSON()?.startsWith(iso);
  return isReal ? iso : new NotConverted(`Must be a date as ${format}.`);
}

/** A date means its noon in UTC, which is the same day in nearly every time zone. */
function timeOf(cell: string, format: DateFormat): unknown {
  if (cell.includes("T")) return cell;
  const date = dateOf(cell, format);
  return typeof date === "string" ? `${date}T12:00:00.000Z` : date;
}

/** The latest date with this end of the year that is not in the future. */
function inLastHundredYears(year: string, day: string): string {
  const today = new Date(now()).toISOString().slice(0, 10);
  const century = Number(today.slice(0, 2));
  const date = `${century}${year}-${day}`;
  return date <= today ? date : `${century - 1}${year}-${day}`;
}

/** The day of the year that a cell gives in the date format without the year. */
function dayOf(cell: string, format: DateFormat): string | undefined {
  const found = parts(cell, withoutYear(format));
  return found && `${found.get("MM")}-${found.get("DD")}`;
}

/** A day of the year as `MM-DD`, or in the date format without the year. */
function birthdayOf(cell: string, format: DateFormat): string | NotConverted {
  if (/^\d\d-\d\d$/.test(cell)) return cell;
  return (
    dayOf(cell, format) ?? new NotConverted(`Must be a day and a month as ${withoutYear(format)}.`)
  );
}
