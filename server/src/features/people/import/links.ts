import { ApiError, type Problem } from "../../../base/errors.ts";
import type {
  Finding,
  Findings,
  ImportedValues,
  ImportOptions,
  Linker,
  LinkRow,
  Made,
  MadeLink,
  PlannedRow,
  UndoneRow,
  WrittenLink,
} from "../../../jsonapi/definition/importer.ts";
import type { Catalogue, Published, WriteContext } from "../../../jsonapi/definition/resource.ts";

/** Columns of an import that link a person to records of other features: a household, tags, a cell. */

export const linkers = ({
  cellLinker,
  householdLinker,
  tagLinker,
}: Published): readonly Linker[] => [householdLinker, tagLinker, cellLinker];

const linkersIn = ({ catalogue }: { catalogue: Catalogue }) => linkers(catalogue.published);

const columnsOf = (all: readonly Linker[]) =>
  Object.assign({}, ...all.map(({ columns }) => columns)) as Linker["columns"];

/** The values of the person, and the values of links. */
export function splitValues(
  context: { catalogue: Catalogue },
  values: ImportedValues,
): { person: ImportedValues; links: ImportedValues } {
  const columns = columnsOf(linkersIn(context));
  const { links = [], person = [] } = Object.groupBy(Object.entries(values), ([name]) =>
    Object.hasOwn(columns, name) ? "links" : "person",
  );
  return { person: Object.fromEntries(person), links: Object.fromEntries(links) };
}

/** The columns of links, in the form of a type whose documents the API can check. */
export const linkColumns = (context: { catalogue: Catalogue }) => ({
  type: "links",
  attributes: columnsOf(linkersIn(context)),
  relationships: {},
});

/** Makes errors of the rows whose links the run could not write. Rows with other errors are checked too. */
export async function planLinks(
  context: WriteContext,
  planned: readonly PlannedRow[],
  options: ImportOptions,
): Promise<readonly PlannedRow[]> {
  const found: { linker: Linker; findings: ReadonlyMap<number, Findings> }[] = [];
  for (const linker of linkersIn(context)) {
    const names = Object.keys(linker.columns);
    const rows = planned
      .filter(
        ({ action, problems }) =>
          action !== "skip" && !problems.some((one) => names.some((name) => isAbout(one, name))),
      )
      .map(({ id, row, values }): LinkRow => ({ row, personId: id, values }));
    const own = rowsOf(linker, rows);
    if (own.length > 0) found.push({ linker, findings: await linker.plan(context, own, options) });
  }
  return planned.map((one) => {
    const problems = [...one.problems];
    const warnings: Finding[] = [];
    for (const { findings, linker } of found) {
      const known = findings.get(one.row);
      for (const wrong of known?.problems ?? [])
        problems.push({ ...wrong, source: sourceOf(linker) });
      warnings.push(...(known?.warnings ?? []));
    }
    return { ...one, action: problems.length > 0 ? "error" : one.action, problems, warnings };
  });
}

/** Whether a problem leads to this attribute or to a part of it. */
export const isAbout = ({ source }: Problem, name: string): boolean =>
  source !== undefined &&
  "pointer" in source &&
  `${source.pointer}/`.startsWith(`/data/attributes/${name}/`);

const rowsOf = <R extends LinkRow>({ name }: Linker, rows: readonly R[]): R[] =>
  rows.filter(({ values }) => values[name] !== undefined);

/** Links people who are written already. Returns what each linker made, by row. */
export async function writeLinks(
  context: WriteContext,
  rows: readonly WrittenLink[],
): Promise<ReadonlyMap<number, Made>> {
  const made = new Map<number, Record<string, unknown>>();
  for (const linker of linkersIn(context)) {
    const own = rowsOf(linker, rows);
    if (own.length === 0) continue;
    for (const [row, records] of await written(linker, context, own))
      made.set(row, { ...made.get(row), [linker.name]: records });
  }
  return made;
}

/** A row has no document of the record that is linked, so an error leads to the column that names it. */
const sourceOf = ({ name }: Linker) => ({ pointer: `/data/attributes/${name}` });

async function written(linker: Linker, context: WriteContext, rows: readonly WrittenLink[]) {
  try {
    return await linker.write(context, rows);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(error.problems.map((one) => ({ ...one, source: sourceOf(linker) })));
  }
}

/** The columns that `changedLinks` compares. */
export const linkedColumns = (context: { catalogue: Catalogue }): string[] =>
  linkersIn(context).flatMap(({ personColumns }) => personColumns);

/** The rows whose links are not as the run left them. */
export async function changedLinks(
  context: WriteContext,
  rows: readonly UndoneRow[],
): Promise<ReadonlySet<number>> {
  const changed = new Set<number>();
  for (const linker of linkersIn(context))
    for (const row of await linker.changed(context, linksOf(linker, rows))) changed.add(row);
  return changed;
}

/** Takes back what the run made beside the people. */
export async function undoLinks(context: WriteContext, rows: readonly UndoneRow[]): Promise<void> {
  for (const linker of linkersIn(context)) {
    const own = linksOf(linker, rows).filter(({ made }) => made !== undefined);
    if (own.length > 0) await linker.undo(context, own);
  }
}

const linksOf = ({ name }: Linker, rows: readonly UndoneRow[]): MadeLink[] =>
  rows.map(({ action, id, made, row }) => ({
    row,
    personId: id,
    isNew: action === "create",
    made: made?.[name] as Made | undefined,
  }));
