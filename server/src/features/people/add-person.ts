import type { AdministrativeStatus } from "../../access/actor.ts";
import { newId } from "../../base/ids.ts";
import type { Tx } from "../../store/db.ts";
import { writeMatchKeys } from "./duplicates/match-keys.ts";
import { writeSearchText } from "./search-text.ts";

export interface NewPerson {
  fullName: string;
  email?: string;
  administrativeStatus?: AdministrativeStatus;
}

/** Adds a person on the command line, for example an account's first administrator. */
export async function addPerson(tx: Tx, accountId: string, person: NewPerson): Promise<string> {
  const id = newId();
  await tx`
    insert into people (account_id, id, full_name, email, administrative_status)
    values (${accountId}, ${id}, ${person.fullName}, ${person.email ?? null}, ${person.administrativeStatus ?? "none"})`;
  await writeSearchText(tx, accountId, [id]);
  await writeMatchKeys(tx, accountId, [id]);
  return id;
}
