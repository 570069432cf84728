import { describedCatalogue as catalogue } from "../catalogue.ts";
import { explain, typesOf } from "../contract/explain.ts";
import { EVENT_TYPES, explainEventTypes } from "../webhooks/index.ts";
import type { AddCommand } from "./context.ts";
import { CommandError } from "./failure.ts";

export const addExplain: AddCommand = (program, context) =>
  program
    .command("explain")
    .description("Show the routes, statements and columns derived from the definition of a type.")
    .argument("<type>", "A type of the API, for example courses.")
    .action(
      context.action(async (type) => {
        const types = [...typesOf(catalogue), EVENT_TYPES];
        if (!types.includes(type))
          throw new CommandError(
            "unknown-type",
            `Unknown type ${JSON.stringify(type)}. The types are ${types.join(", ")}.`,
          );
        const explanation =
          type === EVENT_TYPES ? explainEventTypes(catalogue.declared) : explain(catalogue, type);
        return { json: { type, explanation }, lines: [explanation.trimEnd()] };
      }),
    );
