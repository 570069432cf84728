import { fail } from "../../../base/errors.ts";
import type { Queryable, Tx } from "../../../store/db.ts";
import type { FormField } from "../forms/form-field.ts";
import type { FormStatus } from "../forms/statuses.ts";

/** A form as the rules of its submissions need it. */
export interface StoredForm {
  id: string;
  version: number;
  status: FormStatus;
  fields: readonly FormField[];
  requiresLogin: boolean;
  hasNotice: boolean;
  ownerId: string | null;
  createsPeople: boolean;
  cellId: string | null;
  classId: string | null;
  /** Now is between `opens-at` and `closes-at`, and there are fewer submissions than `max-submissions`. */
  isAvailable: boolean;
}

export const findForm = (db: Queryable, accountId: string, id: string) => read(db, accountId, id);

/** Makes submissions of the form take turns, so that it never takes more than `max-submissions`. */
export async function lockForm(tx: Tx, accountId: string, id: string) {
  // A second statement also counts the submissions that other transactions added while the first one waited for the lock.
  await tx`select from forms where account_id = ${accountId} and id = ${id} for no key update`;
  return read(tx, accountId, id);
}

async function read(db: Queryable, accountId: string, id: string): Promise<StoredForm | undefined> {
  const [form] = await db<StoredForm[]>`
    select id, version_number as version, status, fields, requires_login as "requiresLogin",
      privacy_notice is not null as "hasNotice", owner_id as "ownerId",
      coalesce((actions ->> 'create-or-match-person')::boolean, false) as "createsPeople",
      add_to_cell_id as "cellId", enroll_in_class_id as "classId",
      is_available_form(forms) as "isAvailable"
    from forms where account_id = ${accountId} and id = ${id}`;
  return form;
}

/** 410 unless the form takes submissions of visitors and members now. */
export function assertTakesSubmissions({ isAvailable, status }: StoredForm): void {
  if (status !== "open" || !isAvailable)
    throw fail("form-closed", "The form takes no more submissions.", {
      pointer: "/data/relationships/form/data",
    });
}
