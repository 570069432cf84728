import { lockPeople } from "../../../access/locks.ts";
import { ApiError, type Problem, problem } from "../../../base/errors.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import type { Tx } from "../../../store/db.ts";

/**
 * Locks people, so that parallel requests cannot make one of them a participant of two cells. Returns those who are
 * participants of a cell other than `cellId`, if the account allows only one.
 */
export async function participantsElsewhere(
  tx: Tx,
  accountId: string,
  { cellId, personIds }: { cellId: string; personIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  const ids = [...personIds];
  await lockPeople(tx, accountId, ids);
  const rows = await tx<{ personId: string }[]>`
    select distinct person_id as "personId" from sole_participants
    where account_id = ${accountId} and person_id = any(${ids}::uuid[]) and cell_id <> ${cellId}`;
  return new Set(rows.map(({ personId }) => personId));
}

/** Rejects a person who is a participant of another cell. */
export async function assertNoParticipantElsewhere(
  { actor, db }: WriteContext,
  membership: { cellId: string; personId: string },
): Promise<void> {
  const { cellId, personId } = membership;
  const elsewhere = await participantsElsewhere(db, actor.accountId, {
    cellId,
    personIds: [personId],
  });
  if (elsewhere.size > 0) throw new ApiError([participantElsewhere()]);
}

export const participantElsewhere = (): Problem =>
  problem("participant-elsewhere", "The person is a participant of another cell.", {
    pointer: "/data/attributes/cell-role",
  });
