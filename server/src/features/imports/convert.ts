import type { TSchema } from "typebox";

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
  /** Makes E.164 of a telephone number, or returns the text. */
  phoneOf: (text: string) => string;
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

  constructor(detail: string) {
    this.detail = detail;
  }
}

export function convert(schema: TSchema, cell: string, conversion: Conversion): unknown {
  const kind = schema as Kind;
  if (kind.anyOf?.[0]) return convert(kind.anyOf[0], cell, conversion);
  if (kind.enum) return choiceOf(kind.enum, cell);
  switch (kind.type) {
    case "boolean":
      return booleans.get(cell.toLowerCase()) ?? cell;
    case "integer":
    case "number":
      return /^-?\d+([.,]\d+)?$/.test(cell) ? Number(cell.replace(",", ".")) : cell;
    case "array":
      return cell
        .split(";")
        .map((part) => part.trim())
        .filter((part) => part !== "")
        .map((part) => convert(kind.items ?? {}, part, conversion));
    default:
      return textOf(kind, cell, conversion);
  }
}

function textOf(kind: Kind, cell: string, conversion: Conversion): unknown {
  if (kind.format === "date") return dateOf(cell, conversion.dateFormat);
  if (kind.pattern?.startsWith("^\\+[1-9]")) return conversion.phoneOf(cell);
  if (kind.pattern?.startsWith("^((0[1-9]|1[0-2])-")) return dayOf(cell, conversion.dateFormat);
  return cell;
}

const booleans = new Map(
  Object.entries({
    true: ["true", "yes", "y", "1", "x", "sim", "s", "sí", "si"],
    false: ["false", "no", "n", "0", "não", "nao"],
  }).flatMap(([value, words]) => words.map((word) => [word, value === "true"] as const)),
);

/** `Former member` means the choice `former-member`. */
function choiceOf(choices: readonly string[], cell: string): string {
  const words = [cell, cell.toLowerCase(), cell.toLowerCase().replaceAll(/[\s_]+/g, "-")];
  return (
    choices.find((one) => words.includes(one)) ??
    choices.find((one) => words.includes(one.toLowerCase())) ??
    cell
  );
}

/** The parts of a date in the order of the format. */
const parts = (cell: string, format: string): Map<string, string> | undefined => {
  const [separator = "-"] = format.match(/[^A-Z]/) ?? [];
  const given = cell.split(separator).map((part) => part.trim());
  const names = format.split(separator);
  if (given.length !== names.length) return undefined;
  if (given.some((part, at) => !/^\d+$/.test(part) || part.length > (names[at] ?? "").length))
    return undefined;
  return new Map(
    names.map((name, at) => [name, (given[at] ?? "").padStart(name === "YYYY" ? 4 : 2, "0")]),
  );
};

function dateOf(cell: string, format: DateFormat): unknown {
  const found = parts(cell, format);
  const iso = found && `${found.get("YYYY")}-${found.get("MM")}-${found.get("DD")}`;
  // `new Date` moves an impossible day into the next month.
  const isReal = iso && new Date(`${iso}T00:00:00Z`).toJSON()?.startsWith(iso);
  return isReal ? iso : new NotConverted(`Must be a date as ${format}.`);
}

/** A day of the year as `MM-DD`, or in the date format without the year. */
function dayOf(cell: string, format: DateFormat): string {
  const found = parts(cell, format.replace(/^YYYY[^A-Z]|[^A-Z]YYYY$/, ""));
  return found ? `${found.get("MM")}-${found.get("DD")}` : cell;
}
