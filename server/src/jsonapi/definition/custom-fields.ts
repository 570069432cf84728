import type { TSchema } from "typebox";
import { type Actor, isFullAdministrator } from "../../access/actor.ts";
import type { Permission } from "../../access/permissions.ts";
import { notAllowedHere } from "../../base/errors.ts";
import { holds } from "../../access/policy.ts";
import {
  type Attribute,
  boolean,
  choice,
  date,
  decimal,
  defaulted,
  describe,
  formatted,
  integer,
  lines,
  list,
  map,
  text,
  timestamp,
} from "./attributes.ts";
import { phoneNumber } from "./phones.ts";

/** The attribute `custom-properties` of a type with custom fields. The account's definitions check the values. */
export const customValues = () =>
  defaulted(
    describe(map({ ...text({ maxLength: 20_000 }), schema: {} }, 100), {
      description:
        "The custom fields that the account defines. An update changes only the fields it names, and null removes a value.",
    }),
  );

/** The words for the constraint on the size of all custom fields of a row. */
export const customValuesSize = (table: string) => ({
  [`${table}_custom_properties_size`]: {
    pointer: "/data/attributes/custom-properties",
    breaks: notAllowedHere("All fields together must not exceed 64 KiB."),
  },
});

export const customFieldTypes = [
  "string",
  "text",
  "integer",
  "decimal",
  "boolean",
  "date",
  "timestamp",
  "select",
  "multi-select",
  "email",
  "phone",
  "url",
  "person",
] as const;

export type CustomFieldType = (typeof customFieldTypes)[number];
export type CustomFieldAccess = "scope" | "staff" | "full-administrator";

/** A custom field, as the account stores it. */
export interface CustomField {
  type: CustomFieldType;
  label?: string;
  help?: string;
  options?: { value: string; label?: string; archived?: boolean }[];
  required?: boolean;
  order?: number;
  default?: unknown;
  min?: number;
  max?: number;
  "max-length"?: number;
  "read-access"?: CustomFieldAccess;
  "write-access"?: CustomFieldAccess;
  "self-editable"?: boolean;
  searchable?: boolean;
  archived?: boolean;
}

/** The rights of a caller on one row, for an operation that several permissions allow. */
export interface RowRights {
  /** The first permission of the operation covers the row, not only because it is the caller's own. */
  all: boolean;
  /** The row belongs to the caller's own person. */
  own: boolean;
  /** The other permissions of the operation that cover the row. */
  some: ReadonlySet<Permission>;
}

/** The custom fields of one resource type in one account. Requests share one instance per version of the account. */
export class CustomFields {
  readonly resource: string;
  readonly fields: ReadonlyMap<string, CustomField>;
  readonly #hiddenFromScope: boolean;

  constructor(resource: string, fields: Record<string, CustomField>) {
    this.resource = resource;
    this.fields = new Map(Object.entries(fields));
    this.#hiddenFromScope = [...this.fields.values()].some(
      (field) => field.archived === true || (field["read-access"] ?? "scope") !== "scope",
    );
  }

  /** The values that the reader may see. In most accounts nothing is hidden, so the text is returned unparsed. */
  shownTo(actor: Actor, id: string, values: string | null): string | null {
    return this.#shown(values, (field) => this.mayRead(actor, field, id));
  }

  /** The values that every reader of the account may see, for events. */
  shownToAll(values: string | null): string | null {
    return this.#shown(values, isOpen);
  }

  isShownToAll(name: string): boolean {
    const field = this.fields.get(name);
    return field !== undefined && !field.archived && isOpen(field);
  }

  #shown(values: string | null, isShown: (field: CustomField) => boolean): string | null {
    if (!this.#hiddenFromScope || values === null || values === "{}") return values;
    const shown = Object.entries(JSON.parse(values) as object).filter(([name]) => {
      const field = this.fields.get(name);
      return field && !field.archived && isShown(field);
    });
    return JSON.stringify(Object.fromEntries(shown));
  }

  mayRead(actor: Actor, field: CustomField, id?: string): boolean {
    if (field["self-editable"] && id !== undefined && id === actor.personId) return true;
    return reaches(actor, this.resource, field["read-access"] ?? "scope");
  }

  /** A person who reaches only their own record may write only self-editable fields. */
  mayWrite(by: { actor: Actor; rights?: RowRights | undefined }, name: string): boolean {
    const field = this.fields.get(name);
    if (by.rights && !by.rights.all) return by.rights.own && field?.["self-editable"] === true;
    return reaches(by.actor, this.resource, field?.["write-access"] ?? "scope");
  }
}

const isOpen = (field: CustomField): boolean => (field["read-access"] ?? "scope") === "scope";

function reaches(actor: Actor, resource: string, access: CustomFieldAccess): boolean {
  switch (access) {
    // The caller reaches the record, which its own rules have checked already.
    case "scope":
      return true;
    case "staff":
      return holds(actor, `${resource}:write` as Permission);
    case "full-administrator":
      return isFullAdministrator(actor);
  }
}

/** The JSON Schema of a field's values. */
export const schemaOfField = (field: CustomField): TSchema => attributeOf(field).schema;

function attributeOf(field: CustomField): Attribute {
  const { MAX_SAFE_INTEGER: most } = Number;
  const range = {
    ...(field.min !== undefined && { minimum: field.min }),
    ...(field.max !== undefined && { maximum: field.max }),
  };
  switch (field.type) {
    case "string":
      return text({ maxLength: field["max-length"] ?? 200 });
    case "text":
      return lines({ maxLength: field["max-length"] ?? 20_000 });
    case "integer":
      return integer({ minimum: -most, maximum: most, ...range });
    case "decimal":
      return decimal(range);
    case "boolean":
      return boolean();
    case "date":
      return date();
    case "timestamp":
      return timestamp();
    case "select":
      return optionOf(field);
    case "multi-select":
      return list(optionOf(field), { maxItems: 200, uniqueItems: true });
    case "email":
      return text({
        format: "email",
        maxLength: 254,
        ...formatted("email"),
      });
    case "phone":
      return phoneNumber();
    case "url":
      return text({
        format: "uri",
        pattern: "^https?://",
        maxLength: 2_048,
        ...formatted("url"),
      });
    case "person":
      return text({ maxLength: 36, format: "uuid", ...formatted("uuid") });
  }
}

const optionOf = ({ options = [] }: CustomField) =>
  choice(options.filter((option) => !option.archived).map((option) => option.value));
