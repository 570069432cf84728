import type { Actor } from "../../access/actor.ts";
import type { CallerRoute } from "../../access/identify.ts";
import type { Policy, ScopeColumns } from "../../access/policy.ts";
import type { CapturedType } from "../../events/event-types.ts";
import type { Code } from "../../base/errors.ts";
import type { Db, Queryable } from "../../store/db.ts";
import type { Attribute } from "./attributes.ts";
import type { Command } from "./command.ts";
import type { Filter } from "./filters.ts";
import type { ReadContext } from "../sql/read.ts";
import type { ResourceInput } from "../request/input.ts";
import type { WriteContext, Written } from "../sql/write.ts";

/**
 * A definition says what a resource is; the kernel derives what follows. It is data: the only functions in it are those
 * of an operation that is written by hand and the `aliases` of an id.
 */
export interface Resource<
  Attributes extends Record<string, Attribute> = Record<string, Attribute>,
> {
  type: string;
  /** One sentence for the reference. */
  description: string;
  table: string;
  /** `account_id`, but for the accounts themselves. */
  tenantColumn?: "id";
  /** SQL that holds for those rows of the table that are resources; the others are as if they were not there. */
  rows?: string;
  /** Whom `identify` lets through to its routes; `data` unless said otherwise. */
  callers?: Exclude<CallerRoute, "data">;
  /** How many resources a page has when the caller does not say. */
  pageSize?: number;
  /** The ETag is this and the version alone, and every change and deletion has to name it in `If-Match`. */
  versionTag?: string;
  /** A change may leave out the `id`: the path names it. JSON:API wants it there, the interface does not always show it. */
  idOptional?: true;
  /** The table counts no versions, since nothing changes it through the interface: the ETag is of the bytes alone. */
  unversioned?: true;

  attributes: Attributes;
  relationships: Record<string, Relationship>;
  references?: Record<string, Reference>;
  filters: Record<string, Filter>;
  sorts: Record<string, Sort>;
  defaultSort: string;

  operations: Operations;
  /** What a scope's ids are compared with, for callers whose permission does not reach the whole church. */
  scopes?: ScopeColumns;
  /** Words for an id that means the caller: `/v1/people/me`. */
  aliases?: Record<string, (actor: Actor) => string>;
  /** Where the fields live that a church defines for itself. */
  customProperties?: true;
  /** Its lists grow with the church: the database counts its rows, and notes what changes of them (`row_counts`). */
  counted?: true;
  /** What is counted in place of `table`, of an account: `rows` says for how many a row stands. */
  counts?: (account: string) => string;
  captures?: { created?: CapturedType; updated?: CapturedType; deleted?: CapturedType };
  /** The database enforces; this supplies the words. */
  constraints?: Record<string, ConstraintWords>;
}

export interface ConstraintWords {
  pointer: string;
  detail: string;
  /** 422 `invalid-attribute` unless said otherwise. */
  code?: Code;
}

export interface ToOne {
  kind: "to-one";
  target: string;
  column: string;
  writable: boolean;
  required: boolean;
  /** What an action is done to: where it is absent the answer is 404, as if it stood in the path. */
  subject?: true;
}

/**
 * Rows of `table` lead from `from` to `to`: a joining table, or the target's own table with `to: "id"`. `where` compares
 * columns of `table` with constants.
 */
export interface ToMany {
  kind: "to-many";
  target: string;
  table: string;
  from: string;
  to: string;
  where?: Record<string, string | readonly string[]>;
  writable: boolean;
}

export type Relationship = ToOne | ToMany;

/** Names a resource and is not followed: so one of any type (a column says which), also if other callers read it. */
export interface Reference {
  target: string | { column: string };
  column: string;
}

export interface Sort {
  column: string;
  /** Columns that are never null can carry a cursor (`page[after]`). */
  nullable?: true;
  descending?: true;
}

export interface Operations {
  list?: Policy;
  read?: Policy;
  create?:
    | Policy
    | (ByHand & {
        run: (context: WriteContext, input: ResourceInput) => Promise<Written>;
        /** 201 unless said otherwise. */
        status?: 201 | 202;
      });
  update?:
    | Policy
    | (ByHand & {
        run: (context: WriteContext, id: string, input: ResourceInput) => Promise<Written>;
      });
  delete?: Policy | { allow: Policy; run: (context: WriteContext, id: string) => Promise<void> };
}

/** An operation with a body that is written by hand. */
export interface ByHand {
  allow: Policy;
  /** Whether there must be an Idempotency-Key, or it is not looked at; taken where it is sent unless said otherwise. */
  key?: KeyUse;
  /** What takes time and must not hold a transaction open. It may refuse. */
  before?: (context: ReadContext & { db: Db }, input: ResourceInput, id?: string) => Promise<void>;
  reveal?: Reveal;
}

export type KeyUse = "required" | "optional" | "ignored";

/**
 * What `data.meta` shows of a secret that was `Written` by reference, now and whenever the answer is repeated. Undefined:
 * it has been replaced since.
 */
export type Reveal = (
  context: { db: Queryable; actor: Actor },
  reference: Record<string, unknown>,
) => Promise<Record<string, unknown> | undefined>;

export const policyOf = (operation: Policy | { allow: Policy }): Policy =>
  "allow" in operation ? operation.allow : operation;

export function resource<const A extends Record<string, Attribute>>(
  definition: Resource<A>,
): Resource<A> {
  return definition;
}

export const toOne = (
  target: string,
  options: { column: string; required?: boolean; subject?: true },
): ToOne => ({ kind: "to-one", target, writable: true, required: false, ...options });

export const toMany = (
  target: string,
  options: Pick<ToMany, "table" | "from" | "to"> & { where?: NonNullable<ToMany["where"]> },
): ToMany => ({ kind: "to-many", target, writable: true, ...options });

/** Shown and followed, but changed elsewhere. */
export const linkOnly = <R extends Relationship>(relationship: R): R => ({
  ...relationship,
  writable: false,
});

/** Who made a record and who changed it last: every resource has both. */
export const authorship = {
  "created-by": linkOnly(toOne("people", { column: "created_by" })),
  "modified-by": linkOnly(toOne("people", { column: "modified_by" })),
};

/** Everything of a resource that has a name; attributes first. */
export const membersOf = (of: Pick<Resource, "attributes" | "references" | "relationships">) =>
  [of.attributes, of.relationships, of.references ?? {}].flatMap((each) => Object.keys(each));

export const columnOf = (name: string, attribute: Attribute): string =>
  attribute.column ?? name.replaceAll("-", "_");

export const tenantOf = (of: Resource): string => of.tenantColumn ?? "account_id";

/** The id that a word for the caller (`me`) means; any other is its own. */
export const meant = ({ aliases = {} }: Pick<Resource, "aliases">, actor: Actor, id: string) =>
  (Object.hasOwn(aliases, id) && aliases[id]?.(actor)) || id;

/** Every type of the interface by its name. Features refer to one another through it, never by import. */
export interface Catalogue {
  resources: ReadonlyMap<string, Resource>;
  commands: ReadonlyMap<string, Command>;
}

export function targetOf(catalogue: Catalogue, relationship: { target: string }): Resource {
  const target = catalogue.resources.get(relationship.target);
  if (!target) throw new Error(`No resource is called ${relationship.target}.`);
  return target;
}
