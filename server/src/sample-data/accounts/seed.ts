import type { SeededAccount } from "../seeded-account.ts";
import { json } from "../../store/sql.ts";
import { customProperties } from "./custom-properties.ts";

export async function addSeed({ plan, tx }: SeededAccount): Promise<void> {
  const founded = new Date(plan.foundedMs).toISOString();
  const settings = { "lang": plan.language.locale, "country": plan.language.country };
  // On another server than the home, its alias has been reserved there.
  if (tx.home === undefined)
    await tx`
    insert into account_homes (account_id, alias, created_at)
    values (${plan.accountId}, ${plan.alias}, ${founded})`;
  await tx`
    insert into accounts
      (id, created_at, modified_at, alias, church_name, integration_approved, settings, custom_properties)
    values (${plan.accountId}, ${founded}, ${founded}, ${plan.alias}, ${plan.churchName}, true,
      ${json(settings)}, ${json(customProperties)})`;
}
