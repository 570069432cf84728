import type { Resource } from "../../jsonapi/definition/resource.ts";
import { computedListOf } from "../../jsonapi/definition/operations.ts";

/** The history of webhooks is a journal of its own, the journal does not follow itself, and totals follow from submissions. */
const unfollowed = new Set([
  "webhook-events",
  "webhook-deliveries",
  "webhook-endpoint-changes",
  "audit-entries",
  "form-totals",
]);

/** Whether the journal has the changes of a type. Computed lists have no rows that could change. */
export const isFollowed = (resource: Resource): boolean =>
  !computedListOf(resource) && !unfollowed.has(resource.type);
