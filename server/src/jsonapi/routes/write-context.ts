import type { Actor } from "../../access/actor.ts";
import { Confirmation } from "../../access/confirmation.ts";
import type { Tx } from "../../store/db.ts";
import type { Resource, WriteContext } from "../definition/resource.ts";

export type Installation = Pick<
  WriteContext,
  "catalogue" | "customFieldsOf" | "files" | "lockCustomFields" | "publicUrl" | "sendsMail"
>;

/** The context of writes of an actor whose rights were read in this transaction, such as the service itself. */
export function writeContextOf(
  { catalogue, customFieldsOf, files, lockCustomFields, publicUrl, sendsMail }: Installation,
  db: Tx,
  actor: Actor,
  resource: Resource,
): WriteContext {
  return {
    db,
    catalogue,
    actor,
    publicUrl,
    files,
    customFieldsOf,
    lockCustomFields,
    resource,
    expectedVersion: undefined,
    key: undefined,
    sendsMail,
    confirmation: new Confirmation(actor, {
      identifyAgain: () => Promise.resolve(actor),
      knownAt: performance.now(),
      ageMsMax: Number.POSITIVE_INFINITY,
    }),
  };
}
