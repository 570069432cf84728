import { toOne } from "../../../jsonapi/definition/relationships.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import {
  isFilledIn,
  publicWrite,
  type Received,
  requestOfVisitor,
  type VisitContext,
} from "../../../jsonapi/definition/public-write.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { forType } from "../../../jsonapi/definition/targets.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import { isReadable } from "../../../jsonapi/sql/read.ts";
import { visitorRequests } from "../../../jsonapi/sql/visitor-requests.ts";
import { unlessRefused } from "../../../jsonapi/sql/write-apart.ts";
import { publicCells } from "../cells/public.ts";
import { cellJoinRequests } from "./definition.ts";
import { lockRequestedCell, requestsClosed } from "./requested-cell.ts";
import { updateJoinRequest } from "./update-join-request.ts";

const fields = {
  attributes: requestOfVisitor,
  relationships: {
    cell: toOne("cells", { column: "cell_id", required: true }),
  },
};

const { arrived, markConfirmed, store, waiting } = visitorRequests(cellJoinRequests, {
  table: "cells",
  column: "cell_id",
  page: (id) => `/cells/${id}?tab=requests`,
});

/** `POST /p/v1/cell-join-requests` */
export const joinRequestsOfVisitors = publicWrite({
  type: "cell-join-requests",
  description:
    "A visitor asks to join a public cell. A second request from the same address, while the first is undecided, counts as the first.",
  ...fields,
  status: 202,
  receipt: {},
  refuses: ["requests-closed", "proof-invalid"],
  run: askToJoin,
  confirmation: { waiting, arrived, confirm },
});

async function askToJoin(
  given: VisitContext,
  { attributes, toOne: { cell: cellId } }: CreateInput<typeof fields>,
): Promise<Received> {
  const context = forType(given, cellJoinRequests);
  const { resource } = context;
  if (!(await isReadable(context, publicCells, cellId))) throw absentTarget(resource, "cell");
  const isProved = await given.visit.checkProof(attributes.proof, given.visit.needsProof);
  const cell = await lockRequestedCell(context, cellId);
  if (!cell.isOpen || !cell.asksVisitors) throw requestsClosed();
  if (isFilledIn(attributes.website)) return {};

  return store(given, {
    given: attributes,
    placeId: cellId,
    toOne: { cell: cellId },
    isProved,
    personIds: await leadersOf(context, cellId),
  });
}

async function leadersOf(
  { actor, db }: Pick<WriteContext, "actor" | "db">,
  cellId: string,
): Promise<string[]> {
  const leaders = await db<{ personId: string }[]>`
    select distinct person_id as "personId" from cell_leaders
    where account_id = ${actor.accountId} and cell_id = ${cellId}`;
  return leaders.map(({ personId }) => personId);
}

/** A cell that is open to all takes the visitor at once. Any condition that rejects a membership leaves the request to staff. */
async function confirm(given: WriteContext, id: string): Promise<void> {
  const context = forType(given, cellJoinRequests);
  const { actor, db } = context;
  const { accountId } = actor;
  const [request] = await db<{ cellId: string; email: string }[]>`
    select cell_id as "cellId", contact ->> 'email' as email from cell_join_requests
    where account_id = ${accountId} and id = ${id} and status = 'pending'`;
  if (!request) return;
  const cell = await lockRequestedCell(context, request.cellId);
  const person = await context.catalogue.published.lockPersonOf(context, request.email);
  await markConfirmed(db, { accountId, id });
  if (!cell.isOpen || cell.joinPolicy !== "open" || person?.isActive === false) return;
  const approval = {
    attributes: { status: "approved" as const },
    toOne: person ? { person: person.id } : {},
    toMany: {},
  };
  await unlessRefused(context, () => updateJoinRequest(context, id, approval));
}
