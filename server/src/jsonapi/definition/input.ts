import type { Attribute, ValueOf } from "./attributes.ts";
import type { CustomFields } from "./custom-fields.ts";
import type { Relationship } from "./relationships.ts";

/** The attributes and relationships of a type. The types of its input are derived from them. */
export interface Fields {
  attributes: Record<string, Attribute>;
  relationships: Record<string, Relationship>;
}

/** A checked document of any type. No code after the parser sees the body. */
export interface ResourceInput {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly toOne: Readonly<Record<string, string | null>>;
  readonly toMany: Readonly<Record<string, readonly string[]>>;
  /** The types of the targets of to-one relationships that have several. */
  readonly targets?: Readonly<Record<string, string>>;
  /** The definitions by which the values of custom fields were checked. */
  readonly customFields?: CustomFields | undefined;
}

/** The checked document that creates a resource, or that runs a command. It contains every required field. */
export type CreateInput<F extends Fields> = InputFor<"create", F>;

/** The checked document that changes a resource. */
export type UpdateInput<F extends Fields> = InputFor<"update", F>;

/** The values of a row: those of a document, and those that the service sets. */
export type RowInput<F extends Fields> = InputFor<"row", F>;

type Use = "create" | "update" | "row";

/** Without a definition, only the kinds of the fields are known. */
type InputFor<U extends Use, F extends Fields> = string extends keyof F["attributes"]
  ? ResourceInput
  : Omit<ResourceInput, "attributes" | "toOne" | "toMany"> & {
      readonly attributes: Values<U, F["attributes"]>;
      readonly toOne: Values<U, OfKind<"to-one", F["relationships"]>>;
      readonly toMany: Values<U, OfKind<"to-many", F["relationships"]>>;
    };

type Values<U extends Use, Members> = {
  readonly [N in keyof Members as Presence<U, Members[N]> extends "always" ? N : never]: Value<
    Members[N]
  >;
} & {
  readonly [N in keyof Members as Presence<U, Members[N]> extends "sometimes" ? N : never]?: Value<
    Members[N]
  >;
};

type Presence<U extends Use, Member> = U extends "row"
  ? "sometimes"
  : Member extends { mode: "read-only" } | { writable: false }
    ? "never"
    : U extends "create"
      ? Member extends { mode: "required" } | { kind: "to-one"; required: true }
        ? "always"
        : "sometimes"
      : "sometimes";

type Value<Member> = Member extends { kind: "to-one" }
  ? Member extends { required: true }
    ? string
    : string | null
  : Member extends { kind: "to-many" }
    ? readonly string[]
    : ValueOf<Member>;

type OfKind<K, R> = { [N in keyof R as R[N] extends { kind: K } ? N : never]: R[N] };
