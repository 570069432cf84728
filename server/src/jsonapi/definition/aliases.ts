import type { Actor } from "../../access/actor.ts";
import { rowsArePeople } from "../../access/reach.ts";
import type { Resource } from "./resource.ts";

/** Ids that mean the caller. */

/** Replaces an alias such as `me` by the id that it means. Other ids are returned unchanged. */
export const resolveAlias = (
  { aliases = {} }: Pick<Resource, "aliases">,
  actor: Actor,
  id: string,
) => (Object.hasOwn(aliases, id) && aliases[id]?.(actor)) || id;

/** Whether a resource is the record of the caller's own person. */
export const isOwn = ({ reach }: Pick<Resource, "reach">, actor: Actor, id: string): boolean =>
  id === actor.personId && rowsArePeople(reach);
