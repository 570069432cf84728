import { Webhook } from "standardwebhooks";
import type { Received } from "./receiver.ts";

/** Every message that a receiver of the tests gets is held against the official library, whatever the test is about. */

/** Secrets that this process has been shown. */
const known = new Set<string>();
const received: (readonly Received[])[] = [];

export const tellSecret = (secret: string): void => void known.add(secret);

type Message = Pick<Received, "body" | "headers">;

/** What a receiver makes of it with the official library; throws where the signature does not fit. */
export function verified(secret: string, { body, headers }: Message): Record<string, never> {
  return new Webhook(secret).verify(body, { ...headers }) as Record<string, never>;
}

/**
 * Looked at when the process ends: by then all secrets are known, and what fails keeps nothing from being cleaned up. A
 * process that was shown no secret can tell nothing.
 */
export function holdAgainstLibrary(requests: readonly Received[]): void {
  received.push(requests);
  if (received.length > 1) return;
  process.once("exit", () => {
    // What carries no delivery was sent to test the sender, and is no message.
    const messages = received.flat().filter(({ headers }) => headers["x-svc-delivery-id"]);
    const wrong = known.size === 0 ? [] : messages.filter((message) => !isSigned(message));
    if (wrong.length === 0) return;
    console.error("Messages whose signature the official library refuses:");
    for (const { headers } of wrong) console.error(headers);
    process.exitCode = 1;
  });
}

function isSigned(message: Message): boolean {
  return [...known].some((secret) => {
    try {
      verified(secret, message);
      return true;
    } catch {
      return false;
    }
  });
}
