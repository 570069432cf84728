import type { Actor } from "../../access/actor.ts";
import { isOperator } from "../../access/operator.ts";
import { newId } from "../../base/ids.ts";
import type { Tx } from "../../store/db.ts";
import type { EndpointTrigger, TakenStep } from "./endpoint-lifecycle.ts";

/** The names of changes in the timeline. Public and stable. */
export const endpointChanges = {
  "created": "created",
  "edited": "updated",
  "destination-set": "url-changed",
  "pause-requested": "paused",
  "resume-requested": "resumed",
  "verification-requested": "verification-requested",
  "challenge-answered": "verified",
  "rotation-requested": "secret-rotated",
  "health-judged": "paused",
  "address-refused": "paused",
  "deleted": "deleted",
} as const satisfies Record<EndpointTrigger["kind"], string>;

export type EndpointChange = (typeof endpointChanges)[EndpointTrigger["kind"]];

/** Records the state after a change. It records no values that clients wrote, because a URL may contain a password. */
export async function recordChange(
  tx: Tx,
  resource: { accountId: string; endpointId: string },
  { endpoint, trigger }: TakenStep,
  actor: Actor,
  changedFields: readonly string[],
): Promise<void> {
  const details = {
    "status": endpoint.status,
    "pause-reason": endpoint.pauseReason,
    "configuration-version": endpoint.configurationVersion,
    "destination-version": endpoint.destinationVersion,
    "secret-generation": endpoint.secretGeneration,
    "verification-generation": endpoint.verificationGeneration,
    "changed-fields": changedFields,
  };
  await tx`
    insert into webhook_endpoint_changes (account_id, id, endpoint_id, change, details, changed_by)
    values (${resource.accountId}, ${newId()}, ${resource.endpointId}, ${endpointChanges[trigger]},
      ${JSON.stringify(details)}::text::jsonb, ${isOperator(actor) ? null : actor.personId})`;
}
