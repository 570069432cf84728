/** The reasons why a delivery is never sent. Public and stable. */
export const suppressionReasons = {
  "pending-verification": "The endpoint's current URL is not verified.",
  "manual-pause": "A person paused the endpoint.",
  "health-pause": "The endpoint was paused after it failed for 7 days.",
  "security-policy": "The endpoint's host is, or resolves to, an address that is not public.",
  "subscription-removed": "The endpoint no longer subscribes to the event type.",
  "destination-version-mismatch": "The delivery was created for an earlier URL of the endpoint.",
  "url-changed": "The endpoint's URL was set again before delivery.",
  "verification-superseded": "A newer verification replaced this one.",
  "deleted": "The endpoint was deleted.",
} as const satisfies Record<string, string>;

export type SuppressionReason = keyof typeof suppressionReasons;
