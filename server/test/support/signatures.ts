import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import type { Received } from "./receiver.ts";

/** Every message that a receiver of the tests gets is held against the official library, whatever the test is about. */

/** Those that this process has been shown. */
const known = new Set<string>();

export const tellSecret = (secret: string): void => void known.add(secret);

type Message = Pick<Received, "body" | "headers">;

/** What a receiver makes of it with the official library; throws where the signature does not fit. */
export function verified(secret: string, { body, headers }: Message): Record<string, never> {
  return new Webhook(secret).verify(body, { ...headers }) as Record<string, never>;
}

/** A process that has been shown no secret, as that of the chaos, leaves it to its receivers. */
export function assertSigned(requests: readonly Received[]): void {
  if (known.size === 0) return;
  for (const request of requests) {
    const { "webhook-id": id, "x-svc-delivery-id": delivery } = request.headers;
    // What carries no delivery is the sender's own test, and no message.
    if (delivery === undefined) continue;
    assert.ok(isSigned(request), `The signature of ${id} (delivery ${delivery}) does not fit.`);
  }
}

function isSigned(request: Message): boolean {
  return [...known].some((secret) => {
    try {
      verified(secret, request);
      return true;
    } catch {
      return false;
    }
  });
}
