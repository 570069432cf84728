import type { Feature } from "../../jsonapi/definition/feature.ts";

/** The audit trail comes with a later version. Its preset role exists. */
const permissions = ["audit-entries:read"] as const;

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

export const auditFeature: Feature = {
  permissions,
  presets: {
    "auditor": permissions,
  },
};
