import type { Feature } from "../../jsonapi/definition/feature.ts";
import { auditEntries } from "./entries/definition.ts";
import { forgetAddresses } from "./forget-addresses.ts";

const permissions = ["audit-entries:read"] as const;

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

/** The audit, and the feed of changes. The triggers of `facts.sql` write the journal that both read. */
export const journalFeature: Feature = {
  types: [auditEntries],
  permissions,
  presets: {
    "auditor": permissions,
  },
  everyone: { "audit-entries:read": "self" },
  tables: ["journal_heads"],
  jobs: [{ name: "old-addresses", schedule: "20 3 * * *", run: forgetAddresses }],
};
