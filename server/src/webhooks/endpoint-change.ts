import { ApiError, type Problem, problem } from "../errors.ts";

/** What a PATCH asks for. Which of the three it is, is said by what stands in it. */
export type EndpointChange =
  | { kind: "configuration"; name?: string | null; events?: readonly string[] }
  | { kind: "status"; status: "active" | "paused" }
  | { kind: "destination"; url: string; name?: string | null; events?: readonly string[] };

/** From attributes that fit their schemas. */
export function endpointChange(attributes: ReadonlyMap<string, unknown>): EndpointChange {
  const { status, url, ...configuration } = Object.fromEntries(attributes) as {
    status?: string;
    url?: string;
    name?: string | null;
    events?: readonly string[];
  };
  if (status !== undefined) {
    const problems: Problem[] = [];
    const say = (detail: string) =>
      problems.push(problem("invalid-attribute", detail, { pointer: "/data/attributes/status" }));
    if (attributes.size > 1) say("Must be the only attribute of a change.");
    if (status === "active" || status === "paused") {
      if (problems.length === 0) return { kind: "status", status };
    } else say("Can be set to `active` or `paused`.");
    throw new ApiError(problems);
  }
  if (url !== undefined) return { kind: "destination", url, ...configuration };
  return { kind: "configuration", ...configuration };
}
