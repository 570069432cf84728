/** The room's public surface. Other rooms import from this file only. */
export { createHostJudge } from "./endpoints/judge-host.ts";
export { foreignKeys, keysInUse, reencryptSecrets } from "./endpoints/reencrypt.ts";
export { type RefusedEndpoint, refusedEndpoints } from "./endpoints/refused-endpoints.ts";
export { SigningSecret } from "./endpoints/signing-secrets.ts";
export { startEngine } from "./engine/dispatcher.ts";
export {
  differencesOf,
  heldSince,
  identityOf,
  release,
  untilReleased,
} from "./engine/installation.ts";
export { TEST_MESSAGE } from "./engine/message.ts";
export { startListening, startNotifying } from "./engine/notify.ts";
export { webhooksFeature } from "./feature.ts";
export { exampleOf } from "./history/event-examples.ts";
export {
  EVENT_TYPES,
  eventTypeAttributes,
  eventTypeResources,
  explainEventTypes,
} from "./history/event-types.ts";
export { registerEventTypes } from "./history/event-type-routes.ts";
export { judgeAddresses } from "./http/public-address.ts";
export { createSender, type Sender } from "./http/send.ts";
export { webhookJobs } from "./jobs.ts";
export type { WebhookParts } from "./parts.ts";
export { webhookStates } from "./states-document.ts";
