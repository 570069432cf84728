import { holds } from "../../access/policy.ts";
import { forbidden } from "../../base/errors.ts";
import { insertRow } from "../../jsonapi/sql/write.ts";
import { datesIn, refuseImpossibleDates } from "./dates.ts";
import type { ResourceInput, WriteContext, Written } from "../../jsonapi/definition/resource.ts";
import { writeSearchText } from "./search-text.ts";

/** POST /v1/people. People who may change only their own record cannot create others. */
export async function createPerson(context: WriteContext, input: ResourceInput): Promise<Written> {
  if (!holds(context.actor, "people:write")) throw forbidden("This person may not create people.");
  const { attributes } = input;
  refuseImpossibleDates(datesIn(attributes) ?? {}, {});
  const written = await insertRow(context, context.of, input, {
    ...(attributes.has("membership-status") && { membership_status_changed_at: "now()" }),
    ...(attributes.get("is-active") === false && { deactivated_at: "now()" }),
  });
  await writeSearchText(context.db, context.actor.accountId, [written.id]);
  return written;
}
