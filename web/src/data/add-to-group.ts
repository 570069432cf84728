import type { VestryError } from "@vestry/sdk";

type Named = { id: string; name: string };

/** What became of each person who was to be added to a group. */
export type Added = {
  added: Named[];
  /** They were in the group already. */
  present: Named[];
  refused: { person: Named; error: VestryError }[];
};

/** Whether the service decided about the person. Other failures pass, and another attempt may succeed. */
const isDecision = (error: unknown): error is VestryError => {
  const status = error instanceof Error && "status" in error ? Number(error.status) : 0;
  return status >= 400 && status < 500 && ![401, 408, 429].includes(status);
};

/**
 * Adds people one after the other, since the service decides about each of them. A failure that passes ends the attempt. Another
 * attempt with the same key adds nobody twice.
 */
export async function addEach(
  people: readonly Named[],
  add: (person: Named, idempotencyKey: string) => Promise<unknown>,
  idempotencyKey: string,
): Promise<Added> {
  const result: Added = { added: [], present: [], refused: [] };
  for (const person of people)
    try {
      await add(person, `${idempotencyKey}-${person.id}`);
      result.added.push(person);
    } catch (error) {
      if (!isDecision(error)) throw error;
      if (error.code === "already-exists") result.present.push(person);
      else result.refused.push({ person, error });
    }
  return result;
}
