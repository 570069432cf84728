import type { Actor } from "../access/actor.ts";
import { observe } from "../observe.ts";
import type { Tx } from "../store/db.ts";
import type { EventType } from "./event-types.ts";

/** What happened, told once, by the write that makes it true. */
export interface Happening {
  type: EventType;
  subject: { type: string; id: string };
  /** The attributes that differ, on `*.updated` alone; a custom field as `custom-properties.<field>`. */
  changedFields?: readonly string[];
  /** The subject as JSON text, without sensitive members. Not made unless somebody is subscribed. */
  snapshot: () => string;
  merge?: { "kept-id": string; "removed-ids": readonly string[] };
}

/**
 * The one door into webhooks. It takes a `Tx`: an event is written in the transaction that makes it true, or not at all.
 *
 * An account without a live webhook endpoint captures nothing, and until endpoints can be created no account has one:
 * what remains today is that every write names its event here, and that the log can show it. Endpoints bring the
 * statement that writes event, deliveries and queue rows at this place.
 */
export async function capture(_tx: Tx, actor: Actor, happening: Happening): Promise<void> {
  observe({
    kind: "event-happened",
    accountId: actor.accountId,
    eventType: happening.type,
    subjectType: happening.subject.type,
    subjectId: happening.subject.id,
  });
}
