import type { TSchema } from "typebox";
import Format from "typebox/format";
import type { Permission } from "../../access/permissions.ts";
import type { Policy } from "../../access/policy.ts";
import type { Problem } from "../../base/errors.ts";
import { type Broken, FORMAT, type Format as FormatName, formats } from "../../base/rules.ts";

/**
 * An attribute is a JSON Schema, its storage, and who may see or set it. Validation, the OpenAPI document and the static
 * type all come from this one value.
 */
export interface Attribute<Value = unknown, Mode extends AttributeMode = AttributeMode> {
  schema: TSchema;
  mode: Mode;
  nullable: boolean;
  storage: Storage;
  /** The default is the name with underscores. */
  column?: string;
  /** The SQL that is read instead of the column. It qualifies columns with the table. */
  expression?: string;
  /** Hidden from callers without this permission on the row. */
  readableWith?: Permission;
  /** Callers without this permission get 403 if they set the attribute. */
  writableWith?: Policy;
  /** Callers with one of these permissions may set it too. */
  alsoWritableWith?: readonly Permission[];
  /** The value of a new resource. Every caller who may create the resource may send it. */
  initialValue?: unknown;
  /** A person may set it on their own record. */
  selfEditable?: true;
  /** An update can set it, a create cannot. */
  onlyChanged?: true;
  /** Never part of an event, and its values never of the journal. */
  withheld?: true;
  /** Its values are never part of the journal, as those of members with `readableWith` and `withheld`. */
  redacted?: true;
  /** A create can set it, an update cannot. */
  onlyCreated?: true;
  /** Attributes this value is derived from when the client does not set it. */
  derivedFrom?: readonly string[];
  /** Computed and sent only when `fields` asks for it. */
  onRequest?: true;
  /** Accepted and never returned. It has no column: the operation's `run` reads it. */
  writeOnly?: true;
  /** A write of it changes the rights of people. */
  changesRights?: RightsChange;
  /** Stored, but changed without a new version of the resource. */
  unversioned?: true;
  /** Contains a link that works for minutes, so that responses with it are never stored. */
  brief?: true;
  /** Shown when one resource is read. Lists and included resources omit it. */
  detailOnly?: true;
  /** Returns a rule that replaces the errors of the schema, or adds problems to them. */
  check?: (value: unknown, pointer: string, problems: Problem[]) => Broken | undefined;
  description?: string;
  /** A realistic value. The documentation's requests contain every attribute that has one. */
  example?: unknown;
  /** Carries the static type. It does not exist at run time. */
  value?: Value;
}

/**
 * A member of a document that gives rights to people or takes them away. The kernel confirms the rights of the caller before it
 * writes the member, after every lock. People who gain rights lose the open links that could set their password.
 */
export interface RightsChange {
  /** The people who gain rights, as an SQL query about the row. */
  gainedBy?: string;
  /** The values with which they do, if not all. A new row with another value changes no rights. */
  values?: readonly unknown[];
}

export type AttributeMode = "required" | "optional" | "defaulted" | "read-only";

/**
 * `json` columns are read as text and written into the answer without parsing. A `link` is the text that `FileLinks` signs
 * (`fileLink` in files.ts), and a `file` an object with one. A `phone` is an E.164 number that is written with its grouping.
 */
export type Storage =
  | "text"
  | "number"
  | "boolean"
  | "timestamp"
  | "date"
  | "json"
  | "texts"
  | "uuids"
  | "link"
  | "file"
  | "phone";

type Made<V> = Attribute<V, "required">;

const attribute = <V>(type: string, storage: Storage, keywords: object = {}): Made<V> => {
  return { schema: { type, ...keywords }, storage, mode: "required", nullable: false };
};

export type TextOptions = {
  minLength?: number;
  maxLength: number;
  pattern?: string;
  format?: string;
  [FORMAT]?: FormatName;
  description?: string;
  examples?: string[];
  /** The OpenAPI document has one schema of this name wherever the text is used. */
  title?: string;
};

/** The keywords of a text in this format. Errors about its type and its pattern name the format. */
export function formatted(format: FormatName) {
  const { words, ...more } = formats[format];
  return {
    [FORMAT]: format,
    description: words,
    ...("example" in more && { examples: [more.example] }),
  };
}

/**
 * Control characters, the separators of lines and paragraphs, and the characters that embed, override or isolate a direction. The
 * last ones can make a name look like another one. No language needs them within a line.
 */
const CONTROL = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;

export const isOneLine = (value: string): boolean => !CONTROL.test(value);

// A format, because the character classes of patterns differ between programming languages.
Format.Set("one-line", isOneLine);

/** Text of one line: names, titles, reasons, labels. A pattern or another format says itself what it accepts. */
export const text = (options: TextOptions) =>
  lines({ ...(options.pattern === undefined && { format: "one-line" }), ...options });

/** Text of any number of lines. */
export const lines = (options: TextOptions) => attribute<string>("string", "text", options);

const INT4_MAX = 2_147_483_647;

type Range = { minimum?: number; maximum?: number };

export const integer = (range: Range = {}) =>
  attribute<number>("integer", "number", { minimum: -INT4_MAX, maximum: INT4_MAX, ...range });

/** Minutes since midnight. */
export const minuteOfDay = () => integer({ minimum: 0, maximum: 1_439 });

export const decimal = (range: Range = {}) => attribute<number>("number", "number", range);

export const boolean = () => attribute<boolean>("boolean", "boolean");

/** ISO 8601 with an offset of up to 15:59, which is the limit of PostgreSQL. Answers use UTC with milliseconds. */
export const timestamp = () =>
  attribute<string>("string", "timestamp", {
    title: "Timestamp",
    format: "date-time",
    pattern: "^[12]\\d{3}-.*(Z|[+-](0\\d|1[0-5]):[0-5]\\d)$",
    maxLength: 40,
    ...formatted("timestamp"),
  });

/** A calendar date without a zone. Years outside 1000 to 2999 are typing errors. */
export const date = () =>
  attribute<string>("string", "date", {
    title: "CalendarDate",
    format: "date",
    pattern: "^[12]\\d{3}-",
    maxLength: 10,
    ...formatted("date"),
  });

/**
 * `schema.description` completes the sentence "Must be …", which an error adds to its list of values. With a title, the
 * OpenAPI document has one schema of this name wherever the choice is used.
 */
export const choice = <const V extends readonly string[]>(
  values: V,
  schema: { description?: string; title?: string } = {},
) => attribute<V[number]>("string", "text", { enum: [...values], ...schema });

/** An object whose members are these attributes. Undeclared members are rejected. */
export function object<M extends Record<string, Attribute>>(members: M, title?: string) {
  const all = Object.entries(members);
  const required = all.flatMap(([name, { mode }]) => (mode === "required" ? [name] : []));
  return attribute<ObjectOf<M>>("object", "json", {
    ...(title && { title }),
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(all.map(([name, member]) => [name, schemaOf(member)])),
    additionalProperties: false,
  });
}

/** The document of a resource of any type. Only `type` and `id` are common to all types. */
export const anyResource = () =>
  attribute<{ type: string; id: string }>("object", "json", {
    required: ["type", "id"],
    properties: { type: { type: "string" }, id: { type: "string" } },
    additionalProperties: true,
  });

export const list = <A extends Attribute>(
  entry: A,
  options: { minItems?: number; maxItems: number; uniqueItems?: true },
) => attribute<ValueOf<A>[]>("array", "json", { items: schemaOf(entry), ...options });

/** A name that the caller chooses, for a custom field or another system. */
export const chosenName = {
  type: "string",
  pattern: "^[a-z][a-z0-9-]{0,62}$",
  ...formatted("name"),
};

/** An object whose member names the caller chooses. All values have one type. */
export const map = <A extends Attribute>(member: A, maxProperties: number) =>
  attribute<Record<string, ValueOf<A>>>("object", "json", {
    propertyNames: chosenName,
    additionalProperties: schemaOf(member),
    maxProperties,
  });

/** May be left out and may be null. */
export const optional = <V>(attribute: Attribute<V>): Attribute<V | null, "optional"> => ({
  ...attribute,
  mode: "optional",
  nullable: true,
});

/** May be left out, because the database has a default, but is never null. */
export const defaulted = <V>(attribute: Attribute<V>): Attribute<V, "defaulted"> => ({
  ...attribute,
  mode: "defaulted",
});

export const readOnly = <V>(attribute: Attribute<V>): Attribute<V, "read-only"> => ({
  ...attribute,
  mode: "read-only",
});

/** The times of every resource. */
export const timestamps = {
  "created-at": readOnly(timestamp()),
  "modified-at": readOnly(timestamp()),
};

/** Read-only and computed by the database from other columns. */
export const computed = <V>(
  attribute: Attribute<V>,
  expression: string,
): Attribute<V, "read-only"> => ({
  ...attribute,
  mode: "read-only",
  expression,
});

/** Read-only and stored, and counted from other records without a new version of the resource. */
export const counted = <V>(attribute: Attribute<V>): Attribute<V, "read-only"> => ({
  ...readOnly(attribute),
  unversioned: true,
});

/** Shown when one resource is read, not in lists. */
export const detailed = <V, M extends AttributeMode>(attribute: Attribute<V, M>) =>
  describe(attribute, { detailOnly: true });

export const writeOnly = <V, M extends AttributeMode>(attribute: Attribute<V, M>) =>
  describe(attribute, { writeOnly: true });

export function describe<V, M extends AttributeMode>(
  attribute: Attribute<V, M>,
  more: Partial<Omit<Attribute, "schema" | "mode" | "storage" | "value">>,
): Attribute<V, M> {
  return { ...attribute, ...more };
}

export const example = <V, M extends AttributeMode>(value: V, attribute: Attribute<V, M>) =>
  describe(attribute, { example: value });

export const changesRights = <V, M extends AttributeMode>(
  change: RightsChange,
  attribute: Attribute<V, M>,
) => describe(attribute, { changesRights: change });

export const redacted = <V, M extends AttributeMode>(attribute: Attribute<V, M>) =>
  describe(attribute, { redacted: true });

export const selfEditable = <V, M extends AttributeMode>(attribute: Attribute<V, M>) =>
  describe(attribute, { selfEditable: true });

/** Callers with one of these permissions may set it, besides those with the first permission of the operation. */
export const writableAlsoWith = <V, M extends AttributeMode>(
  permissions: readonly Permission[],
  attribute: Attribute<V, M>,
) => describe(attribute, { alsoWritableWith: permissions });

/** Whether events show it. They show what every reader of the account may see, and no links that expire. */
export const isInEvents = ({ readableWith, storage, withheld }: Attribute): boolean =>
  readableWith === undefined && !withheld && storage !== "link" && storage !== "file";

/** The schema including null for nullable attributes. A schema without keywords accepts null already. */
export const schemaOf = (attribute: Attribute): TSchema =>
  attribute.nullable && Object.keys(attribute.schema).length > 0
    ? { anyOf: [attribute.schema, { type: "null" }] }
    : attribute.schema;

export type ValueOf<A> = A extends Attribute<infer V> ? V : never;

type ObjectOf<M extends Record<string, Attribute>> = {
  [K in keyof M as M[K] extends Attribute<unknown, "required"> ? K : never]: ValueOf<M[K]>;
} & {
  [K in keyof M as M[K] extends Attribute<unknown, "required"> ? never : K]?: ValueOf<M[K]>;
};
