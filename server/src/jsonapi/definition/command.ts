import type { Policy } from "../../access/policy.ts";
import { ApiError } from "../../base/errors.ts";
import type { Attribute } from "./attributes.ts";
import { absent, type ResourceInput } from "../request/input.ts";
import { isReadable } from "../sql/read.ts";
import { type Resource, type Reveal, type ToOne, targetOf } from "./resource.ts";
import type { WriteContext, Written } from "../sql/write.ts";

/**
 * Something one asks for by `POST /v1/<type>` and that is no resource itself: it cannot be read, and the answer is the
 * resource it made or changed.
 */
export interface Command {
  type: string;
  /** One sentence for the reference. */
  description: string;
  callers?: NonNullable<Resource["callers"]>;
  /** What the request may carry. */
  attributes: Record<string, Attribute>;
  relationships: Record<string, ToOne>;
  allow: Policy;
  key: "required" | "optional";
  status: 201 | 202;
  /** The type of the resource that is answered. */
  answers: string;
  /** The id of what it writes is the id of what is answered. */
  run: (context: WriteContext, input: ResourceInput) => Promise<Written>;
  reveal?: Reveal;
}

/** What a request names is there for its caller: of a resource a foreign key says so, of a command nothing does. */
export async function requireNamed(
  context: WriteContext,
  { relationships }: Command,
  { toOne }: ResourceInput,
): Promise<void> {
  for (const [name, id] of toOne) {
    const relationship = relationships[name] as ToOne;
    const target = targetOf(context.catalogue, relationship);
    if (id === null || (await isReadable(context, target, id))) continue;
    throw new ApiError([absent(relationship, `/data/relationships/${name}/data`)]);
  }
}
