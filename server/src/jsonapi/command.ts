import type { Policy } from "../access/policy.ts";
import type { Attribute } from "./attributes.ts";
import type { ResourceInput } from "./input.ts";
import type { Resource, Reveal, ToOne } from "./resource.ts";
import type { WriteContext, Written } from "./write.ts";

/**
 * Something one asks for by `POST /v1/<type>` and that is no resource itself: it cannot be read, and the answer is the
 * resource it made or changed.
 */
export interface Command {
  type: string;
  /** One sentence for the reference. */
  description: string;
  callers?: Resource["callers"];
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

export const command = (definition: Command): Command => definition;
