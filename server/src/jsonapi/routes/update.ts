import { type Operations, placesOf, type Resource } from "../definition/resource.ts";
import { checkCustomValues } from "../request/custom-values.ts";
import { parseResource } from "../request/input.ts";
import { resolveId } from "../request/reach.ts";
import { updateRow } from "../sql/write.ts";
import {
  accessFirst,
  assertLinkable,
  assertMayLink,
  assertPlace,
  changeRules,
  requireVersion,
} from "./changes.ts";
import { answerWritten } from "./documents.ts";
import type { Handler, RouteDependencies } from "./steps.ts";
import { withoutUnchanged } from "./unchanged.ts";
import { write } from "./write-steps.ts";

/** `PATCH /v1/courses/:id` */
export function updateRoute(
  of: Resource,
  operation: NonNullable<Operations["update"]>,
  dependencies: RouteDependencies,
): Handler {
  const handwritten = "run" in operation ? operation : undefined;
  return write(of, dependencies, handwritten, {
    plan: async (context, { document, expectedVersion, id: named }) => {
      const id = resolveId(of, context.actor, named, "update");
      const rules = await changeRules(context, of, operation, id);
      await requireVersion(context, of, id, expectedVersion);
      const input = await accessFirst(context, of, id, async () => {
        const changed = await withoutUnchanged(context, of, id, document, rules);
        const parsed = parseResource(of, changed, rules);
        for (const name of placesOf(of)) {
          const place = parsed.toOne[name];
          if (place !== undefined) await assertPlace(context, of, operation, { name, id: place });
        }
        await assertMayLink(context, of, id, Object.keys(parsed.toMany));
        await assertLinkable(context, of, parsed);
        return (await handwritten?.before?.(context, parsed, id)) ?? parsed;
      });
      return { id, input };
    },
    act: async (context, { id, input }) => {
      await checkCustomValues(context, input);
      return handwritten ? handwritten.run(context, id, input) : updateRow(context, of, id, input);
    },
    respond: (context, written, shape) => answerWritten(context, of, written, shape, 200),
  });
}
