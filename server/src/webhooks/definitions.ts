import type { Command } from "../jsonapi/command.ts";
import type { Resource } from "../jsonapi/resource.ts";
import type { WebhookParts } from "./parts.ts";

/** The types of the webhooks, and what one asks them to do. */
export function webhookDefinitions(_parts: WebhookParts): {
  resources: readonly Resource[];
  commands: readonly Command[];
} {
  return { resources: [], commands: [] };
}
