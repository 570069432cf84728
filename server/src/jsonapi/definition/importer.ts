import type { Permission } from "../../access/permissions.ts";
import type { Problem } from "../../base/errors.ts";
import type { WriteContext } from "./resource.ts";

/** The attributes of a resource, in the form of a document. */
export type ImportedValues = Readonly<Record<string, unknown>>;

export const importActions = ["create", "update", "skip", "error"] as const;
export type ImportAction = (typeof importActions)[number];

export interface ImportOptions {
  matchOn: readonly string[];
  onMatch: "skip" | "update";
  /** Keys of earlier rows of the file, and the numbers of those rows. `plan` adds the keys of its own. */
  earlier: Map<string, number>;
}

/** A row of a file. Its texts are converted to the types of the attributes and not checked otherwise. */
export interface ImportRow {
  row: number;
  values: ImportedValues;
  /** The values of attributes whose cells are blank. Only an update writes them. */
  cleared: ImportedValues;
}

/** The action that the run will take for a row. */
export interface PlannedRow {
  row: number;
  action: ImportAction;
  /** The resource that the row matches. */
  id: string | null;
  values: ImportedValues;
  problems: readonly Problem[];
}

/** A row after the run. */
export interface WrittenRow {
  row: number;
  action: ImportAction;
  id: string | null;
  /** The version that the import wrote. */
  version: number | null;
  /** For an update, the former values of what it changed. */
  before: ImportedValues | null;
  problems: readonly Problem[];
}

/** A row whose resource an undo deletes or restores. */
export interface UndoneRow {
  row: number;
  action: ImportAction;
  id: string;
  version: number;
  before: ImportedValues | null;
}

/** A column can name an entry of a list: `phone` is one of the `phones`. */
export interface ListTarget {
  attribute: string;
  /** The member of the entry that the column sets. Without it, the entry is the value itself. */
  member?: string;
}

/** The way in which a feature takes rows of an import. Its manifest publishes it. */
export interface Importer {
  /** The type of the resources. */
  type: string;
  /** Needed in the whole account, beside `import-jobs:write`. */
  needs: Permission;
  /** Writable attributes that an import cannot set. */
  excluded: readonly string[];
  lists: Readonly<Record<string, ListTarget>>;
  /** By the names in `match-on`, the targets that a mapping must contain. */
  matches: Readonly<Record<string, readonly string[]>>;
  /** Decides what the run will do. It writes nothing. */
  plan: (
    context: WriteContext,
    rows: readonly ImportRow[],
    options: ImportOptions,
  ) => Promise<readonly PlannedRow[]>;
  /** Writes rows whose action is `create` or `update`. A row that fails leaves the others alone. */
  write: (context: WriteContext, rows: readonly PlannedRow[]) => Promise<readonly WrittenRow[]>;
  /**
   * Deletes and restores resources that have not changed since. Returns the numbers of these rows. A resource that another
   * record names has changed, unless the name is in one of the `ignored` columns (`table.column`).
   */
  undo: (
    context: WriteContext,
    rows: readonly UndoneRow[],
    ignored: readonly string[],
  ) => Promise<ReadonlySet<number>>;
}
