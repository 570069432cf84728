import type { Actor } from "../../access/actor.ts";
import type { Confirmation } from "../../access/confirmation.ts";
import type { CallerRoute } from "../../access/identify.ts";
import type { Policy, ScopeColumns } from "../../access/policy.ts";
import type { Rights } from "../../access/preset-roles.ts";
import type { Code } from "../../base/errors.ts";
import type { CapturedType } from "../../events/event-types.ts";
import type { Db, Queryable, Tx } from "../../store/db.ts";
import type { Attribute } from "./attributes.ts";
import type { CustomFields } from "./custom-fields.ts";
import type { Filter } from "./filters.ts";
import type { Reference, Relationship, ToOne } from "./relationships.ts";
import type { Found } from "./rows.ts";

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
  delete?:
    | Policy
    | {
        allow: Policy;
        refuses?: readonly Code[];
        run: (context: WriteContext, id: string) => Promise<void>;
      };
}

/** An operation with a body that is written by hand. */
export interface ByHand {
  allow: Policy;
  /** How to use the operation, where the sentences that are true of every resource do not suffice. */
  description?: string;
  /** Error codes that `run` and `before` raise, beyond those of the kernel. */
  refuses?: readonly Code[];
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

/**
 * An action that the caller requests with `POST /v1/<type>`. It is not a resource and cannot be read. The answer is the
 * resource that it created or changed.
 */
export interface Command {
  type: string;
  /** One sentence for the reference. */
  description: string;
  callers?: NonNullable<Resource["callers"]>;
  attributes: Record<string, Attribute>;
  relationships: Record<string, ToOne>;
  allow: Policy;
  key: "required" | "optional";
  status: 201 | 202;
  /** The type of the resource in the answer. */
  answers: string;
  /** Error codes that `run` raises, beyond those of the kernel. */
  refuses?: readonly Code[];
  /** Returns the id of the resource in the answer. */
  run: (context: WriteContext, input: ResourceInput) => Promise<Written>;
  reveal?: Reveal;
}

/** A checked document. No code after the parser sees the body. */
export interface ResourceInput {
  attributes: ReadonlyMap<string, unknown>;
  toOne: ReadonlyMap<string, string | null>;
  toMany: ReadonlyMap<string, readonly string[]>;
  /** The definitions by which the values of custom fields were checked. */
  customFields?: CustomFields | undefined;
}

/** Where an operation reads, which types there are, and for which caller. */
export interface ReadContext {
  db: Queryable;
  catalogue: Catalogue;
  actor: Actor;
  /** The address of the service, which every link begins with. */
  publicUrl: string;
  customFieldsOf: (db: Queryable, actor: Actor, of: Resource) => Promise<CustomFields | undefined>;
}

/** The transaction is the request's. An operation that throws rolls all of it back. */
export interface WriteContext extends ReadContext {
  db: Tx;
  /** The resource the request writes. */
  of: Resource;
  /** The version in `If-Match`. Undefined without the header. */
  expectedVersion: number | undefined;
  /** The request's Idempotency-Key. */
  key: string | undefined;
  /** Reads the account's custom fields and locks them until the transaction ends. */
  holdCustomFields: (tx: Tx, actor: Actor, of: Resource) => Promise<CustomFields>;
  /** Operations that change what a person may do call it before they write. */
  confirmation: Confirmation;
}

export interface Written {
  id: string;
  /** The resource as the write returned it, so that the answer needs no second read. */
  found?: Found;
  /** How the operation's `reveal` finds a secret. It is stored with the answer. The secret never is. */
  reveals?: Record<string, unknown>;
}

/** Every type of the interface by its name. Features refer to each other by these names, never by import. */
export interface Catalogue {
  resources: ReadonlyMap<string, Resource>;
  commands: ReadonlyMap<string, Command>;
  rights: Rights;
}

export const policyOf = (operation: Policy | { allow: Policy }): Policy =>
  "allow" in operation ? operation.allow : operation;

export function resource<const A extends Record<string, Attribute>>(
  definition: Resource<A>,
): Resource<A> {
  return definition;
}

/** Everything of a resource that has a name; attributes first. */
export const membersOf = (of: Pick<Resource, "attributes" | "references" | "relationships">) =>
  [of.attributes, of.relationships, of.references ?? {}].flatMap((each) => Object.keys(each));

export const columnOf = (name: string, attribute: Attribute): string =>
  attribute.column ?? name.replaceAll("-", "_");

export const tenantOf = (of: Resource): string => of.tenantColumn ?? "account_id";

/** The id that a word for the caller (`me`) means; any other is its own. */
export const meant = ({ aliases = {} }: Pick<Resource, "aliases">, actor: Actor, id: string) =>
  (Object.hasOwn(aliases, id) && aliases[id]?.(actor)) || id;

export function targetOf(catalogue: Catalogue, relationship: { target: string }): Resource {
  const target = catalogue.resources.get(relationship.target);
  if (!target) throw new Error(`No resource is called ${relationship.target}.`);
  return target;
}
