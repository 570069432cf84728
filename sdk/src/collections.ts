import type { Fields, IncludePath, ListQuery, PageChoice, Resource, Shape } from "./shapes.ts";
import type {
  Actions,
  Commands,
  Identifier,
  Meta,
  Reference,
  ResourceType,
  Types,
} from "./types.ts";

export interface Options {
  signal?: AbortSignal | undefined;
}

/** Repeating a write with the same key has no second effect for 24 hours. */
export interface WriteOptions<I = string, F = object> extends Options, Shape<I, F> {
  idempotencyKey?: string | undefined;
}

export interface ChangeOptions<I = string, F = object> extends WriteOptions<I, F> {
  /** The version to change. The default is that of the record. */
  etag?: string | undefined;
}

/** `create: true` in `may` says that the caller may create records of the type. */
export interface PageMeta extends Omit<Meta, "may"> {
  may?: { create?: boolean; [name: string]: unknown };
}

export interface Page<R> {
  items: R[];
  /** The number of records on all pages. */
  total: number;
  /** Absent with a cursor. */
  pageCount?: number;
  meta: PageMeta;
  /** The \`page\` of the query that reads the next page. Absent on the last page. */
  next?: PageChoice;
}

interface Listed<T extends ResourceType> {
  page<const I extends IncludePath<T> = never, const F extends Fields = object>(
    query?: ListQuery<T, I, F>,
    options?: Options,
  ): Promise<Page<Resource<T, { include: readonly I[]; fields: F }>>>;
  /** Reads all pages, one after the other. */
  list<const I extends IncludePath<T> = never, const F extends Fields = object>(
    query?: ListQuery<T, I, F>,
    options?: Options,
  ): AsyncGenerator<Resource<T, { include: readonly I[]; fields: F }>, void, undefined>;
}

interface Readable<T extends ResourceType> {
  get<const I extends IncludePath<T> = never, const F extends Fields = object>(
    id: Reference<T>,
    query?: Shape<I, F>,
    options?: Options,
  ): Promise<Resource<T, { include: readonly I[]; fields: F }>>;
}

interface Creatable<V, T extends ResourceType> {
  create<const I extends IncludePath<T> = never, const F extends Fields = object>(
    values: V,
    options?: WriteOptions<I, F>,
  ): Promise<Resource<T, { include: readonly I[]; fields: F }>>;
}

interface Changeable<T extends ResourceType> {
  /** Sends the version that was read. Another change since then fails with `stale-version`. */
  update<const I extends IncludePath<T> = never, const F extends Fields = object>(
    record: Versioned<T>,
    changes: Types[T]["change"],
    options?: ChangeOptions<I, F>,
  ): Promise<Resource<T, { include: readonly I[]; fields: F }>>;
}

interface Deletable<T extends ResourceType> {
  delete(record: Versioned<T>, options?: Options & { etag?: string | undefined }): Promise<void>;
}

interface Linkable<T extends ResourceType> {
  /** The links of a to-many relationship. */
  link<N extends Types[T]["linkable"] & keyof Types[T]["links"]>(
    record: Reference<T>,
    name: N,
  ): Links<Types[T]["links"][N] extends { to: infer To extends ResourceType } ? To : never>;
}

/** A record, its identifier or its id. A record carries its version. */
export type Versioned<T extends ResourceType> =
  | string
  | { readonly id: string; readonly $type?: T; readonly $etag?: string };

type References<T extends ResourceType> = Reference<T> | readonly Reference<T>[];

/** Each change resolves with all links. */
export interface Links<T extends ResourceType> {
  add(targets: References<T>, options?: LinkOptions): Promise<Identifier<T>[]>;
  remove(targets: References<T>, options?: LinkOptions): Promise<Identifier<T>[]>;
  replace(targets: References<T>, options?: LinkOptions): Promise<Identifier<T>[]>;
}

export type LinkOptions = Pick<ChangeOptions, "etag" | "idempotencyKey" | "signal">;

export interface FileOptions extends Options {
  etag?: string | undefined;
  /** The media type, if the file does not have one. */
  type?: string | undefined;
  /** The name, if the file does not have one. */
  name?: string | undefined;
}

interface Replaceable<T extends ResourceType> {
  put(file: Blob, options?: FileOptions): Promise<Resource<T>>;
}
interface Addable<T extends ResourceType> {
  post(file: Blob, options?: FileOptions): Promise<Resource<T>>;
}
interface Removable {
  delete(options?: Options & { etag?: string | undefined }): Promise<void>;
}

type FileMethods<T extends ResourceType, D> = D extends { creates: infer C; removable: infer R }
  ? ([C] extends [ResourceType] ? ([C] extends [never] ? Replaceable<T> : Addable<C>) : never) &
      (R extends true ? Removable : object)
  : never;

type Files<T extends ResourceType> = {
  [N in keyof Types[T]["files"]]: (record: Reference<T>) => FileMethods<T, Types[T]["files"][N]>;
};

type If<Does, Name, Methods> = Name extends Does ? Methods : object;

/** The operations of a type that the service has. */
export type Collection<T extends ResourceType> = If<Types[T]["does"], "list", Listed<T>> &
  If<Types[T]["does"], "get", Readable<T>> &
  If<Types[T]["does"], "create", Creatable<Types[T]["create"], T>> &
  If<Types[T]["does"], "update", Changeable<T>> &
  If<Types[T]["does"], "delete", Deletable<T>> &
  ([Types[T]["linkable"]] extends [never] ? object : Linkable<T>) &
  Files<T>;

type CamelCase<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

interface Action<V> {
  create(values: V, options?: Pick<WriteOptions, "idempotencyKey" | "signal">): Promise<void>;
}

/** `v.people`, `v.courseEnrollments`: a collection for each type. */
export type Collections = { readonly [T in ResourceType as CamelCase<T>]: Collection<T> } & {
  readonly [C in keyof Commands as CamelCase<C>]: Creatable<
    Commands[C]["create"],
    Commands[C]["answers"] & ResourceType
  >;
} & {
  readonly [A in keyof Actions as CamelCase<A>]: Action<Actions[A]>;
};
