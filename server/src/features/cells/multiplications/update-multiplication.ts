import { fail, invalid, notFound } from "../../../base/errors.ts";
import { checkTransition } from "../../../base/transitions.ts";
import type { ResourceInput, WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { assertMayChange, AUTHOR, updateRow } from "../../../jsonapi/sql/write.ts";
import { assertMayAt } from "../may-at.ts";
import { multiply } from "./multiply.ts";
import { checkMembers, checkNewCell } from "./rules.ts";
import { type MultiplicationStatus, multiplicationTransitions } from "./statuses.ts";

interface Multiplication {
  parentCellId: string;
  status: MultiplicationStatus;
  createdBy: string | null;
}

/** PATCH /v1/cell-multiplications/:id. The proposer changes a proposal. An approval carries it out. */
export async function updateMultiplication(
  context: WriteContext,
  id: string,
  input: ResourceInput,
): Promise<Written> {
  await assertMayChange(context, context.of, id);
  const { actor, db, of } = context;
  const [before] = await db<Multiplication[]>`
    select parent_cell_id as "parentCellId", status, created_by as "createdBy"
    from cell_multiplications where account_id = ${actor.accountId} and id = ${id} for no key update`;
  if (!before) throw notFound();

  const status = (input.attributes.get("status") ?? before.status) as MultiplicationStatus;
  const decides = checkTransition(multiplicationTransitions, before.status, status);
  if (decides)
    await assertMayAt(
      context,
      "cell-multiplications:approve",
      before.parentCellId,
      "/data/attributes/status",
    );
  if (status !== "rejected" && input.attributes.get("decline-reason"))
    throw invalid(
      "/data/attributes/decline-reason",
      "Only a rejected multiplication has a reason.",
    );
  await checkProposal(context, before, input);
  if (!decides) return updateRow(context, of, id, input);

  const { status: _, ...proposal } = Object.fromEntries(input.attributes);
  await updateRow(context, of, id, { ...input, attributes: new Map(Object.entries(proposal)) });
  const isApproved = status === "approved";
  const toOne = isApproved
    ? new Map([["resulting-cell", await multiply(context, id, before.parentCellId)]])
    : new Map();
  const decision = {
    attributes: new Map([["status", isApproved ? "done" : "rejected"]]),
    toOne,
    toMany: new Map(),
  };
  const decided = { decided_at: "now()", decided_by: AUTHOR };
  return updateRow({ ...context, expectedVersion: undefined }, of, id, decision, decided);
}

/** The proposer, and those who decide about it, may change a proposal until it is decided. */
async function checkProposal(
  context: WriteContext,
  { createdBy, parentCellId, status }: Multiplication,
  { attributes, toMany }: ResourceInput,
): Promise<void> {
  const pointers = [
    ...["new-cell", "note"]
      .filter((name) => attributes.has(name))
      .map((name) => `attributes/${name}`),
    ...[...toMany.keys()].map((name) => `relationships/${name}`),
  ];
  const [first] = pointers;
  if (first === undefined) return;
  const pointer = `/data/${first}`;
  if (createdBy !== context.actor.personId)
    await assertMayAt(context, "cell-multiplications:approve", parentCellId, pointer);
  if (status !== "proposed")
    throw fail("read-only-attribute", "The multiplication is decided.", { pointer });
  checkNewCell(attributes.get("new-cell"));
  for (const name of ["members", "leaders"] as const)
    if (toMany.has(name)) await checkMembers(context, parentCellId, name, toMany.get(name));
}
