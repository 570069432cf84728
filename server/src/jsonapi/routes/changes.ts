import type { FastifyRequest } from "fastify";
import { ApiError } from "../../base/errors.ts";
import type { Operations, ReadContext, Resource } from "../definition/resource.ts";
import { expectedVersion, versionRequired } from "../request/etag.ts";
import type { InputRules } from "../request/input.ts";
import { allowedReach } from "../request/reach.ts";
import { assertReadable, customFieldsIn } from "../sql/read.ts";
import { assertMayChange } from "../sql/write.ts";

/** Steps that changes of an existing resource share. */

/** Returns the members that the caller may write, or throws 403 if they may not change any resource of the type. */
export async function changeRules(
  context: ReadContext,
  of: Resource,
  operation: NonNullable<Operations["update"]>,
  id: string,
): Promise<InputRules> {
  const { actor } = context;
  const customFields = await customFieldsIn(context, of);
  const reach = allowedReach(actor, of, operation, "change");
  const ownRecordOnly =
    reach !== "everything" && reach.every(({ scope }) => scope === "self") && id === actor.personId;
  return { actor, customFields, id, ownRecordOnly };
}

/** 428 for a type that requires `If-Match`, but 404 first. */
export async function requireVersion(
  context: ReadContext,
  of: Resource,
  id: string,
  { headers }: FastifyRequest,
): Promise<void> {
  if (of.versionTag === undefined || expectedVersion(of, headers["if-match"]) !== undefined) return;
  await assertReadable(context, of, id);
  throw versionRequired();
}

/** Mistakes in the document are reported only to callers who may change the resource: 404 and 403 come before 422. */
export async function accessFirst<T>(
  context: ReadContext,
  of: Resource,
  id: string,
  parse: () => Promise<T>,
): Promise<T> {
  try {
    return await parse();
  } catch (error) {
    if (error instanceof ApiError && error.status !== 400) {
      await assertReadable(context, of, id);
      await assertMayChange(context, of, id);
    }
    throw error;
  }
}
