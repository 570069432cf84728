import { requireNoOtherDatabase } from "../app/prepare-server.ts";
import { queues } from "../catalogue.ts";
import { prepareQueues } from "../jobs/boss.ts";
import { migrate, pendingMigrations } from "../store/migrate.ts";
import { ensurePartitions } from "../store/partitions.ts";
import { numberServers } from "../store/number-servers.ts";
import type { Db } from "../store/db.ts";
import type { AddCommand, Context } from "./context.ts";
import { withDatabase } from "./database.ts";

async function bringUpToDate(db: Db, context: Context, beginEmpty = false): Promise<string[]> {
  const pending = await pendingMigrations(db);
  if (!beginEmpty) await requireNoOtherDatabase(context.config(), pending);
  const applied = pending.length > 0 ? await migrate(db) : [];
  if (pending.length === 0) await ensurePartitions(db);
  await prepareQueues(db, queues);
  return applied;
}

export const addMigrate: AddCommand = (program, context) =>
  program
    .command("migrate")
    .description("Apply all pending migrations, including breaking ones.")
    .option("--begin-empty", "Use an empty DATABASE_URL although DATA_DIR contains a database.")
    .action(
      context.action(async ({ beginEmpty }) => {
        const applied = await withDatabase(
          context,
          async (db) => {
            const applied = new Set<string>();
            // One after the other. An error ends the command, which can be repeated.
            for (const server of db.servers)
              for (const name of await bringUpToDate(server, context, beginEmpty))
                applied.add(name);
            await numberServers(db);
            return [...applied];
          },
          { schema: false },
        );
        return {
          json: { applied },
          lines:
            applied.length === 0
              ? ["The database is up to date."]
              : [`Applied ${applied.join(", ")}.`],
        };
      }),
    );
