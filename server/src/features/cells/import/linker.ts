import { ApiError } from "../../../base/errors.ts";
import { optional } from "../../../jsonapi/definition/attributes.ts";
import type {
  Findings,
  ImportOptions,
  Linker,
  LinkRow,
  Made,
  MadeLink,
  WrittenLink,
} from "../../../jsonapi/definition/importer.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { json } from "../../../store/sql.ts";
import {
  deleteMemberships,
  makeMembership,
  membershipIn,
  removableMemberships,
} from "./made-memberships.ts";
import { planMemberships, type WantedMembership } from "./plan-memberships.ts";

/** The column `cell` of an import of people. The person becomes a participant, unless a membership exists. */
export const cellLinker: Linker = {
  name: "cell",
  needs: ["cell-memberships:write", "cells:read"],
  columns: { cell: optional(named(200)) },
  personColumns: ["cell_memberships.person_id"],
  plan: planParticipants,
  write: writeParticipants,
  changed: changedParticipants,
  undo: undoParticipants,
};

const wantedBy = ({ personId, row, values }: LinkRow): WantedMembership => ({
  row,
  personId,
  cell: String(values["cell"]),
  attributes: { "cell-role": "participant" },
});

async function planParticipants(
  context: WriteContext,
  rows: readonly LinkRow[],
  options: ImportOptions,
): Promise<ReadonlyMap<number, Findings>> {
  const planned = await planMemberships(context, rows.map(wantedBy), options);
  return new Map(
    [...planned].map(([row, { problems }]) => [row, { problems, warnings: [] }] as const),
  );
}

async function writeParticipants(
  context: WriteContext,
  rows: readonly WrittenLink[],
): Promise<ReadonlyMap<number, Made>> {
  const wanted = rows.map(wantedBy);
  const planned = await planMemberships(context, wanted, { earlier: new Map() });
  const made = new Map<number, Made>();
  for (const one of wanted) {
    const { cellId = "", exists, problems = [] } = planned.get(one.row) ?? {};
    if (problems.length > 0) throw new ApiError(problems);
    if (!exists) made.set(one.row, await makeMembership(context, one, cellId));
  }
  return made;
}

async function changedParticipants(
  context: WriteContext,
  rows: readonly MadeLink[],
): Promise<ReadonlySet<number>> {
  const { actor, db } = context;
  const made = rows.flatMap((one) => membershipIn(one.made) ?? []);
  const removable = await removableMemberships(context, made);
  const given = rows.map(({ isNew, made: own, personId, row }) => ({
    row,
    person: personId,
    is_new: isNew,
    membership: membershipIn(own),
  }));
  const used = await db<{ row: number; isOwn: boolean; id: string }[]>`
    select given.row, held.id, held.id is not distinct from given.membership as "isOwn"
    from jsonb_to_recordset(${json(given)}::text::jsonb)
      as given (row int, person uuid, is_new boolean, membership uuid)
    join cell_memberships held on held.account_id = ${actor.accountId} and held.person_id = given.person
      and (given.is_new or held.id = given.membership)`;
  return new Set(
    used.filter(({ id, isOwn }) => !isOwn || !removable.has(id)).map(({ row }) => row),
  );
}

async function undoParticipants(context: WriteContext, rows: readonly MadeLink[]): Promise<void> {
  await deleteMemberships(
    context,
    rows.flatMap(({ made }) => membershipIn(made) ?? []),
  );
}
