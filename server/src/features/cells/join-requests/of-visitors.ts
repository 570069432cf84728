import { foldEmail } from "../../../access/logins.ts";
import { toOne } from "../../../jsonapi/definition/relationships.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import {
  isFilledIn,
  normalized,
  publicWrite,
  requestOfVisitor,
} from "../../../jsonapi/definition/public-write.ts";
import {
  forType,
  type WriteContext,
  type Received,
  type ResourceKey,
  type VisitContext,
} from "../../../jsonapi/definition/resource.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import { isReadable } from "../../../jsonapi/sql/read.ts";
import { insertRow } from "../../../jsonapi/sql/write.ts";
import { unlessRefused } from "../../../jsonapi/sql/write-apart.ts";
import type { Queryable } from "../../../store/db.ts";
import { revised } from "../../../store/sql.ts";
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
  const { actor, db, resource } = context;
  if (!(await isReadable(context, publicCells, cellId))) throw absentTarget(resource, "cell");
  const isProved = await given.visit.checkProof(attributes.proof, given.visit.needsProof);
  const cell = await lockRequestedCell(context, cellId);
  if (!cell.isOpen || !cell.asksVisitors) throw requestsClosed();
  if (isFilledIn(attributes.website)) return {};

  const { contact, message } = normalized(attributes);
  const { email } = contact;
  // The lock of the cell makes requests take turns, so there is no second one.
  const [known] = await db<{ id: string }[]>`
    select id from cell_join_requests
    where account_id = ${actor.accountId} and cell_id = ${cellId} and status = 'pending' and source = 'public'
      and lower(contact ->> 'email') = ${foldEmail(email)}`;
  const { id } =
    known ??
    (await insertRow(
      context,
      resource,
      { attributes: { contact, message }, toOne: { cell: cellId }, toMany: {} },
      { source: "'public'" },
    ));
  return {
    // Without a proof, a program could make the service send mails.
    ...(isProved && { confirms: { id, email } }),
    ...(!known && { arrived: { id, personIds: await leadersOf(context, cellId) } }),
  };
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

async function waiting(db: Queryable, { accountId, id }: ResourceKey) {
  const [request] = await db<{ email: string; place: string }[]>`
    select request.contact ->> 'email' as email, cell.name as place
    from cell_join_requests request
    join cells cell on cell.account_id = request.account_id and cell.id = request.cell_id
    where request.account_id = ${accountId} and request.id = ${id} and request.status = 'pending'
      and not request.is_confirmed and request.contact ->> 'email' is not null`;
  return request;
}

async function arrived(db: Queryable, { accountId, id }: ResourceKey) {
  const [request] = await db<{ cellId: string; place: string }[]>`
    select request.cell_id as "cellId", cell.name as place
    from cell_join_requests request
    join cells cell on cell.account_id = request.account_id and cell.id = request.cell_id
    where request.account_id = ${accountId} and request.id = ${id}`;
  return request && { place: request.place, page: `/cells/${request.cellId}` };
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
  await db`
    update cell_join_requests set is_confirmed = true, ${revised()}
    where account_id = ${accountId} and id = ${id} and status = 'pending'`;
  if (!cell.isOpen || cell.joinPolicy !== "open" || person?.isActive === false) return;
  const approval = {
    attributes: { status: "approved" as const },
    toOne: person ? { person: person.id } : {},
    toMany: {},
  };
  await unlessRefused(context, () => updateJoinRequest(context, id, approval));
}
