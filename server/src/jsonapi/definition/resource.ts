import type { Actor } from "../../access/actor.ts";
import type { Confirmation } from "../../access/confirmation.ts";
import type { CallerRoute } from "../../access/identify.ts";
import type { Permission } from "../../access/permissions.ts";
import type { Policy } from "../../access/policy.ts";
import type { Rights } from "../../access/rights.ts";
import type { Path, Paths } from "../../access/reach.ts";
import type { ScopeKinds } from "../../access/scopes.ts";
import type { Code, UnruledCode } from "../../base/errors.ts";
import type { StateMachine } from "../../base/transitions.ts";
import type { CapturedType, EventExamples, EventTypes } from "../../events/event-types.ts";
import type { Db, Queryable, Tx } from "../../store/db.ts";
import type { Files } from "../../store/files/files.ts";
import type { ImageSize } from "../../store/files/image.ts";
import type { FileType } from "../../store/files/media-types.ts";
import type { Attribute } from "./attributes.ts";
import type { ConstraintWords } from "./constraint-words.ts";
import type { CustomFields } from "./custom-fields.ts";
import type { Filter } from "./filters.ts";
import type { CreateInput, Fields, ResourceInput, UpdateInput } from "./input.ts";
import type { PersonColumns } from "./merge.ts";
import type { Reference } from "./relationships.ts";
import type { Found, Row } from "./rows.ts";
import type { Nearby, Sort } from "./sorts.ts";

/**
 * Definitions, their operations, and the contexts in which operations run. They name each other, so they share this file.
 */

/**
 * The definition of a resource, from which the kernel derives routes, statements and documents. It is data. The only
 * functions in it are handwritten operations, the `aliases` of an id and the `check` of an attribute.
 */
export interface Resource<F extends Fields = Fields> {
  type: string;
  /** One sentence for the reference. */
  description: string;
  table: string;
  /** The default is `account_id`. The table of accounts uses its own id. */
  accountColumn?: "id";
  /** An SQL condition. The rows that do not match are not resources and are never visible. */
  rows?: string;
  /** Rows that no request changes or deletes, by a condition of SQL, and the error for attempts. */
  unchangeable?: { where: string; code: UnruledCode; detail: string };
  /** The kind of callers that `identify` accepts. The default is `data`. */
  callers?: Exclude<CallerRoute, "data">;
  /** The default page size. */
  pageSize?: number;
  /** The largest page, for a type whose rows are read together. The default is `limits.pageSizeMax`. */
  pageSizeMax?: number;
  /** The ETag consists of this tag and the version. Every update and deletion requires it in `If-Match`. */
  versionTag?: string;
  /** An update may leave out the `id`, which JSON:API requires in the body. */
  idOptional?: true;
  /** The table has no version, because no route changes it. The ETag is a hash of the document. */
  unversioned?: true;

  attributes: F["attributes"];
  relationships: F["relationships"];
  references?: Record<string, Reference>;
  /** Attributes of the public area that each read makes, such as a token. A feature serves the type and adds them. */
  issued?: Record<string, Attribute>;
  filters: Record<string, Filter>;
  sorts: Record<string, Sort>;
  defaultSort: string;
  /** Lists accept a place and a radius: `filter[lat]`, `filter[lng]` and `filter[km]`. */
  nearby?: Nearby;

  operations: Operations;
  /** Changes that are actions of the resource, for `meta.may`. */
  actions?: Readonly<Record<string, Action>>;
  /** The files that callers send to a resource, by the last segment of the path. */
  files?: Readonly<Record<string, FileOperation>>;
  /** How scopes reach the rows, for callers whose permission does not cover the whole account. */
  reach?: Paths;
  /**
   * The relationship that places a resource. Callers create resources, and move them, only at places in their scope. Without
   * it, creating a resource needs the whole account. If there are several, the first one that a document sets is the place.
   */
  place?: string | readonly string[];
  /** The members of a row that callers see if no grant of `fullWith` reaches it. */
  reduced?: ReducedView;
  /** Words for an id that means the caller: `/v1/people/me`. */
  aliases?: Record<string, (actor: Actor) => string>;
  /** The type has custom fields. */
  customProperties?: true;
  captures?: { created?: CapturedType; updated?: CapturedType; deleted?: CapturedType };
  /** The error texts for constraints, by their names. */
  constraints?: Record<string, ConstraintWords>;
}

export interface ReducedView {
  members: readonly string[];
  /** The filters that match reduced rows, beyond those named like a shown member. Other filters match none of them. */
  filters?: readonly string[];
  /** Those of the members that callers see who read the names alone. */
  names?: readonly string[];
  /** Those of the filters that match rows of which the caller reads the names alone, beyond those named like such a member. */
  namesFilters?: readonly string[];
  fullWith: Permission;
}

/**
 * A list of computed rows, which no table contains. A single row cannot be read, and the definition lists all filters and
 * sorts. `run` returns a page in the layout of the type.
 */
export interface ComputedList {
  allow: Policy;
  run: (context: ReadContext, query: ComputedQuery) => Promise<ComputedPage>;
}

export interface ComputedQuery {
  /** The condition for rows that the caller reaches and that match the filters. */
  where: (statement: { readonly account: string; bind(value: unknown): string }) => string;
  /** The values of the filters. */
  filters: ReadonlyMap<string, string>;
  descending: boolean;
  limit: number;
  offset: number;
}

export interface ComputedPage {
  rows: Row[];
  total: number;
}

export interface Operations<F extends Fields = Fields> {
  list?: Policy | ComputedList;
  read?: Policy;
  create?:
    | Policy
    | (HandwrittenOperation<CreateInput<F>> & {
        run: (context: WriteContext<F>, input: CreateInput<F>) => Promise<Written>;
        /** The default is 201. */
        status?: 201 | 202;
        /** The actions that a new resource is for the resources that it names, by relationship, for `meta.may`. */
        actsOn?: Readonly<Record<string, Readonly<Record<string, Action>>>>;
        /** These permissions count in any scope. `run` decides what their holders may create, and where. */
        anyScope?: readonly Permission[];
      });
  update?:
    | Policy
    | (HandwrittenOperation<UpdateInput<F>> & {
        run: (context: WriteContext<F>, id: string, input: UpdateInput<F>) => Promise<Written>;
        /** These permissions count only for the rows whose column names the caller, in whatever scope the caller holds them. */
        ofCreators?: Readonly<Partial<Record<Permission, Path>>>;
        /** The rules under which the caller changes single members, beyond the permissions of the members. */
        changesIf?: Readonly<Record<string, RowCondition>>;
      });
  delete?:
    | Policy
    | ({
        allow: Policy;
        refuses?: readonly Code[];
        run: (context: WriteContext<F>, id: string) => Promise<void>;
      } & RowConditions);
}

/** An operation that the feature implements itself. */
export interface HandwrittenOperation<Input = ResourceInput> extends RowConditions {
  allow: Policy;
  /** Rules of the operation for clients, beyond the general rules. */
  description?: string;
  /** Error codes that `run` and `before` raise, beyond those of the kernel. */
  refuses?: readonly Code[];
  /** Whether an Idempotency-Key is required, optional (the default) or ignored. */
  key?: KeyUse;
  /** An id of a person who was merged never means the person who was kept. */
  idsAreLiteral?: true;
  /**
   * Slow work before the transaction, such as a DNS look-up. It may throw, or return another input. The Idempotency-Key and
   * the version have not been compared yet, so it must be safe to repeat.
   */
  before?: (
    context: ReadContext & { db: Db },
    input: Input,
    id?: string,
  ) => Promise<Input | undefined>;
  reveal?: Reveal;
}

/**
 * A condition of SQL on one row, in which the caller and the caller's rights stand as values (`row-conditions.ts`). `meta.may` shows the
 * rules of a resource, which one statement evaluates.
 */
export interface RowCondition {
  readonly texts: readonly string[];
  readonly parts: readonly RowPart[];
}

export type RowPart =
  /** Constant SQL. */
  | string
  | RowCondition
  /** The id of the caller's person. */
  | { readonly kind: "caller" }
  /** The caller's administrative status. */
  | { readonly kind: "status" }
  /** The permissions that the caller holds in the whole account. */
  | { readonly kind: "permissions" }
  /** Whether the caller reaches the row with a policy. */
  | { readonly kind: "at"; readonly policy: Policy }
  /** Whether the caller holds a permission in the whole account. */
  | { readonly kind: "in-account"; readonly permission: Permission }
  | Question;

/** A comparison of rights that needs statements of its own. Questions with the same key have the same answer. */
export interface Question {
  readonly kind: "question";
  readonly key: string;
  /** Only callers with one of these permissions beyond their own records are asked about. For others it is false. */
  readonly needs: readonly Permission[];
  readonly ask: (context: ReadContext, id: string) => Promise<boolean>;
}

/** The rules of `run` that depend on the row and the caller alone, and not on the document. `meta.may` shows them. */
export interface RowConditions {
  /** Whether the caller has the right. The default is the reach of `allow`. */
  allowedIf?: RowCondition;
  /** The errors that the present state of the row causes, in the order in which they are judged. */
  refusedIf?: Readonly<Partial<Record<Exclude<Code, "forbidden">, RowCondition>>>;
}

/** An action on a resource, as `meta.may` shows it. */
export interface Action extends RowConditions {
  /** The attributes with which the resource is changed, or with which the new resource is created. */
  sets?: Readonly<Record<string, unknown>>;
}

/**
 * A file that callers send to a resource, as the bytes of the body: `PUT /v1/people/:id/photo`. The kernel checks the caller, the
 * type, the size and the content, and stores the bytes. `run` inserts the row of the file (`addFile`) and names it, in the
 * transaction. If it throws, the bytes are removed.
 */
export interface FileOperation<F extends Fields = Fields> {
  /** For the reference. */
  description: string;
  /** The caller needs it on the resource. */
  allow: Policy;
  types: readonly FileType[];
  bytesMax: number;
  /** The file is an image, and is stored as a JPEG of this size. Other files keep their bytes and need a name. */
  image?: ImageSize;
  /** Each file is a new resource of this type, and `run` returns its id: `POST` and 201 instead of `PUT` and 200. */
  creates?: string;
  refuses?: readonly Code[];
  run: (context: WriteContext<F>, id: string, file: NewFile) => Promise<Written>;
  /** Makes `DELETE` of the same path. */
  remove?: (context: WriteContext<F>, id: string) => Promise<unknown>;
}

/** A file whose bytes are stored and that has no row yet. */
export interface NewFile {
  readonly id: string;
  readonly name: string;
  readonly mediaType: FileType;
  readonly bytes: number;
}

export type KeyUse = "required" | "optional" | "ignored";

/**
 * Looks up or makes the secret that `data.meta` shows, for the first answer and for repeated ones. Returns undefined if the
 * secret has been replaced.
 */
export type Reveal = (
  context: Pick<ReadContext, "db" | "actor" | "catalogue" | "publicUrl">,
  reference: Record<string, unknown>,
) => Promise<Record<string, unknown> | undefined>;

/** The context in which an operation reads: the database, the catalogue and the caller. */
export interface ReadContext {
  db: Queryable;
  catalogue: Catalogue;
  actor: Actor;
  /** The address of the service, with which every link starts. */
  publicUrl: string;
  files: Files;
  customFieldsOf: (
    db: Queryable,
    actor: Actor,
    resource: Resource,
  ) => Promise<CustomFields | undefined>;
}

/** The transaction is the request's. An operation that throws rolls all of it back. */
export interface WriteContext<F extends Fields = Fields> extends ReadContext {
  db: Tx;
  /** The resource the request writes. */
  resource: Resource<F>;
  /** The version in `If-Match`. Undefined without the header. */
  expectedVersion: number | undefined;
  /** The request's Idempotency-Key. */
  key: string | undefined;
  /** Whether the service can send mail. */
  sendsMail: boolean;
  /** Reads the account's custom fields and locks them until the transaction ends. */
  lockCustomFields: (tx: Tx, actor: Actor, resource: Resource) => Promise<CustomFields>;
  /** Operations that change what a person may do call it before they write. */
  confirmation: Confirmation;
}

export interface Written {
  id: string;
  /** The resource as the write returned it, so that the answer needs no second read. */
  found?: Found;
  /** `data.meta` of the answer. */
  meta?: Record<string, unknown>;
  /** How the operation's `reveal` finds a secret. It is stored with the answer. The secret never is. */
  reveals?: Record<string, unknown>;
}

/** Every resource of the interface by its type. Features refer to each other by these names, never by import. */
export interface Catalogue {
  resources: ReadonlyMap<string, Resource>;
  declared: Declared;
  personColumns: PersonColumns;
  forgets: readonly ForgetPerson[];
  /** The columns that still name a person who was anonymized. */
  keptColumns: ReadonlySet<string>;
  published: Published;
  states: readonly StateMachine[];
}

/** The declarations of all features together. */
export interface Declared extends Rights {
  scopes: ScopeKinds;
  events: EventTypes;
  eventExamples: EventExamples;
}

/** The person is deleted, or stays as a record without identity. */
export type Forgetting = "deleted" | "anonymized";

/**
 * Removes a person's identity from rows of a feature that stay, because they count: ends memberships, and empties notes. The
 * person is locked. Rows that do not stay need no function, because the foreign keys to people say what becomes of them.
 */
export type ForgetPerson = (
  context: WriteContext,
  personId: string,
  forgetting: Forgetting,
) => Promise<void>;

/**
 * Functions that a feature publishes for others. Each feature adds its own with `declare module`, next to the functions
 * of its manifest.
 */
export interface Published {}

interface TypedResource<F extends Fields> extends Omit<Resource<F>, "operations" | "files"> {
  operations: Operations<F>;
  files?: Readonly<Record<string, FileOperation<F>>>;
}

/** Checks the operations of a definition against its fields. The kernel calls them with documents of those fields. */
export function resource<
  const A extends Fields["attributes"],
  const R extends Fields["relationships"],
>(
  definition: TypedResource<{ attributes: A; relationships: R }>,
): Resource<{ attributes: A; relationships: R }>;
export function resource(definition: Resource): Resource {
  return definition;
}
