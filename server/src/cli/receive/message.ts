import { Check, type XStatic } from "typebox/schema";

/** An event or a control message as docs/webhooks/reference.md describes it. Other members are allowed. */
const text = { type: "string" } as const;
const document = {
  type: "object",
  required: ["data", "meta"],
  properties: {
    data: {
      type: "object",
      required: ["id", "attributes"],
      properties: {
        id: text,
        attributes: {
          type: "object",
          properties: {
            "event-type": text,
            "changed-fields": { anyOf: [{ type: "array", items: text }, { type: "null" }] },
            "control-type": text,
            "challenge": text,
            "message": text,
          },
        },
        relationships: {
          type: "object",
          properties: {
            subject: {
              type: "object",
              properties: {
                data: {
                  type: "object",
                  required: ["type", "id"],
                  properties: { type: text, id: text },
                },
              },
              required: ["data"],
            },
          },
        },
      },
    },
    meta: {
      type: "object",
      required: ["delivery-id", "delivery-kind", "attempt"],
      properties: {
        "delivery-id": text,
        "delivery-kind": { enum: ["production", "verification", "test"] },
        "attempt": { type: "integer" },
      },
    },
  },
} as const;

export type Message = XStatic<typeof document>;

/** Returns undefined for anything but a message. */
export function readMessage(body: Buffer): Message | undefined {
  try {
    const parsed: unknown = JSON.parse(body.toString("utf8"));
    return Check(document, parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
