import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";
import { keys } from "./keys.ts";

export type RequestType = "cell-join-requests" | "course-enrollment-requests";

const person = ["full-name", "phones", "email"] as const;

/** A request to join a group or to enroll in a class, with the person or the contact who made it. */
export const requestOptions = (type: RequestType, id: string) =>
  queryOptions({
    queryKey: keys.one(type, id),
    queryFn: async ({ signal }) => {
      if (type === "cell-join-requests") {
        const request = await api.cellJoinRequests.get(
          id,
          { include: ["cell", "person"], fields: { people: person, cells: ["name"] } },
          { signal },
        );
        return { ...request, place: request.cell };
      }
      const request = await api.courseEnrollmentRequests.get(
        id,
        { include: ["class", "person"], fields: { "people": person, "course-classes": ["name"] } },
        { signal },
      );
      return { ...request, place: request.class };
    },
  });

export type Decision =
  /** Without a person, an unknown contact becomes a prospect. */
  | { status: "approved"; person?: string }
  | { "status": "declined"; "decline-reason": string | null };

export const decideRequest = async (
  type: RequestType,
  request: { id: string; $etag?: string | undefined },
  decision: Decision,
  idempotencyKey: string,
): Promise<void> => {
  const options = { etag: request.$etag, idempotencyKey };
  if (type === "cell-join-requests")
    await api.cellJoinRequests.update(request.id, decision, options);
  else await api.courseEnrollmentRequests.update(request.id, decision, options);
};
