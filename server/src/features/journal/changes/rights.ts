import { createHash } from "node:crypto";
import type { Actor } from "../../../access/actor.ts";
import { fail } from "../../../base/errors.ts";

/** The rights of the caller, as a value to compare. */
export const rightsOf = ({ administrativeStatus, assignments, integrationId }: Actor): string =>
  JSON.stringify([
    administrativeStatus,
    integrationId,
    assignments
      .map((one) =>
        JSON.stringify([one.permissions, one.scopeType, [...one.scopeIds].sort(), one.until]),
      )
      .sort(),
  ]);

const DIGEST_DIGITS = 16;

const digests = new WeakMap<Actor, string>();

export function digestOf(actor: Actor): string {
  const known = digests.get(actor);
  if (known !== undefined) return known;
  const hash = createHash("sha256").update(actor.personId + rightsOf(actor));
  const digest = hash.digest("hex").slice(0, DIGEST_DIGITS);
  digests.set(actor, digest);
  return digest;
}

export const reachChanged = () =>
  fail(
    "reach-changed",
    "The resources that the caller reaches are others than at the position. Read the lists again, then follow the feed from `page[after]=now`.",
    { parameter: "page[after]" },
  );
