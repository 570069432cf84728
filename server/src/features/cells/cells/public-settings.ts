const defaults = {
  "show-address": false,
  "show-leader-email": false,
  "show-leader-phone": false,
  "accept-join-requests": true,
};

/** Members of `public-settings` that the document omits take their defaults. */
export function withPublicDefaults(attributes: ReadonlyMap<string, unknown>): Map<string, unknown> {
  const all = new Map(attributes);
  const sent = all.get("public-settings");
  if (sent) all.set("public-settings", { ...defaults, ...sent });
  return all;
}
