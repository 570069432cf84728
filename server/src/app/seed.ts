import { setPassword, syncLogin } from "../access/logins.ts";
import { fail } from "../base/errors.ts";
import { fillSeeded } from "../sample-data/parts.ts";
import { idOf, type Plan, plansOf, type SeedOptions } from "../sample-data/plan.ts";
import { SeededAccount } from "../sample-data/seeded-account.ts";
import { createAccountOn } from "../features/accounts/create-account.ts";
import { type Db, HOME, inTransaction, type Tx } from "../store/db.ts";
import { withoutJournal } from "../store/journal.ts";

/**
 * Accounts with generated data. The same seed always creates the same accounts.
 *
 * Each account is created in one transaction. The same command finishes an interrupted seeding, because it recognizes
 * its accounts by their ids.
 */
export interface Seeded {
  churches: number;
  people: number;
  /** The first few aliases. */
  aliases: readonly string[];
  /** The largest account that this run created, and the e-mail address of its full administrator. */
  login: { alias: string; email: string };
}

export interface Progress {
  copied: (rows: number) => void;
  tidying: () => void;
}

/** Two keep two cores busy, and more only wait for each other. */
const AT_ONCE = 2;

export async function seed(
  db: Db,
  options: SeedOptions & { passwordHash: string; server: number },
  /** Progress is counted in people and meetings. */
  progressOf: (rowsTotal: number) => Progress,
): Promise<Seeded> {
  const plans = plansOf(options);
  const { server } = options;
  const target = db.servers[server - HOME];
  if (!target) throw fail("not-found", `There is no server ${server}.`);
  const missing = await missingOf(db, target, plans);
  const rows = missing.map(({ shape }) => shape.people + shape.cells * shape.weeks);
  const progress = progressOf(rows.reduce((sum, each) => sum + each, 0));

  const tables = new Set(["accounts", "person_search", "person_credentials", "logins"]);
  const inserted = (table: string, rows: number) => {
    tables.add(table);
    if (table === "people" || table === "cell_meetings") progress.copied(rows);
  };
  const queue = [...missing];
  const work = async () => {
    for (let plan = queue.shift(); plan !== undefined; plan = queue.shift()) {
      const one = plan;
      const { accountId: id, alias } = one;
      await createAccountOn(db, { id, alias, server }, (at) =>
        inTransaction(at, id, async (tx) => {
          await withoutJournal(tx);
          await addAccount(tx, one, options.passwordHash, inserted);
        }),
      );
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    // When one worker fails, the other stops after its current account.
    queue.length = 0;
  }

  progress.tidying();
  // Vacuum marks pages as all-visible for index-only scans and collects statistics for the planner.
  for (const table of tables) await target.query(`vacuum (analyze) ${table}`);

  const [largest] = missing as [Plan, ...Plan[]];
  return {
    churches: missing.length,
    people: missing.reduce((sum, { shape }) => sum + shape.people, 0),
    aliases: plans.slice(0, 3).map(({ alias }) => alias),
    login: { alias: largest.alias, email: largest.administrator },
  };
}

async function addAccount(
  tx: Tx,
  plan: Plan,
  passwordHash: string,
  inserted: (table: string, rows: number) => void,
): Promise<void> {
  const account = new SeededAccount(tx, plan, inserted);
  await fillSeeded(account);
  const administrator = { accountId: plan.accountId, personId: idOf(plan, "people", 0) };
  await setPassword(tx, administrator, passwordHash);
  await syncLogin(tx, administrator);
}

/** The accounts that do not exist yet. Throws if an alias is taken by another account, or if none is missing. */
async function missingOf(db: Db, target: Db, plans: readonly Plan[]): Promise<Plan[]> {
  const aliases = plans.map(({ alias }) => alias);
  const rows = [
    ...(await db<{ id: string; alias: string }[]>`
      select account_id as id, alias from account_homes where alias = any (${aliases})`),
    ...(await target<{ id: string; alias: string }[]>`
      select id, alias from accounts where alias = any (${aliases})`),
  ];
  const known = new Map(rows.map(({ alias, id }) => [alias, id]));
  for (const { alias, accountId } of plans)
    if (known.has(alias) && known.get(alias) !== accountId)
      throw fail(
        "already-exists",
        `Another account has the alias ${alias}. Choose another --prefix.`,
      );
  const missing = plans.filter(({ alias }) => !known.has(alias));
  if (missing.length === 0)
    throw fail(
      "already-exists",
      "These accounts already exist. Choose another --prefix to create more.",
    );
  return missing;
}
