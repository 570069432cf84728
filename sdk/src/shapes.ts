import type { Base, ResourceType, Types } from "./types.ts";

/** The attributes and relationships of a type. */
export type Member<T extends ResourceType> = Exclude<keyof Types[T]["record"], keyof Base<T>> &
  string;

type LinkName<T extends ResourceType> = keyof Types[T]["links"] & string;
type Target<T extends ResourceType, N extends LinkName<T>> = Types[T]["links"][N] extends {
  to: infer To extends ResourceType;
}
  ? To
  : never;

/** A relationship, or a relationship of the records that it leads to. */
export type IncludePath<T extends ResourceType> = {
  [N in LinkName<T>]: N | `${N}.${LinkName<Target<T, N>>}`;
}[LinkName<T>];

/** The members to read, by type. Types that are not named have all members. */
export type Fields = { readonly [T in ResourceType]?: readonly Member<T>[] | undefined };

/** The parameters that decide which members and related records an answer has. */
export interface Shape<I = string, F = object> {
  include?: readonly I[] | undefined;
  fields?: F | undefined;
  /** Asks what the caller may change: `$meta.may` of a record. */
  meta?: { may?: boolean | undefined } | undefined;
}

export type Sort<T extends ResourceType> = Types[T]["sorts"] | `-${Types[T]["sorts"]}`;

/** A numbered page, or the page after a cursor. An empty cursor begins the walk. */
export type PageChoice =
  | { number?: number | undefined; size?: number | undefined }
  | { cursor: string; size?: number | undefined };

export interface ListQuery<T extends ResourceType, I = IncludePath<T>, F = Fields>
  extends Shape<I, F> {
  filter?: Types[T]["filters"] | undefined;
  sort?: Sort<T> | readonly Sort<T>[] | undefined;
  page?: PageChoice | undefined;
}

/**
 * A record as a query reads it: `Resource<"people", { include: "cells"[]; fields: { people: "full-name"[] } }>`, or
 * `Resource<"people", typeof query>`.
 */
export type Resource<T extends ResourceType, Q extends Shape = object> = T extends ResourceType
  ? Shaped<T, Included<Q>, Q extends { fields: infer F } ? F : object>
  : never;

type Included<Q> = Q extends { include: readonly (infer I extends string)[] } ? I : never;

type Shaped<T extends ResourceType, I extends string, F> = [I] extends [never]
  ? T extends keyof F
    ? Pick<Types[T]["record"], Chosen<T, F> | keyof Base<T>>
    : Types[T]["record"]
  : Pick<Types[T]["record"], Exclude<Chosen<T, F>, Heads<I>> | keyof Base<T>> & {
      [N in Heads<I> & LinkName<T>]: Linked<Types[T]["links"][N], Tails<I, N>, F>;
    };

type Chosen<T extends ResourceType, F> = T extends keyof F
  ? F[T] extends readonly (infer N)[]
    ? N & Member<T>
    : Member<T>
  : Member<T>;

type Heads<I extends string> = I extends `${infer Head}.${string}` ? Head : I;
type Tails<I extends string, N extends string> = I extends `${N}.${infer Tail}` ? Tail : never;

type Linked<L, I extends string, F> = L extends {
  to: infer To extends ResourceType;
  count: infer C;
}
  ? Counted<C, Reached<L, To extends ResourceType ? Shaped<To, I, F> : never>>
  : never;

type Counted<C, R> = C extends "many" ? R[] : C extends "one" ? R : R | null;

/** An optional link can lead to a record that was deleted, or that the caller cannot read. Only its identity is certain. */
type Reached<L, R> = L extends { gone: true } | { count: "none or one" }
  ? R extends Base<infer T>
    ? Pick<R, "id" | "$type"> & Partial<Omit<R, keyof Base<T>>>
    : never
  : R;
