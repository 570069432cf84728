import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";
import { keys } from "./keys.ts";

/** A request to join a group, with the person or the contact who made it. */
export const joinRequestOptions = (id: string) =>
  queryOptions({
    queryKey: keys.one("cell-join-requests", id),
    queryFn: ({ signal }) =>
      api.cellJoinRequests.get(
        id,
        {
          include: ["cell", "person"],
          fields: { people: ["full-name", "phones", "email"], cells: ["name"] },
        },
        { signal },
      ),
  });

export const decideRequest = (
  request: { id: string; $etag?: string | undefined },
  decision: { status: "approved" } | { "status": "declined"; "decline-reason": string | null },
  idempotencyKey: string,
) => api.cellJoinRequests.update(request.id, decision, { etag: request.$etag, idempotencyKey });
