import type { Command } from "../jsonapi/command.ts";
import type { Resource } from "../jsonapi/resource.ts";
import { webhookCommands } from "./commands.ts";
import { webhookDeliveries } from "./deliveries.ts";
import { webhookEndpointChanges } from "./endpoint-changes.ts";
import { webhookEndpoints } from "./endpoints.ts";
import { webhookEvents } from "./events.ts";
import type { WebhookParts } from "./parts.ts";
import { webhookReplays } from "./replays.ts";
import { webhookEndpointSecretRotations } from "./secret-rotations.ts";

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
