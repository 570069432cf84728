import { ApiError, type Problem } from "../../../base/errors.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import type {
  ImportedValues,
  Importer,
  ImportOptions,
  ImportRow,
  PlannedRow,
  UndoneRow,
  WrittenRow,
} from "../../../jsonapi/definition/importer.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { parseRow } from "../../../jsonapi/sql/parse-row.ts";
import { writeApart } from "../../../jsonapi/sql/write-apart.ts";
import { cellMemberships } from "../memberships/definition.ts";
import {
  deleteMemberships,
  makeMembership,
  membershipIn,
  removableMemberships,
} from "./made-memberships.ts";
import { planMemberships, type WantedMembership } from "./plan-memberships.ts";

const columns = { cell: named(200) };

const rowFields = {
  type: cellMemberships.type,
  attributes: { ...cellMemberships.attributes, ...columns },
  relationships: {},
};

/** Imports memberships from a file. Each row names a cell and a person, who must exist. */
export const cellMembershipImporter: Importer = {
  type: "cell-memberships",
  needs: ["cell-memberships:write", "cells:read", "people:read"],
  excluded: [],
  lists: {},
  daysOfYear: {},
  columns,
  linkers: () => [],
  matches: "people",
  plan: planRows,
  write: (context, rows) => writeApart(context, rows, (some) => writeAll(context, some)),
  undo: undoRows,
};

async function planRows(
  context: WriteContext,
  rows: readonly ImportRow[],
  options: ImportOptions,
): Promise<readonly PlannedRow[]> {
  const people = await context.catalogue.published.findPeople(context, rows, options);
  const read = rows.map(({ row, values }) => {
    const { id = null, problems = [] } = people.get(row) ?? {};
    const one = readRow(context, { row, id, values });
    const cell = typeof values["cell"] === "string" ? values["cell"] : undefined;
    return { ...one, row, id, cell, problems: [...problems, ...one.problems] };
  });
  // A row that is wrong otherwise may also name a cell that does not exist. A visitor may join any open cell.
  const planned = await planMemberships(
    context,
    read.flatMap(({ cell, membership, problems, row }): WantedMembership[] => {
      if (membership && problems.length === 0) return [membership];
      const attributes = { "cell-role": "visitor" } as const;
      return cell === undefined ? [] : [{ row, personId: null, cell, attributes }];
    }),
    options,
  );
  return read.map(({ id, problems: own, row, values }): PlannedRow => {
    const { exists = false, problems: ofCell = [] } = planned.get(row) ?? {};
    const problems = [...own, ...ofCell];
    if (problems.length > 0) return { row, action: "error", id, values: {}, problems };
    return { row, action: exists ? "skip" : "create", id, values, problems };
  });
}

interface ReadRow {
  values: ImportedValues;
  problems: readonly Problem[];
  /** Undefined if there are problems. */
  membership?: WantedMembership;
}

function readRow(
  context: WriteContext,
  { id, row, values: given }: Pick<PlannedRow, "id" | "row" | "values">,
): ReadRow {
  const { attributes: parsed, problems, values } = parseRow(context, rowFields, given);
  if (!parsed) return { values, problems };
  const { cell, ...attributes } = parsed;
  return { values, problems, membership: { row, personId: id, cell, attributes } };
}

async function writeAll(
  context: WriteContext,
  rows: readonly PlannedRow[],
): Promise<readonly WrittenRow[]> {
  const wanted = rows.map((one) => {
    const { membership, problems } = readRow(context, one);
    if (!membership) throw new ApiError(problems);
    return membership;
  });
  const planned = await planMemberships(context, wanted, { earlier: new Map() });
  const written: WrittenRow[] = [];
  for (const one of wanted) {
    const { cellId = "", exists = false, problems = [] } = planned.get(one.row) ?? {};
    if (problems.length > 0) throw new ApiError(problems);
    const made = exists ? null : await makeMembership(context, one, cellId);
    written.push({
      row: one.row,
      action: exists ? "skip" : "create",
      id: one.personId,
      version: exists ? null : 1,
      before: null,
      made,
      problems: [],
    });
  }
  return written;
}

async function undoRows(
  context: WriteContext,
  rows: readonly UndoneRow[],
): Promise<ReadonlySet<number>> {
  const removable = await removableMemberships(
    context,
    rows.flatMap(({ made }) => membershipIn(made) ?? []),
  );
  await deleteMemberships(context, removable);
  return new Set(
    rows.filter(({ made }) => removable.has(membershipIn(made) ?? "")).map(({ row }) => row),
  );
}
