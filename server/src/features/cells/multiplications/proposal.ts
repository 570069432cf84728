import { ApiError, fail, invalid, type Problem, problem } from "../../../base/errors.ts";
import { isId } from "../../../base/ids.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import type { NewCell } from "./fields.ts";

/** The number of people per multiplication. */
const counts = { members: 200, leaders: 5 } as const;

/** Rejects people who are not active members of the parent cell, each at its entry. */
export async function assertMembers(
  { actor, db }: WriteContext,
  cellId: string,
  name: keyof typeof counts,
  ids: readonly string[] | undefined,
): Promise<void> {
  const pointer = `/data/relationships/${name}`;
  if (ids === undefined) throw fail("missing-relationship", { rule: "required" }, { pointer });
  const { [name]: most } = counts;
  const source = { pointer: `${pointer}/data` };
  if (ids.length === 0) throw fail("invalid-relationship", { rule: "min-items", limit: 1 }, source);
  if (ids.length > most)
    throw fail("invalid-relationship", { rule: "max-items", limit: most }, source);
  const rows = await db<{ personId: string }[]>`
    select person_id as "personId" from cell_memberships
    where account_id = ${actor.accountId} and cell_id = ${cellId} and status = 'active'
      and person_id = any(${ids.filter(isId)}::uuid[])`;
  const known = new Set(rows.map(({ personId }) => personId));
  const problems = ids.flatMap((id, position): Problem[] =>
    known.has(id)
      ? []
      : [
          problem(
            "invalid-relationship",
            { rule: "not-found", hint: "The cell has no such active member." },
            { pointer: `${pointer}/data/${position}/id` },
          ),
        ],
  );
  if (problems.length > 0) throw new ApiError(problems);
}

/** The times of a new cell that sends both. Times of the parent cell are compared when the cell is created. */
export function assertNewCell({ "ends-at": ends, "starts-at": starts }: NewCell): void {
  if (typeof starts === "number" && typeof ends === "number" && ends <= starts)
    throw invalid("/data/attributes/new-cell/ends-at", {
      rule: "after",
      other: "/data/attributes/new-cell/starts-at",
    });
}
