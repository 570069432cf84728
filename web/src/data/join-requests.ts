import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";
import { keys } from "./keys.ts";

export type RequestType = "cell-join-requests" | "course-enrollment-requests";

const person = ["full-name", "phones", "email"] as const;

/**
 * A request to join a group or to enroll in a class, with the person or the contact who made it, and what the caller may do with it.
 * Rows of a list do not say that.
 */
export const requestOptions = (type: RequestType, id: string) =>
  queryOptions({
    queryKey: keys.one(type, id),
    queryFn: async ({ signal }) => {
      if (type === "cell-join-requests") {
        const request = await api.cellJoinRequests.get(
          id,
          {
            include: ["cell.leaders", "cell.supervisors", "person"],
            fields: { people: person, cells: ["name", "leaders", "supervisors"] },
            meta: { may: true },
          },
          { signal },
        );
        const { leaders, supervisors } = request.cell;
        // A caller who sees the public members of the group alone reads neither.
        const deciders = [leaders, supervisors].flatMap((people) => people ?? []);
        return { ...request, place: request.cell, deciders };
      }
      const request = await api.courseEnrollmentRequests.get(
        id,
        {
          include: ["class", "person"],
          fields: { "people": person, "course-classes": ["name"] },
          meta: { may: true },
        },
        { signal },
      );
      return { ...request, place: request.class, deciders: [] };
    },
  });

export type Decision =
  /** Without a person, an unknown contact becomes a prospect. */
  | { status: "approved"; person?: string }
  | { "status": "declined"; "decline-reason": string | null };

/** Decides a request. The answer has its new status. */
export const decideRequest = (
  type: RequestType,
  request: { id: string; $etag?: string | undefined },
  decision: Decision,
  idempotencyKey: string,
): Promise<{ person: { id: string; "full-name"?: string } | null }> => {
  // An accepted contact has become a person.
  const options = {
    etag: request.$etag,
    idempotencyKey,
    include: ["person"],
    fields: { people: ["full-name"] },
  } as const;
  return type === "cell-join-requests"
    ? api.cellJoinRequests.update(request.id, decision, options)
    : api.courseEnrollmentRequests.update(request.id, decision, options);
};
