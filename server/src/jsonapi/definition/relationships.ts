import type { Permission } from "../../access/permissions.ts";
import type { Policy } from "../../access/policy.ts";
import type { RightsChange } from "./attributes.ts";

export interface ToOne<IsRequired extends boolean = boolean> {
  kind: "to-one";
  target: string;
  column: string;
  writable: boolean;
  required: IsRequired;
  /** Further types of targets, each with a column of its own. At most one of all columns is set. */
  alsoTo?: Readonly<Record<string, string>>;
  /** A create sets it. It cannot change afterwards. */
  onlyCreated?: true;
  /** The resource that a command changes. If it does not exist, the answer is 404, as for an id in the path. */
  subject?: true;
  /** The rows are deleted with the resource that they name. Required relationships always do. */
  cascades?: true;
  /** The row stays after the resource that it names is deleted, and then names none. */
  outlives?: true;
  /** The column has no foreign key and keeps the ids of deleted resources. */
  dangling?: true;
  /** Callers with one of these permissions at the resource change it too. The operation has its own rules for them. */
  alsoWritableWith?: readonly Permission[];
  /** A write of it changes the rights of people. */
  changesRights?: RightsChange;
}

/** Read-only and computed by the database from other rows. The expression qualifies columns with the table. */
export interface ComputedToOne {
  kind: "to-one";
  target: string;
  expression: string;
  writable: false;
  required: false;
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
  /** The column of `table` that orders the linkage. The default is the order of the ids. */
  order?: string;
  writable: boolean;
  /** A new resource needs at least one. The operation's `run` rejects it without one. */
  required?: true;
  /** The column `to` has no foreign key and keeps the ids of deleted resources. The linkage shows them too. */
  dangling?: true;
  /** Further links are rejected (422). */
  max?: number;
  /** Only callers with this permission at the resource change the links. Others get 403. */
  writableWith?: Policy;
  /** The linked people gain rights. */
  givesRights?: true;
  /** The links tell more of their targets than names, so callers who read the names alone do not see them. */
  tells?: true;
  /** An SQL condition on the target's row. Links to other resources can stay, but cannot be added (422 with `detail`). */
  only?: { where: string; detail: string };
}

export type Relationship = ToOne | ComputedToOne | ToMany;

/** Shows linkage without links. The target may be of any type (`column` names it), even one that other callers read. */
export interface Reference {
  target: string | { column: string };
  column: string;
}

type ToOneOptions = Pick<
  ToOne,
  | "column"
  | "alsoTo"
  | "alsoWritableWith"
  | "subject"
  | "dangling"
  | "onlyCreated"
  | "cascades"
  | "outlives"
  | "changesRights"
>;

export function toOne(target: string, options: ToOneOptions & { required: true }): ToOne<true>;
export function toOne(target: string, options: ToOneOptions): ToOne<false>;
export function toOne(target: string, options: ToOneOptions & { required?: true }): ToOne {
  return { kind: "to-one", target, writable: true, required: false, ...options };
}

export const computedToOne = (target: string, expression: string): ComputedToOne => ({
  kind: "to-one",
  target,
  expression,
  writable: false,
  required: false,
});

export const toMany = (
  target: string,
  options: Pick<
    ToMany,
    | "table"
    | "from"
    | "to"
    | "where"
    | "order"
    | "dangling"
    | "required"
    | "max"
    | "tells"
    | "only"
    | "writableWith"
    | "givesRights"
  >,
): ToMany => ({ kind: "to-many", target, writable: true, ...options });

/** The types that a relationship can lead to. */
export const targetTypes = (one: Relationship): string[] => [
  one.target,
  ...("alsoTo" in one ? Object.keys(one.alsoTo) : []),
];

/** The columns of a to-one relationship by the type of their targets. */
export const columnsByType = ({
  alsoTo,
  column,
  target,
}: ToOne): Readonly<Record<string, string>> => ({
  [target]: column,
  ...alsoTo,
});

/** The relationship is read-only here. Other routes change it. */
export const linkOnly = <R extends Relationship>(relationship: R): R & { writable: false } => ({
  ...relationship,
  writable: false,
});

/** Whether a document sets the relationship: one that creates a resource, or one that changes it. */
export const isWritable = (one: Relationship, of: "new" | "existing"): boolean =>
  one.writable && (of === "new" || !("onlyCreated" in one));

/** Whether the links have routes that change them. Required links change only with the document of their resource. */
export const isLinkable = (one: Relationship): boolean =>
  isWritable(one, "existing") && !(one.kind === "to-many" && one.required);

/** The permission that the change of links needs, if it differs from that of the resource. */
export const linkPolicyOf = (one: Relationship | undefined): Policy | undefined =>
  one && "writableWith" in one ? one.writableWith : undefined;

/** A person who did something. The linkage outlives the person: reading a deleted author is 404. */
export const author = (column: string) => linkOnly(toOne("people", { column, dangling: true }));

/** The authorship relationships of every resource. */
export const authorship = {
  "created-by": author("created_by"),
  "modified-by": author("modified_by"),
};
