import { forbidden } from "../../base/errors.ts";
import type { Operations, Resource } from "../definition/resource.ts";
import { checkCustomValues } from "../request/custom-values.ts";
import { parseResource } from "../request/input.ts";
import { allowedReach } from "../request/reach.ts";
import { customFieldsIn } from "../sql/read.ts";
import { insertRow } from "../sql/write.ts";
import { answerCreated } from "./documents.ts";
import type { Handler, RouteDependencies } from "./steps.ts";
import { write } from "./write.ts";

/** `POST /v1/courses` */
export function createRoute(
  of: Resource,
  operation: NonNullable<Operations["create"]>,
  dependencies: RouteDependencies,
): Handler {
  const handwritten = "run" in operation ? operation : undefined;
  return write(of, dependencies, handwritten, {
    plan: async (context, { body }) => {
      const { actor } = context;
      // A scope names existing rows. A new resource is in none of them.
      if (allowedReach(actor, of, operation, "create") !== "everything")
        throw forbidden(`This person may not create ${of.type}.`);
      const customFields = await customFieldsIn(context, of);
      const input = parseResource(of, body, { actor, customFields });
      await handwritten?.before?.(context, input);
      return input;
    },
    act: async (context, input) => {
      await checkCustomValues(context, input);
      return handwritten ? handwritten.run(context, input) : insertRow(context, of, input);
    },
    respond: (context, written, shape) =>
      answerCreated(context, of, written, shape, handwritten?.status),
  });
}
