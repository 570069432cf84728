import { serviceOf } from "../../../access/operator.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { forType } from "../../../jsonapi/definition/targets.ts";
import { courseEnrollmentRequests } from "./definition.ts";
import { decide } from "./update-request.ts";

/**
 * The service approves a request of the public area whose address was confirmed. Without a person it creates a prospect from the
 * contact. It throws the error of the condition that rejects the enrollment.
 */
export async function approveRequest(
  context: WriteContext,
  { id, personId }: { id: string; personId: string | null },
): Promise<void> {
  const service = { ...context, actor: serviceOf(context.actor) };
  await decide(forType(service, courseEnrollmentRequests), id, {
    attributes: { status: "approved" },
    toOne: personId === null ? {} : { person: personId },
    toMany: {},
  });
}
