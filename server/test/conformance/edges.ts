import fc from "fast-check";
import type { Filter } from "../../src/jsonapi/definition/filters.ts";
import type { Attribute } from "../../src/jsonapi/definition/attributes.ts";
import { newId } from "../../src/base/ids.ts";
import { valuesOf } from "../support/arbitrary.ts";

/** The part of JSON Schema that has edges. */
interface Schema {
  type?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  maxProperties?: number;
}

interface Edge {
  readonly value: unknown;
  readonly isValid: boolean;
}

const valid = (value: unknown): Edge => ({ value, isValid: true });
const invalid = (value: unknown): Edge => ({ value, isValid: false });

/** The outermost values that an attribute accepts, and the values just beyond them. */
export function* edgesOf({ nullable, schema }: Attribute): Generator<Edge> {
  yield { value: null, isValid: nullable };
  yield* fromSchema(schema as Schema);
}

function* fromSchema(schema: Schema): Generator<Edge> {
  const { anyOf, enum: choices, maximum, minimum, type } = schema;
  if (anyOf?.[0]) yield* fromSchema(anyOf[0]);
  else if (choices) {
    yield* choices.map(valid);
    yield invalid("nonsense");
  } else if (type === "string") yield* textEdges(schema);
  else if (type === "array") yield* arrayEdges(schema);
  else if (type === "object") yield* objectEdges(schema);
  else if (type === "integer" || type === "number") {
    if (minimum !== undefined) yield* [valid(minimum), invalid(minimum - 1)];
    if (maximum !== undefined) yield* [valid(maximum), invalid(maximum + 1)];
    if (type === "integer") yield invalid(0.5);
  }
}

function* textEdges({ examples, format, maxLength, minLength, pattern }: Schema): Generator<Edge> {
  const isAnyText = examples === undefined && (pattern === undefined || pattern === "\\S");
  if (!isAnyText || hasForm(format)) {
    yield invalid("No such value\u0007");
    return;
  }
  const severalLines = "First\r\nsecond";
  yield isOneLine(format) ? invalid(severalLines) : valid(severalLines);
  // The limit counts characters. This one takes two UTF-16 units and four bytes.
  if (maxLength !== undefined)
    yield* [valid("🙏".repeat(maxLength)), invalid("🙏".repeat(maxLength + 1))];
  if (minLength) yield invalid("");
}

const isOneLine = (format: string | undefined): boolean =>
  format === "one-line" || format === "name";

const hasForm = (format: string | undefined): boolean =>
  format !== undefined && format !== "not-blank" && !isOneLine(format);

function* arrayEdges({ items = {}, maxItems, uniqueItems }: Schema): Generator<Edge> {
  const choices = items.enum?.length ?? Number.POSITIVE_INFINITY;
  // Texts with a form, such as ids and permissions, must also name something.
  const members = Object.values(items.properties ?? {});
  const isName = [items, ...members.filter(({ format }) => format === "uuid")].some(
    ({ format, pattern }) => pattern !== undefined || hasForm(format),
  );
  if (maxItems === undefined || isName || (uniqueItems && choices <= maxItems)) return;
  const array = uniqueItems ? fc.uniqueArray : fc.array;
  const arrayOf = (length: number) =>
    fc.sample(array(valuesOf(items), { minLength: length, maxLength: length }), {
      numRuns: 1,
      seed: 1,
    })[0];
  yield* [valid(arrayOf(maxItems)), invalid(arrayOf(maxItems + 1))];
}

/** An object's own limit, and the edges of each member that can stand alone. */
function* objectEdges(schema: Schema): Generator<Edge> {
  const { additionalProperties, maxProperties, properties = {}, required = [] } = schema;
  for (const [name, member] of Object.entries(properties)) {
    if (required.some((each) => each !== name)) continue;
    for (const { isValid, value } of fromSchema(member))
      yield { value: { [name]: value }, isValid };
  }
  if (maxProperties === undefined || typeof additionalProperties !== "object") return;
  const [value] = fc.sample(valuesOf(additionalProperties), { numRuns: 1, seed: 1 });
  const mapOf = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, n) => [`key-${n}`, value]));
  yield* [valid(mapOf(maxProperties)), invalid(mapOf(maxProperties + 1))];
}

/** Values that a filter rejects. */
export function rejectedBy(filter: Filter): readonly string[] {
  switch (filter.match) {
    case "one-of":
      return ["nonsense", ""];
    case "boolean":
    case "exists":
    case "adds":
      return ["maybe", "TRUE", ""];
    case "number":
    case "at-least":
    case "at-most":
      return [String(filter.minimum - 1), String(filter.maximum + 1), "1.5", "ten"];
    case "since":
    case "until":
      return ["yesterday", "2024-02-30", "2024-01-01T00:00:00", ""];
    case "from":
    case "to":
      return ["yesterday", "2024-02-30", "2024-01-01T00:00:00Z", "0999-01-01", ""];
    case "day-from":
    case "day-to":
      return ["tomorrow", "02-30", "13-01", "2024-01-01", ""];
    case "id":
    case "related":
    case "within":
      return [Array.from({ length: 101 }, newId).join()];
    case "near":
      return [
        "1,2",
        "1,2,0",
        "91,0,5",
        "0,181,5",
        "1,2,3,4",
        "1,,3",
        "x,y,z",
        `0,0,${filter.kilometersMax + 1}`,
      ];
    case "digits":
      return ["1-2", "a\0b"];
    default:
      return ["a\0b"];
  }
}
