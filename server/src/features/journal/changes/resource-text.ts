import type { Change } from "./rows.ts";

/** A row of the feed as a resource. */
export const resourceText = ({
  action,
  id,
  mergedInto,
  occurredAt,
  position,
  type,
}: Change): string =>
  JSON.stringify({
    type: "changes",
    id: position,
    attributes: {
      "action": action,
      "resource-type": type,
      "resource-id": id,
      "merged-into": mergedInto,
      "occurred-at": occurredAt,
    },
  });
