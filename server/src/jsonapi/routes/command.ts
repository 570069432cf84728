import { ApiError } from "../../base/errors.ts";
import type { Command } from "../definition/command.ts";
import type { ToOne } from "../definition/relationships.ts";
import type { ResourceInput } from "../definition/input.ts";
import type { WriteContext } from "../definition/resource.ts";
import { definitionOf, targetOf } from "../definition/targets.ts";
import { absent, parseResource } from "../request/input.ts";
import { allowedReach } from "../request/reach.ts";
import { linkableIds } from "../sql/read.ts";
import { answerCreated } from "./documents.ts";
import type { Handler, RouteDependencies } from "./steps.ts";
import { write } from "./write-steps.ts";

/** `POST /v1/webhook-redeliveries` */
export function commandRoute(command: Command, dependencies: RouteDependencies): Handler {
  const answered = definitionOf(dependencies.catalogue, command.answers);
  return write(answered, dependencies, command, {
    plan: async ({ actor }, { document }) => {
      allowedReach(actor, command, command, "create");
      return parseResource(command, document, { actor, customFields: undefined });
    },
    act: async (context, input) => {
      await requireNamed(context, command, input);
      return command.run(context, input);
    },
    respond: (context, written, shape) =>
      answerCreated(context, answered, written, shape, command.status),
  });
}

/** Rejects ids to which the caller cannot link. A resource has a foreign key for this, a command has none. */
async function requireNamed(
  context: WriteContext,
  { relationships }: Command,
  { toOne }: ResourceInput,
): Promise<void> {
  for (const [name, id] of Object.entries(toOne)) {
    const relationship = relationships[name] as ToOne;
    const target = targetOf(context.catalogue, relationship);
    if (id === null || (await linkableIds(context, target, [id])).has(id)) continue;
    throw new ApiError([absent(relationship, `/data/relationships/${name}/data`)]);
  }
}
