import type { Actor } from "../../../access/actor.ts";
import { positionText } from "./position.ts";
import type { Change } from "./rows.ts";

/** A row of the feed as a resource. */
export const resourceText = (
  { action, client, id, members, mergedInto, occurredAt, position, requestId, type }: Change,
  actor: Actor,
): string =>
  JSON.stringify({
    type: "changes",
    id: positionText(position, actor),
    attributes: {
      "action": action,
      "resource-type": type,
      "resource-id": id,
      "merged-into": mergedInto,
      "occurred-at": occurredAt,
      "changed": action === "updated" ? members : [],
      "client": client,
      "request-id": requestId,
    },
  });
