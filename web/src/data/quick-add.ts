import type { NewPerson } from "@vestry/sdk";
import { api } from "./client.ts";
import { createPerson } from "./people-search.ts";

/** Adds a person and makes them a visitor of the group. A repeated call with the same key adds nothing twice. */
export async function addVisitor(cell: string, values: NewPerson, idempotencyKey: string) {
  const person = await createPerson(values, `${idempotencyKey}-person`);
  await api.cellMemberships.create(
    { cell, person, "cell-role": "visitor" },
    { idempotencyKey: `${idempotencyKey}-membership` },
  );
  return person;
}
