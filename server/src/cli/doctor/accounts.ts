import type { Config } from "../../app/config.ts";
import { demoAlias } from "../../app/demo.ts";
import type { Db } from "../../store/db.ts";
import { type Finding, few, finding } from "./finding.ts";
import { isLocal } from "./settings.ts";

/** Finds accounts without a usable full administrator, and a public demo account. */
export async function* examineAccounts(db: Db, config: Config): AsyncGenerator<Finding> {
  const rows = await db<{ alias: string; administrators: number; logins: number }[]>`
    select alias, count(person.id)::int as administrators,
      (count(person.id) filter (where person.has_login))::int as logins
    from accounts
    left join people person on person.account_id = accounts.id
      and person.administrative_status = 'full-administrator' and person.is_active
    where accounts.status = 'active'
    group by accounts.id having count(person.id) filter (where person.has_login) = 0
    order by alias`;
  const without = rows.filter(({ administrators }) => administrators === 0);
  if (without.length > 0)
    yield finding(
      "no-full-administrator",
      `These accounts have no active full administrator: ${few(without.map(({ alias }) => alias))}.`,
      "Create one with npx vestry people create --administrative-status full-administrator.",
    );
  const loginless = rows.filter(({ administrators }) => administrators > 0);
  if (loginless.length > 0)
    yield finding(
      "administrators-without-login",
      `These accounts have full administrators, but none of them has a log-in: ${few(loginless.map(({ alias }) => alias))}.`,
      "List them with npx vestry people list and set a password with npx vestry people set-password.",
    );

  const [demo] = await db`select from accounts where alias = ${demoAlias} and status = 'active'`;
  if (demo && !isLocal(new URL(config.publicUrl).hostname))
    yield finding(
      "demo-church-in-public",
      `The demo account is active at the public address ${config.publicUrl}.`,
      `Deactivate it with npx vestry accounts deactivate --alias ${demoAlias}. DEMO=off stops new databases from getting one.`,
    );
}
