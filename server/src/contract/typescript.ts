import type { Json } from "./json.ts";
import { nameIn } from "./shape.ts";

/** The TypeScript of schemas of the OpenAPI document, with those that they name. */
export class TypeScript {
  readonly #schemas: Readonly<Record<string, Json>>;
  readonly #named = new Map<string, string>();

  constructor(schemas: Readonly<Record<string, Json>>) {
    this.#schemas = schemas;
  }

  membersOf(name: string): Record<string, Json> {
    return (this.#schemas[name]?.["properties"] ?? {}) as Record<string, Json>;
  }

  /** The declarations of all types that `of` has named. */
  declarations(): string[] {
    return [...this.#named.values()];
  }

  of(schema: Json): string {
    const { $ref, allOf, anyOf, const: constant, enum: values, oneOf, type } = schema;
    if ($ref !== undefined) return this.#reference(nameIn($ref));
    if (constant !== undefined) return JSON.stringify(constant);
    if (values !== undefined)
      return alternatives((values as unknown[]).map((one) => JSON.stringify(one)));
    const several = (anyOf ?? oneOf) as Json[] | undefined;
    if (several) return alternatives(several.map((one) => this.of(one)));
    if (allOf) return (allOf as Json[]).map((one) => this.of(one)).join(" & ");
    if (Array.isArray(type))
      return alternatives(type.map((one) => this.of({ ...schema, type: one as unknown })));
    switch (type) {
      case "array": {
        const entry = this.of((schema["items"] ?? {}) as Json);
        return /[|&]/.test(entry) ? `(${entry})[]` : `${entry}[]`;
      }
      case "object":
        return this.#object(schema);
      case "integer":
        return "number";
      case "string":
      case "number":
      case "boolean":
      case "null":
        return type;
      default:
        return "unknown";
    }
  }

  #reference(name: string): string {
    if (!this.#named.has(name)) {
      // A schema that leads to itself finds its name taken.
      this.#named.set(name, "");
      const schema = this.#schemas[name] ?? {};
      const head = documentation(schema["description"] as string | undefined);
      this.#named.set(name, `${head}export type ${name} = ${this.of(schema)};`);
    }
    return name;
  }

  #object({ additionalProperties, properties, required = [] }: Json): string {
    const members = Object.entries((properties ?? {}) as Record<string, Json>).map(
      ([name, one]) =>
        `${JSON.stringify(name)}${(required as string[]).includes(name) ? "" : "?"}: ${this.of(one)}`,
    );
    if (members.length > 0) return `{ ${members.join("; ")} }`;
    const value =
      typeof additionalProperties === "object" ? this.of(additionalProperties as Json) : "unknown";
    return `Record<string, ${value}>`;
  }
}

const alternatives = (types: readonly string[]): string => [...new Set(types)].join(" | ");

/** The union of texts. */
export const union = (names: readonly string[]): string =>
  names.map((one) => JSON.stringify(one)).join(" | ") || "never";

export type Member = [
  name: string,
  type: string,
  more?: { optional?: boolean; comment?: string | undefined },
];

export function interfaceOf(name: string, members: Member[], comment?: string): string {
  const lines = members.map(
    ([key, type, { optional, comment: note } = {}]) =>
      `${documentation(note, "  ")}  ${JSON.stringify(key)}${optional ? "?" : ""}: ${type};`,
  );
  return `${documentation(comment)}export interface ${name} {\n${lines.join("\n")}\n}`;
}

/** A comment of one line, which the text cannot end early. */
function documentation(text: string | undefined, indent = ""): string {
  if (text === undefined) return "";
  return `${indent}/** ${text.replaceAll("*/", "*\\/").replaceAll(/\s*\n\s*/g, " ")} */\n`;
}
