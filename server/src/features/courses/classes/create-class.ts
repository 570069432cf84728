import type { ClassFields } from "./fields.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { insertRow } from "../../../jsonapi/sql/write.ts";

/** POST /v1/course-classes. The time zone defaults to that of the account. */
export async function createClass(
  context: WriteContext<ClassFields>,
  input: CreateInput<ClassFields>,
): Promise<Written> {
  const { actor, db, resource } = context;
  const [account] = await db<{ zone: string }[]>`select time_zone_of(${actor.accountId}) as zone`;
  const attributes = { ...(account && { "time-zone": account.zone }), ...input.attributes };
  return insertRow(context, resource, { ...input, attributes });
}
