import type { PresetCode } from "../../access/rights.ts";

/**
 * The permissions of cells, and the preset roles that have them. A leader has all permissions of a trainee, and a supervisor
 * all of a leader.
 */

const trainee = ["cells:read", "cell-memberships:read", "cell-meetings:read"] as const;

const leader = [
  ...trainee,
  "cell-texts:write",
  "cell-memberships:write",
  "cell-join-requests:read",
  "cell-join-requests:write",
  "cell-join-requests:approve",
  "cell-meetings:write",
  "cell-meetings:report",
  "cell-multiplications:read",
  "cell-multiplications:write",
] as const;

const supervisor = [...leader, "cells:write", "cell-multiplications:approve"] as const;

export const permissions = [...supervisor, "cells:delete", "cell-memberships:delete"] as const;

export const presets = {
  "administrator": permissions,
  "pastor": supervisor,
  "secretary": [
    "cells:read",
    "cell-memberships:read",
    "cell-memberships:write",
    "cell-join-requests:read",
    "cell-join-requests:write",
    "cell-meetings:read",
  ],
  "cell-supervisor": supervisor,
  "cell-leader": leader,
  "cell-trainee": trainee,
} as const satisfies Partial<Record<PresetCode, readonly (typeof permissions)[number][]>>;
