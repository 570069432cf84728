import { presetRoles } from "../../features/roles/preset-roles.ts";
import { idOf } from "../plan.ts";
import type { SeededAccount } from "../seeded-account.ts";

export const addSeed = (account: SeededAccount): Promise<void> =>
  account.insert(
    "roles",
    ["id", "code", "name", "description"],
    presetRoles.map(({ code, name, description }, index) => [
      idOf(account.plan, "roles", index),
      code,
      name,
      description,
    ]),
  );
