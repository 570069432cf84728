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
        const released = await withDatabase(context, release);
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
