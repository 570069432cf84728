import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import type { SigningSecret } from "../endpoints/signing-secrets.ts";

export interface Message {
  /** The id of the event or the control message. It is the same for every attempt. */
  readonly webhookId: string;
  readonly deliveryId: string;
  /** The exact bytes that are sent and signed. */
  readonly body: Uint8Array;
}

/** The previous secret also signs while a rotation overlaps, so receivers can verify with either. */
export interface LiveSecrets {
  readonly current: SigningSecret;
  readonly previous?: SigningSecret | undefined;
}

/** A type alias is assignable to the header types of HTTP clients. An interface is not. */
export type MessageHeaders = {
  readonly "Webhook-Id": string;
  readonly "Webhook-Timestamp": string;
  readonly "Webhook-Signature": string;
  readonly "X-Svc-Delivery-Id": string;
  readonly "Content-Type": string;
  readonly "User-Agent": string;
};

/** Builds the headers of Standard Webhooks v1. Every attempt has a new timestamp, because receivers reject old ones. */
export function messageHeaders(
  message: Message,
  secrets: LiveSecrets,
  startedAt: number,
  userAgent: string,
): MessageHeaders {
  const { webhookId, deliveryId, body } = message;
  // The dot separates the signed parts. An id with a dot would be ambiguous.
  assert.match(webhookId, /^[\w-]+$/);
  // Libraries decode the body before they verify it, so other bytes would never verify.
  assert.ok(isUtf8(body), "The body is valid UTF-8.");

  const timestamp = String(Math.floor(startedAt / 1_000));
  const signature = (secret: SigningSecret) =>
    `v1,${secret.sign(`${webhookId}.${timestamp}.`, body)}`;
  return {
    "Webhook-Id": webhookId,
    "Webhook-Timestamp": timestamp,
    // Some libraries accept only a single space.
    "Webhook-Signature": [secrets.current, secrets.previous]
      .filter((secret) => secret !== undefined)
      .map(signature)
      .join(" "),
    "X-Svc-Delivery-Id": deliveryId,
    "Content-Type": "application/vnd.api+json",
    "User-Agent": userAgent,
  };
}
