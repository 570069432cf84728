import type { Config } from "../../app/config.ts";
import { demoAlias } from "../../app/demo.ts";
import type { Db } from "../../store/db.ts";
import { type Finding, few, finding } from "./finding.ts";
import { isLocal } from "./settings.ts";

/** Churches that nobody can manage, and the one that should not be where others come by. */
export async function* examineChurches(db: Db, config: Config): AsyncGenerator<Finding> {
  const churches = await db<{ alias: string; administrators: number; logins: number }[]>`
    select alias, count(person.id)::int as administrators,
      (count(person.id) filter (where person.has_login))::int as logins
    from accounts
    left join people person on person.account_id = accounts.id
      and person.administrative_status = 'full-administrator' and person.is_active
    where accounts.status = 'active'
    group by accounts.id having count(person.id) filter (where person.has_login) = 0
    order by alias`;
  const without = churches.filter(({ administrators }) => administrators === 0);
  if (without.length > 0)
    yield finding(
      "no-full-administrator",
      `Churches have no active full administrator: ${few(without.map(({ alias }) => alias))}.`,
      "Add one: npx vestry people create --administrative-status full-administrator …",
    );
  const loginless = churches.filter(({ administrators }) => administrators > 0);
  if (loginless.length > 0)
    yield finding(
      "administrators-without-login",
      `Churches have full administrators, but none who can log in: ${few(loginless.map(({ alias }) => alias))}.`,
      "Give one a password: npx vestry people list shows who they are, npx vestry people set-password … sets it.",
    );

  const [demo] = await db`select from accounts where alias = ${demoAlias} and status = 'active'`;
  if (demo && !isLocal(new URL(config.publicUrl).hostname))
    yield finding(
      "demo-church-in-public",
      `The demo church is open at ${config.publicUrl}.`,
      `Close it: npx vestry accounts deactivate --alias ${demoAlias}. DEMO=off keeps new databases without one.`,
    );
}
