import { placesOf } from "../definition/members.ts";
import type { Operations, Resource } from "../definition/resource.ts";
import { assertCustomValues } from "../request/custom-values.ts";
import { parseResource } from "../request/input.ts";
import { resolveId } from "../request/reach.ts";
import { parseShapeWithMay } from "../request/shape.ts";
import { updateRow } from "../sql/write.ts";
import {
  accessFirst,
  assertLinkable,
  assertMayLink,
  assertPlace,
  changeRules,
  assertVersionGiven,
} from "./change-steps.ts";
import { answerWritten } from "./documents.ts";
import type { Handler, RouteDependencies } from "./steps.ts";
import { withoutUnchanged } from "./unchanged.ts";
import { write } from "./write-steps.ts";

/** `PATCH /v1/courses/:id` */
export function updateRoute(
  resource: Resource,
  operation: NonNullable<Operations["update"]>,
  dependencies: RouteDependencies,
): Handler {
  const handwritten = "run" in operation ? operation : undefined;
  const options = { ...handwritten, parseQuery: parseShapeWithMay };
  return write(resource, dependencies, options, {
    plan: async (context, { document, expectedVersion, id: named }) => {
      const id = resolveId(resource, context.actor, named, "update");
      const rules = await changeRules(context, resource, operation, id);
      await assertVersionGiven(context, resource, id, expectedVersion);
      const input = await accessFirst(context, resource, id, async () => {
        const changed = await withoutUnchanged(context, resource, id, document, rules);
        const parsed = parseResource(resource, changed, rules);
        for (const name of placesOf(resource)) {
          const place = parsed.toOne[name];
          if (place !== undefined)
            await assertPlace(context, resource, operation, { name, id: place });
        }
        await assertMayLink(context, resource, id, Object.keys(parsed.toMany));
        await assertLinkable(context, resource, parsed);
        return (await handwritten?.before?.(context, parsed, id)) ?? parsed;
      });
      return { id, input };
    },
    act: async (context, { id, input }) => {
      await assertCustomValues(context, input);
      return handwritten
        ? handwritten.run(context, id, input)
        : updateRow(context, resource, id, input);
    },
    respond: (context, written, shape) => answerWritten(context, resource, written, shape, 200),
  });
}
