import { invalid, notAllowedHere } from "../../base/errors.ts";

/** A PATCH. Its attributes decide the kind. */
export type RequestedChange =
  | { kind: "configuration"; name?: string | null; events?: readonly string[] }
  | { kind: "status"; status: ChosenStatus }
  | { kind: "destination"; url: string; name?: string | null; events?: readonly string[] };

type ChosenStatus = "active" | "paused";

/** Only these statuses can be set by a client. */
export const isChosenStatus = (status: unknown): status is ChosenStatus =>
  status === "active" || status === "paused";

interface ChangedAttributes {
  status?: string;
  url?: string;
  name?: string | null;
  events?: readonly string[];
}

/** Expects attributes that are valid individually. */
export function requestedChange(attributes: ChangedAttributes): RequestedChange {
  const { status, url, ...configuration } = attributes;
  if (isChosenStatus(status)) {
    if (Object.keys(attributes).length > 1)
      throw invalid(
        "/data/attributes/status",
        notAllowedHere("Must be the only attribute of a change."),
      );
    return { kind: "status", status };
  }
  if (url !== undefined) return { kind: "destination", url, ...configuration };
  return { kind: "configuration", ...configuration };
}
