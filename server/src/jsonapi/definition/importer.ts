import type { Permission } from "../../access/permissions.ts";
import type { Problem } from "../../base/errors.ts";
import type { Attribute } from "./attributes.ts";
import type { Published, WriteContext } from "./resource.ts";

/** The attributes of a resource, in the form of a document. */
export type ImportedValues = Readonly<Record<string, unknown>>;

export const importActions = ["create", "update", "skip", "error"] as const;
export type ImportAction = (typeof importActions)[number];

export interface ImportOptions {
  matchOn: readonly string[];
  onMatch: "skip" | "update";
  /** Keys of earlier rows of the file, and the numbers of those rows. `plan` adds the keys of its own. */
  earlier: Map<string, number>;
  /** The members that earlier rows of the file add, by household and the like. */
  members: Map<string, number>;
}

/**
 * The codes of faults that the API knows only in files. The last two are warnings, with which a row is written.
 */
export type RowCode =
  | "area-code-missing"
  | "country-code-missing"
  | "too-short"
  | "too-long"
  | "number-unknown"
  | "second-head"
  | "other-address";

/** An error or a warning of a row. */
export type Finding = Pick<Problem, "detail" | "source"> & { code: string };

export interface Findings {
  problems: readonly Problem[];
  warnings: readonly Finding[];
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
  /** The person whom the row matches. */
  id: string | null;
  values: ImportedValues;
  problems: readonly Problem[];
  warnings?: readonly Finding[];
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
  /** The records that the run made beside the person. Only the importer that made them reads it. */
  made: Made | null;
  problems: readonly Problem[];
}

export type Made = Readonly<Record<string, unknown>>;

/** A row that an undo takes back. */
export interface UndoneRow {
  row: number;
  action: ImportAction;
  id: string;
  /** Null if the person was merged since. */
  version: number | null;
  before: ImportedValues | null;
  made: Made | null;
}

/** A row that links a person to other records, such as a household. The id is null for a person whom the run will create. */
export interface LinkRow {
  row: number;
  personId: string | null;
  values: ImportedValues;
}

export interface WrittenLink extends LinkRow {
  personId: string;
  isNew: boolean;
}

/** A row after its run. Without links, `made` is undefined. */
export interface MadeLink {
  row: number;
  personId: string;
  isNew: boolean;
  made: Made | undefined;
}

/**
 * The way in which a feature links the people of an import to its own records, which columns of the file name. Its manifest
 * publishes it. Its problems lead to the column with the name of the linker, whatever their pointers are.
 */
export interface Linker {
  /** The column that names the record. */
  name: string;
  /** Needed in the whole account if the file has such a column. */
  needs: readonly Permission[];
  columns: Readonly<Record<string, Attribute>>;
  /** The columns (`table.column`) that name people and that `changed` compares. */
  personColumns: readonly string[];
  /** Returns the faults of rows by their numbers. It writes nothing. */
  plan: (
    context: WriteContext,
    rows: readonly LinkRow[],
    options: ImportOptions,
  ) => Promise<ReadonlyMap<number, Findings>>;
  /** Writes the links, and returns by row what it made. */
  write: (
    context: WriteContext,
    rows: readonly WrittenLink[],
  ) => Promise<ReadonlyMap<number, Made>>;
  /** Returns the rows whose links have changed since the run. A person whom the run created also has no further links. */
  changed: (context: WriteContext, rows: readonly MadeLink[]) => Promise<ReadonlySet<number>>;
  /** Takes back what the run made. */
  undo: (context: WriteContext, rows: readonly MadeLink[]) => Promise<void>;
}

/** A column can name an entry of a list: `phone` is one of the `phones`. */
export interface ListTarget {
  attribute: string;
  /** The member of the entry that the column sets. Without it, the entry is the value itself. */
  member?: string;
}

export type Matches = Readonly<Record<string, readonly string[]>>;

/** The way in which a feature takes rows of an import. Its manifest publishes it. */
export interface Importer {
  /** The type of the resources. */
  type: string;
  /** Needed in the whole account, beside `import-jobs:write`. */
  needs: readonly Permission[];
  /** Writable attributes that an import cannot set. */
  excluded: readonly string[];
  lists: Readonly<Record<string, ListTarget>>;
  /** By dates, the attributes that take a day and a month whose year is unknown. */
  daysOfYear: Readonly<Record<string, string>>;
  /** Columns that set no attribute. */
  columns: Readonly<Record<string, Attribute>>;
  /** Further columns, which other features read. */
  linkers: (published: Published) => readonly Linker[];
  /**
   * By the names in `match-on`, the targets that a mapping must contain. With `people`, every row means a person who exists: the
   * targets are those of people, and `match-on` is required.
   */
  matches: Matches | "people";
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
