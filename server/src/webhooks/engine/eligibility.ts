import type { EndpointState, PauseReason } from "../endpoints/endpoint-lifecycle.ts";
import type { SuppressionReason } from "../endpoints/suppression-reasons.ts";
import type { DeliveryKind } from "./schedule.ts";

export interface DeliveryTarget {
  readonly kind: DeliveryKind;
  readonly destinationVersion: number;
  /** Set for production deliveries. */
  readonly eventType?: string | undefined;
  /** Set for verifications. */
  readonly verificationGeneration?: number | undefined;
}

/** The part of an endpoint that decides eligibility. */
export type ReceiverState = Pick<
  EndpointState,
  | "status"
  | "pauseReason"
  | "destinationVersion"
  | "verifiedDestinationVersion"
  | "verificationGeneration"
> & { readonly events: readonly string[] };

export const pauses: Readonly<Record<PauseReason, SuppressionReason>> = {
  "manual": "manual-pause",
  "health": "health-pause",
  "security-policy": "security-policy",
};

/**
 * Returns why the endpoint cannot receive the delivery now, or undefined if it can. Workers check this after every
 * claim, because a change of the endpoint suppresses only waiting deliveries.
 */
export function ineligibility(
  delivery: DeliveryTarget,
  endpoint: ReceiverState,
): SuppressionReason | undefined {
  if (endpoint.status === "deleted") return "deleted";
  if (delivery.destinationVersion !== endpoint.destinationVersion)
    return "destination-version-mismatch";
  if (endpoint.status === "paused") return pauses[endpoint.pauseReason ?? "manual"];
  if (delivery.kind === "verification")
    return delivery.verificationGeneration === endpoint.verificationGeneration
      ? undefined
      : "verification-superseded";
  if (
    endpoint.status === "pending-verification" ||
    endpoint.verifiedDestinationVersion !== endpoint.destinationVersion
  )
    return "pending-verification";
  if (delivery.kind === "test" || delivery.eventType === undefined) return undefined;
  return endpoint.events.includes(delivery.eventType) ? undefined : "subscription-removed";
}
