import Type, { type Static } from "typebox";
import { Check } from "typebox/value";

/**
 * What arrives, read as docs/webhooks.md describes it: an event or a control message. Members that are not named here
 * may come with it.
 */
const document = Type.Object({
  data: Type.Object({
    id: Type.String(),
    attributes: Type.Object({
      "event-type": Type.Optional(Type.String()),
      "changed-fields": Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
      "control-type": Type.Optional(Type.String()),
      "challenge": Type.Optional(Type.String()),
      "message": Type.Optional(Type.String()),
    }),
    relationships: Type.Optional(
      Type.Object({
        subject: Type.Optional(
          Type.Object({ data: Type.Object({ type: Type.String(), id: Type.String() }) }),
        ),
      }),
    ),
  }),
  meta: Type.Object({
    "delivery-id": Type.String(),
    "delivery-kind": Type.Enum(["production", "verification", "test"]),
    "attempt": Type.Integer(),
  }),
});

export type Message = Static<typeof document>;

/** undefined for anything else. */
export function readMessage(body: Buffer): Message | undefined {
  try {
    const parsed: unknown = JSON.parse(body.toString("utf8"));
    return Check(document, parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
