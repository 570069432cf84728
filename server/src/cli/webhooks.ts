import { release } from "../webhooks/index.ts";
import type { AddCommand } from "./context.ts";
import { withDatabase } from "./database.ts";

export const addWebhooks: AddCommand = (program, context) => {
  const webhooks = program.command("webhooks").description("Manage the sending of webhooks.");

  webhooks
    .command("release")
    .description("Send the webhooks of a restored or copied database, which are held until then.")
    .action(
      context.action(async () => {
        const answers = await withDatabase(context, (db) => Promise.all(db.servers.map(release)));
        const released = answers.includes(true);
        return {
          json: { released },
          lines: [
            released
              ? "The webhooks of this database are sent from now on."
              : "No webhooks are held. The service finds a copy when it starts.",
          ],
        };
      }),
    );
};
