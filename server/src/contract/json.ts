export type Json = Record<string, unknown>;

/** The PUBLIC_URL of the examples. */
export const EXAMPLE_URL = "https://vestry.example";

export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
export const schemaRef = (name: string): Json => ref("schemas", name);

/** `course-classes` becomes `course-class`. */
export function singular(type: string): string {
  if (type === "people") return "person";
  if (type.endsWith("ies")) return `${type.slice(0, -3)}y`;
  if (type.endsWith("sses")) return type.slice(0, -2);
  return type.replace(/s$/, "");
}

export const pascal = (name: string): string =>
  name
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** The name that schemas and operations of a type begin with. */
export const nameOf = (type: string): string => pascal(singular(type));

export const text: Json = { type: "string" };
export const constant = (value: string): Json => ({ ...text, const: value });

export const object = (properties: Json, required: readonly string[] = []): Json => ({
  type: "object",
  ...(required.length > 0 && { required }),
  properties,
});

/** An object whose members are all required. */
export const complete = (properties: Json): Json => object(properties, Object.keys(properties));

/** An object without other members: the service rejects a request that has them. */
export const closed = (properties: Json, required?: readonly string[]): Json => ({
  ...object(properties, required),
  additionalProperties: false,
});

export const orNull = (schema: Json): Json => ({ anyOf: [schema, { type: "null" }] });
