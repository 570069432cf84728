import type { Operations, Resource } from "../definition/resource.ts";
import { allowedReach, resolveId } from "../request/reach.ts";
import { deleteRow } from "../sql/write.ts";
import { requireVersion } from "./changes.ts";
import { type Handler, idIn, type RouteDependencies } from "./steps.ts";
import { unshaped, write } from "./write-steps.ts";

/** `DELETE /v1/courses/:id` */
export const deleteRoute = (
  of: Resource,
  operation: NonNullable<Operations["delete"]>,
  dependencies: RouteDependencies,
): Handler =>
  write(of, dependencies, unshaped, {
    plan: async (context, request) => {
      allowedReach(context.actor, of, operation, "delete");
      const id = resolveId(of, context.actor, idIn(request));
      await requireVersion(context, of, id, request);
      return id;
    },
    act: (context, id) =>
      "run" in operation ? operation.run(context, id) : deleteRow(context, of, id),
    respond: async () => ({ status: 204, headers: {}, body: "" }),
  });
