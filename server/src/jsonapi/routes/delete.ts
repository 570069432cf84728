import type { Operations, Resource } from "../definition/resource.ts";
import { allowedReach, resolveId } from "../request/reach.ts";
import { deleteRow } from "../sql/write.ts";
import { requireVersion } from "./changes.ts";
import type { Handler, RouteDependencies } from "./steps.ts";
import { unshaped, write } from "./write-steps.ts";

/** `DELETE /v1/courses/:id` */
export const deleteRoute = (
  of: Resource,
  operation: NonNullable<Operations["delete"]>,
  dependencies: RouteDependencies,
): Handler =>
  write(of, dependencies, unshaped, {
    plan: async (context, { expectedVersion, id: named }) => {
      allowedReach(context.actor, of, operation, "delete");
      const id = resolveId(of, context.actor, named);
      await requireVersion(context, of, id, expectedVersion);
      return id;
    },
    act: (context, id) =>
      "run" in operation ? operation.run(context, id) : deleteRow(context, of, id),
    respond: async () => ({ status: 204, headers: {}, body: "" }),
  });
