import { migrate, pendingMigrations } from "../store/migrate.ts";
import { ensurePartitions } from "../store/partitions.ts";
import { type Command, command } from "./command.ts";
import { withDatabase } from "./database.ts";

export const commands: readonly Command[] = [
  command({
    name: "migrate",
    summary: "Brings the database up to date, breaking migrations included.",
    options: {},
    async run(_values, context) {
      const applied = await withDatabase(
        context,
        async (db) => {
          if ((await pendingMigrations(db)).length > 0) return migrate(db);
          await ensurePartitions(db);
          return [];
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
    },
  }),
];
