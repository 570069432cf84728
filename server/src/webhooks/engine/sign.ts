import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import type { SigningSecret } from "../endpoints/signing-secrets.ts";

export interface Message {
  /** The event's id or the control message's: the same on every attempt. */
  readonly webhookId: string;
  readonly deliveryId: string;
  /** The bytes that are sent. What is signed is these, not a text that will be encoded later. */
  readonly body: Uint8Array;
}

/** While a rotation overlaps, the previous secret too, so that a receiver that knows either is content. */
export interface LiveSecrets {
  readonly current: SigningSecret;
  readonly previous?: SigningSecret | undefined;
}

/** A type and not an interface, so that it passes for the headers of any HTTP client. */
export type MessageHeaders = {
  readonly "Webhook-Id": string;
  readonly "Webhook-Timestamp": string;
  readonly "Webhook-Signature": string;
  readonly "X-Svc-Delivery-Id": string;
  readonly "Content-Type": string;
  readonly "User-Agent": string;
};

/**
 * Standard Webhooks v1. Made for every attempt anew: a receiver refuses a timestamp that is more than a few minutes
 * old, and a retry may come a day later.
 */
export function messageHeaders(
  message: Message,
  secrets: LiveSecrets,
  startedAt: number,
  userAgent: string,
): MessageHeaders {
  const { webhookId, deliveryId, body } = message;
  // The dot divides what is signed: an id that has one could be read as another id with another time.
  assert.match(webhookId, /^[\w-]+$/);
  // Libraries decode the body before they verify it; other bytes would never verify.
  assert.ok(isUtf8(body), "The body is valid UTF-8.");

  const timestamp = String(Math.floor(startedAt / 1_000));
  const signature = (secret: SigningSecret) =>
    `v1,${secret.sign(`${webhookId}.${timestamp}.`, body)}`;
  return {
    "Webhook-Id": webhookId,
    "Webhook-Timestamp": timestamp,
    // One space and nothing else between them: not every library forgives more.
    "Webhook-Signature": [secrets.current, secrets.previous]
      .filter((secret) => secret !== undefined)
      .map(signature)
      .join(" "),
    "X-Svc-Delivery-Id": deliveryId,
    "Content-Type": "application/vnd.api+json",
    "User-Agent": userAgent,
  };
}
