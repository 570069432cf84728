import { describedCatalogue as catalogue } from "../catalogue.ts";
import { explain, typesOf } from "../contract/explain.ts";
import { EVENT_TYPES, explainEventTypes } from "../webhooks/history/event-types.ts";
import { type Command, command, CommandError } from "./command.ts";

export const commands: readonly Command[] = [
  command({
    name: "explain",
    summary: "Shows what the definition of a type derives: routes, statements, columns.",
    argument: { name: "type", description: "A type of the interface, like courses." },
    options: {},
    async run(_values, _context, type) {
      const types = [...typesOf(catalogue), EVENT_TYPES];
      if (!types.includes(type))
        throw new CommandError(
          "unknown-type",
          `There is no type ${JSON.stringify(type)}; there are ${types.join(", ")}.`,
        );
      const explanation = type === EVENT_TYPES ? explainEventTypes() : explain(catalogue, type);
      return { json: { type, explanation }, lines: [explanation.trimEnd()] };
    },
  }),
];
