import type { Feature } from "../jsonapi/definition/feature.ts";
import { webhookCommands } from "./endpoints/commands.ts";
import { webhookEndpointChanges } from "./endpoints/endpoint-changes.ts";
import { webhookEndpoints } from "./endpoints/endpoints.ts";
import { webhookEndpointSecretRotations } from "./endpoints/secret-rotations.ts";
import { webhookDeliveries } from "./history/deliveries.ts";
import { webhookEvents } from "./history/events.ts";
import { webhookReplays } from "./history/replays.ts";
import type { WebhookParts } from "./parts.ts";

export const webhooksFeature = (parts: WebhookParts): Feature => ({
  types: ({ events }) => [
    webhookEndpoints(parts, Object.keys(events)),
    webhookEndpointChanges,
    webhookEndpointSecretRotations(parts),
    webhookReplays,
    webhookEvents(Object.keys(events)),
    webhookDeliveries(Object.keys(events)),
  ],
  commands: webhookCommands,
});
