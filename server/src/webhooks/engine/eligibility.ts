import type { EndpointState, PauseReason } from "../endpoints/endpoint-lifecycle.ts";
import type { SuppressionReason } from "../endpoints/suppression.ts";
import type { DeliveryKind } from "./schedule.ts";

export interface DeliveryTarget {
  readonly kind: DeliveryKind;
  readonly destinationVersion: number;
  /** Of a production delivery. */
  readonly eventType?: string | undefined;
  /** Of a verification. */
  readonly verificationGeneration?: number | undefined;
}

/** As much of an endpoint as decides it. */
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
 * Why a delivery may not be sent to its endpoint as it is now; undefined when it may. Asked after every claim, because
 * whoever changes the endpoint suppresses only what waits, not what a worker holds at that moment.
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
