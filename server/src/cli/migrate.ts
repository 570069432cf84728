import { requireNoOtherDatabase } from "../app/service.ts";
import { queues } from "../catalogue.ts";
import { prepareQueues } from "../jobs/boss.ts";
import { migrate, pendingMigrations } from "../store/migrate.ts";
import { ensurePartitions } from "../store/partitions.ts";
import type { AddCommand } from "./context.ts";
import { withDatabase } from "./database.ts";

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
            const pending = await pendingMigrations(db);
            const isPending = pending.length > 0;
            if (!beginEmpty) await requireNoOtherDatabase(context.config(), pending);
            const names = isPending ? await migrate(db) : [];
            if (!isPending) await ensurePartitions(db);
            await prepareQueues(db, queues);
            return names;
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
