/** Why a delivery is not sent any more. Public and stable. */
export const suppressionReasons = {
  "pending-verification": "The endpoint's present URL is not verified.",
  "manual-pause": "The endpoint was paused by a person.",
  "health-pause": "The endpoint was paused because it had failed for 7 days.",
  "security-policy": "The endpoint's host was, or resolved to, an address that is not public.",
  "subscription-removed": "The endpoint no longer subscribes to the event type.",
  "destination-version-mismatch": "The delivery was made for an earlier URL of the endpoint.",
  "url-changed": "The endpoint's URL was set anew before this was delivered.",
  "verification-superseded": "A newer verification of the endpoint was asked for.",
  "deleted": "The endpoint was deleted.",
} as const satisfies Record<string, string>;

export type SuppressionReason = keyof typeof suppressionReasons;
