import type { Json } from "./json.ts";

/** A JSON Schema on one line, for the listing of the interface. Words for readers, such as descriptions, are left out. */
export function shape(schema: Json): string {
  for (const keyword of Object.keys(schema))
    if (!known.has(keyword)) throw new Error(`The listing has no notation for ${keyword}.`);
  const { type } = schema;
  const types = [type].flat() as string[];
  if (types.length < 2) return [alternatives(schema), ...extent(schema)].join(" ");
  return types.map((one) => (one === "null" ? one : shape({ ...schema, type: one }))).join(" | ");
}

/** The keywords that `shape` prints, and annotations. */
const known = new Set(
  [
    "$ref const enum anyOf oneOf allOf type items properties required additionalProperties",
    "propertyNames maxProperties uniqueItems minLength maxLength minItems maxItems minimum maximum",
    "exclusiveMinimum format pattern default description examples discriminator readOnly writeOnly x-computed",
  ].flatMap((line) => line.split(" ")),
);

/** The name of a component. */
export const nameIn = (reference: unknown): string => String(reference).replace(/^.*\//, "");

function alternatives(schema: Json): string {
  const { $ref, allOf, anyOf, const: value, enum: values, oneOf, type } = schema;
  if ($ref !== undefined) return nameIn($ref);
  if (value !== undefined) return JSON.stringify(value);
  if (values !== undefined) return (values as unknown[]).join("|");
  const several = (anyOf ?? oneOf) as Json[] | undefined;
  if (several) return several.map(shape).join(" | ");
  if (allOf) return (allOf as Json[]).map(shape).join(" & ");
  if (type === "array") return `[${shape((schema["items"] ?? {}) as Json)}]`;
  return type === "object" ? objectShape(schema) : text(type ?? "any");
}

/** `{name, nickname?: string, *: any}`. Braces with a bar reject other members. */
function objectShape(schema: Json): string {
  const { additionalProperties, propertyNames, required = [] } = schema;
  const members = Object.entries((schema["properties"] ?? {}) as Record<string, Json>).map(
    ([name, one]) => `${name}${(required as string[]).includes(name) ? "" : "?"}: ${shape(one)}`,
  );
  if (additionalProperties === true) members.push("*: any");
  else if (additionalProperties) members.push(`*: ${shape(additionalProperties as Json)}`);
  if (propertyNames) members.push(`names: ${shape(propertyNames as Json)}`);
  const text = members.join(", ");
  return additionalProperties === false ? `{|${text}|}` : `{${text}}`;
}

/** The size, format and default value. */
function extent(schema: Json): string[] {
  const { exclusiveMinimum, format, maxProperties, pattern, uniqueItems } = schema;
  const range = (lowest: string, highest: string) =>
    schema[lowest] === undefined && schema[highest] === undefined
      ? undefined
      : `${text(schema[lowest])}..${text(schema[highest])}`;
  return [
    range("minLength", "maxLength"),
    range("minimum", "maximum"),
    range("minItems", "maxItems"),
    exclusiveMinimum === undefined ? undefined : `>${text(exclusiveMinimum)}`,
    maxProperties === undefined ? undefined : `at most ${text(maxProperties)} members`,
    uniqueItems ? "unique" : undefined,
    format === undefined ? undefined : `(${text(format)})`,
    pattern === undefined ? undefined : `/${text(pattern)}/`,
    "default" in schema ? `= ${JSON.stringify(schema["default"])}` : undefined,
  ].filter((one) => one !== undefined);
}

const text = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
