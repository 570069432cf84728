import type { Operations, Resource } from "../definition/resource.ts";
import { allowedReach, resolveId } from "../request/reach.ts";
import { deleteRow } from "../sql/write.ts";
import { assertVersionGiven } from "./change-steps.ts";
import type { Handler, RouteDependencies } from "./steps.ts";
import { unshaped, write } from "./write-steps.ts";

/** `DELETE /v1/courses/:id` */
export const deleteRoute = (
  resource: Resource,
  operation: NonNullable<Operations["delete"]>,
  dependencies: RouteDependencies,
): Handler =>
  write(resource, dependencies, unshaped, {
    plan: async (context, { expectedVersion, id: named }) => {
      allowedReach(context.actor, resource, operation, "delete");
      const id = resolveId(resource, context.actor, named);
      await assertVersionGiven(context, resource, id, expectedVersion);
      return id;
    },
    act: (context, id) =>
      "run" in operation ? operation.run(context, id) : deleteRow(context, resource, id),
    respond: async () => ({ status: 204, headers: {}, body: "" }),
  });
