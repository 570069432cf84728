import { lockPeople } from "../../../access/locks.ts";
import { fail, invalid, notAllowedHere, notFound } from "../../../base/errors.ts";
import { isId } from "../../../base/ids.ts";
import { checkTransition } from "../../../base/transitions.ts";
import type { UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { assertMayChange, AUTHOR, updateRow } from "../../../jsonapi/sql/write.ts";
import { assertMayAt } from "../may-at.ts";
import { lockMembers } from "../memberships/begin-and-end.ts";
import { lockCell } from "../memberships/locks.ts";
import { lockTree } from "../tree.ts";
import type { MultiplicationFields } from "./fields.ts";
import { multiply } from "./multiply.ts";
import { assertMembers, assertNewCell } from "./proposal.ts";
import { type MultiplicationStatus, multiplicationTransitions } from "./statuses.ts";

interface Multiplication {
  parentCellId: string;
  status: MultiplicationStatus;
  createdBy: string | null;
}

/** PATCH /v1/cell-multiplications/:id. The proposer changes a proposal. An approval carries it out. */
export async function updateMultiplication(
  context: WriteContext<MultiplicationFields>,
  id: string,
  input: UpdateInput<MultiplicationFields>,
): Promise<Written> {
  await assertMayChange(context, context.resource, id);
  const { actor, db, resource } = context;
  await lockPlace(context, id, input);
  const [before] = await db<Multiplication[]>`
    select parent_cell_id as "parentCellId", status, created_by as "createdBy"
    from cell_multiplications where account_id = ${actor.accountId} and id = ${id} for no key update`;
  if (!before) throw notFound();

  const status = input.attributes.status ?? before.status;
  const decides = checkTransition(multiplicationTransitions, before.status, status);
  if (decides)
    await assertMayAt(
      context,
      "cell-multiplications:approve",
      before.parentCellId,
      "/data/attributes/status",
    );
  if (status !== "rejected" && input.attributes["decline-reason"])
    throw invalid(
      "/data/attributes/decline-reason",
      notAllowedHere("Only a rejected multiplication has a reason."),
    );
  await checkProposal(context, before, input);
  if (!decides) return updateRow(context, resource, id, input);

  const { status: _, ...proposal } = input.attributes;
  await updateRow(context, resource, id, { ...input, attributes: proposal });
  const isApproved = status === "approved";
  const decision = {
    attributes: { status: isApproved ? "done" : "rejected" },
    toOne: isApproved ? { "resulting-cell": await multiply(context, id, before.parentCellId) } : {},
    toMany: {},
  } as const;
  const decided = { decided_at: "now()", decided_by: AUTHOR };
  return updateRow({ ...context, expectedVersion: undefined }, resource, id, decision, decided);
}

/** An approval changes the tree, the cell and its members. They are locked before the multiplication, which names people. */
async function lockPlace(
  context: WriteContext,
  id: string,
  { attributes, toMany }: UpdateInput<MultiplicationFields>,
): Promise<void> {
  const { actor, db } = context;
  const { accountId } = actor;
  if (attributes.status === "approved") {
    const [place] = await db<{ cellId: string }[]>`
      select parent_cell_id as "cellId" from cell_multiplications
      where account_id = ${accountId} and id = ${id}`;
    if (!place) return;
    await lockTree(db, accountId);
    await lockCell(db, accountId, place.cellId);
    await lockMembers(context, place.cellId);
  } else await lockPeople(db, accountId, Object.values(toMany).flat().filter(isId), "key share");
}

/** The proposer, and those who decide about it, may change a proposal until it is decided. */
async function checkProposal(
  context: WriteContext,
  { createdBy, parentCellId, status }: Multiplication,
  { attributes, toMany }: UpdateInput<MultiplicationFields>,
): Promise<void> {
  const pointers = [
    ...(["new-cell", "note"] as const)
      .filter((name) => attributes[name] !== undefined)
      .map((name) => `attributes/${name}`),
    ...Object.keys(toMany).map((name) => `relationships/${name}`),
  ];
  const [first] = pointers;
  if (first === undefined) return;
  const pointer = `/data/${first}`;
  if (createdBy !== context.actor.personId)
    await assertMayAt(context, "cell-multiplications:approve", parentCellId, pointer);
  if (status !== "proposed")
    throw fail(
      "read-only-attribute",
      { rule: "read-only", hint: "The multiplication is decided." },
      { pointer },
    );
  if (attributes["new-cell"]) assertNewCell(attributes["new-cell"]);
  for (const name of ["members", "leaders"] as const)
    if (toMany[name] !== undefined) await assertMembers(context, parentCellId, name, toMany[name]);
}
