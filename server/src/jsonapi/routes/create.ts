import { holdsAnywhere, reachOf } from "../../access/policy.ts";
import { reachesNothing } from "../../access/reach.ts";
import { ApiError, forbidden } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { targetTypes } from "../definition/relationships.ts";
import type { RowRights } from "../definition/custom-fields.ts";
import type { ResourceInput } from "../definition/input.ts";
import { placesOf } from "../definition/members.ts";
import { policyOf } from "../definition/operations.ts";
import type { Operations, ReadContext, Resource } from "../definition/resource.ts";
import { definitionOf } from "../definition/targets.ts";
import { assertCustomValues } from "../request/custom-values.ts";
import { isObject, parseResource } from "../request/input.ts";
import { parseShapeWithMay } from "../request/shape.ts";
import { mayReach } from "../sql/reach.ts";
import { customFieldsIn } from "../sql/read.ts";
import { insertLast } from "../sql/write.ts";
import { assertLinkable, assertPlace } from "./change-steps.ts";
import { answerCreated } from "./documents.ts";
import type { Handler, RouteDependencies } from "./steps.ts";
import { write } from "./write-steps.ts";

/** `POST /v1/courses` */
export function createRoute(
  resource: Resource,
  operation: NonNullable<Operations["create"]>,
  dependencies: RouteDependencies,
): Handler {
  const handwritten = "run" in operation ? operation : undefined;
  const options = { ...handwritten, parseQuery: parseShapeWithMay };
  return write(resource, dependencies, options, {
    plan: async (context, { document }) => {
      const { actor } = context;
      const rights = await creationRights(context, resource, operation, document);
      const customFields = await customFieldsIn(context, resource);
      const input = parseResource(resource, document, { actor, customFields, rights });
      if (!handwritten?.anyScope) await assertPlaced(context, resource, operation, input);
      return (await handwritten?.before?.(context, input)) ?? input;
    },
    act: async (context, input) => {
      await assertCustomValues(context, input);
      // Before the operation, which can bring what it links to into the caller's scope.
      const unlinkable = await assertLinkable(context, resource, input).then(
        () => undefined,
        (error: unknown) => error,
      );
      const written = await (handwritten
        ? handwritten.run(context, input)
        : insertLast(context, resource, input)
      ).catch((error: unknown) => {
        // 403 comes before 422. Other errors would tell that the hidden resource exists.
        const isForbidden = error instanceof ApiError && error.status === 403;
        throw isForbidden ? error : (unlinkable ?? error);
      });
      if (unlinkable !== undefined) throw unlinkable;
      return written;
    },
    respond: (context, written, shape) =>
      answerCreated(context, resource, written, shape, handwritten?.status),
  });
}

type Create = NonNullable<Operations["create"]>;

/**
 * Returns the caller's rights on a new resource, or throws 403. The place is checked before the rest of the document, because
 * 403 comes before 422.
 */
async function creationRights(
  context: ReadContext,
  resource: Resource,
  operation: Create,
  body: unknown,
): Promise<RowRights | undefined> {
  const { actor } = context;
  const policy = policyOf(operation);
  const reach = reachOf(actor, policy, resource.reach ?? {});
  if (reach === "everything") return undefined;
  const place = placeIn(resource, body);
  const anyScope = ("run" in operation && operation.anyScope) || [];
  const some = new Set(anyScope.filter((one) => holdsAnywhere(actor, one)));
  if (some.size === 0) {
    if (reachesNothing(reach) || placesOf(resource).length === 0)
      throw forbidden(`This person may not create ${resource.type}.`);
    if (place) await assertPlace(context, resource, operation, place);
    return undefined;
  }
  const [first] = policy.kind === "permission" ? policy.permissions : [];
  const own = first !== undefined && some.has(first);
  const all =
    placesOf(resource).length === 0
      ? own
      : place !== undefined &&
        (await mayReach(context, operation, definitionOf(context.catalogue, place.type), place.id));
  return { all, own, some };
}

/** A document without a place needs the whole account. */
async function assertPlaced(
  context: ReadContext,
  resource: Resource,
  operation: Create,
  { toOne }: ResourceInput,
): Promise<void> {
  const places = placesOf(resource);
  const isPlaced = places.some((name) => (toOne[name] ?? null) !== null);
  const [name] = places;
  if (name !== undefined && !isPlaced)
    await assertPlace(context, resource, operation, { name, id: null });
}

interface Place {
  name: string;
  type: string;
  id: string;
}

/** The place in a document that has not been checked. */
function placeIn(resource: Resource, body: unknown): Place | undefined {
  for (const name of placesOf(resource)) {
    const linkage = at(at(at(at(body, "data"), "relationships"), name), "data");
    if (linkage === undefined || linkage === null) continue;
    const [id, type] = [at(linkage, "id"), at(linkage, "type")];
    const place = resource.relationships[name];
    const isPlace = typeof id === "string" && isId(id) && typeof type === "string";
    return isPlace && place && targetTypes(place).includes(type) ? { name, type, id } : undefined;
  }
  return undefined;
}

const at = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
