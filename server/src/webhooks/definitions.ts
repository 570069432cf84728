import type { Command, Resource } from "../jsonapi/definition/resource.ts";
import { webhookCommands } from "./endpoints/commands.ts";
import { webhookDeliveries } from "./history/deliveries.ts";
import { webhookEndpointChanges } from "./endpoints/endpoint-changes.ts";
import { webhookEndpoints } from "./endpoints/endpoints.ts";
import { webhookEvents } from "./history/events.ts";
import type { WebhookParts } from "./parts.ts";
import { webhookReplays } from "./history/replays.ts";
import { webhookEndpointSecretRotations } from "./endpoints/secret-rotations.ts";

/** The types of the webhooks, and what one asks them to do. */
export function webhookDefinitions(parts: WebhookParts): {
  resources: readonly Resource[];
  commands: readonly Command[];
} {
  return {
    resources: [
      webhookEndpoints(parts),
      webhookEndpointChanges,
      webhookEndpointSecretRotations(parts),
      webhookReplays,
      webhookEvents,
      webhookDeliveries,
    ],
    commands: webhookCommands,
  };
}
