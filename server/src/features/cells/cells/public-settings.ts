import type { CellValues } from "./fields.ts";

const defaults = {
  "show-address": false,
  "show-leader-email": false,
  "show-leader-phone": false,
  "accept-join-requests": true,
};

/** Members of `public-settings` that the document omits take their defaults. */
export function withPublicDefaults(attributes: CellValues): CellValues {
  const sent = attributes["public-settings"];
  return sent ? { ...attributes, "public-settings": { ...defaults, ...sent } } : attributes;
}
