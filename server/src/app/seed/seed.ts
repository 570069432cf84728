import { fail } from "../../base/errors.ts";
import { type Db, inTransaction } from "../../store/db.ts";
import { addSeededChurch, seededTables } from "./church.ts";
import { type Plan, plansOf, type SeedOptions } from "./plan.ts";

/**
 * Churches to try things on: the same ones from the same seed, whoever makes them and when.
 *
 * Each church is one transaction, so a church is there whole or not at all. A seeding that was interrupted is finished
 * by the same command: it knows its own churches by their ids.
 */
export interface Seeded {
  churches: number;
  people: number;
  /** The first few: all of them would be too many to read. */
  aliases: readonly string[];
  /** The largest church that was made now, and the e-mail address of its full administrator. */
  login: { alias: string; email: string };
}

export interface Progress {
  copied: (people: number) => void;
  tidying: () => void;
}

/** As many as two cores keep busy; more only wait for each other. */
const AT_ONCE = 2;

export async function seed(
  db: Db,
  options: SeedOptions & { passwordHash: string },
  progressOf: (peopleTotal: number) => Progress,
): Promise<Seeded> {
  const plans = plansOf(options);
  const missing = await missingOf(db, plans);
  const progress = progressOf(missing.reduce((sum, { shape }) => sum + shape.people, 0));

  const queue = [...missing];
  const work = async () => {
    for (let plan = queue.shift(); plan !== undefined; plan = queue.shift()) {
      const one = plan;
      await inTransaction(db, (tx) =>
        addSeededChurch(tx, one, options.passwordHash, progress.copied),
      );
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    // When one fails the other stops at the end of its church.
    queue.length = 0;
  }

  progress.tidying();
  // Marks pages as visible to all, so that an index alone can answer, and counts what the planner wants to know.
  for (const table of seededTables) await db.query(`vacuum (analyze) ${table}`);

  const [largest] = missing as [Plan, ...Plan[]];
  return {
    churches: missing.length,
    people: missing.reduce((sum, { shape }) => sum + shape.people, 0),
    aliases: plans.slice(0, 3).map(({ alias }) => alias),
    login: { alias: largest.alias, email: largest.administrator },
  };
}

/** What an interrupted seeding left to do; refuses where a church is somebody else's, or where nothing is left. */
async function missingOf(db: Db, plans: readonly Plan[]): Promise<Plan[]> {
  const rows = await db<{ id: string; alias: string }[]>`
    select id, alias from accounts where alias = any (${plans.map(({ alias }) => alias)})`;
  const known = new Map(rows.map(({ alias, id }) => [alias, id]));
  for (const { alias, accountId } of plans)
    if (known.has(alias) && known.get(alias) !== accountId)
      throw fail("already-exists", `There is a church with the alias ${alias}: choose a --prefix.`);
  const missing = plans.filter(({ alias }) => !known.has(alias));
  if (missing.length === 0)
    throw fail(
      "already-exists",
      "These churches are there already: choose a --prefix to add others.",
    );
  return missing;
}
