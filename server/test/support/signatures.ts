import { Webhook } from "standardwebhooks";
import { SECOND } from "../../src/base/clock.ts";
import type { Received } from "./receiver.ts";

/** Verifies every message that a test receiver gets with the official library. */

/** A secret that a creation, a new URL or a rotation has revealed. */
export interface Shown {
  readonly endpointId: string;
  /** Without it, the current generation is meant. */
  readonly url?: string | undefined;
  readonly secret: string;
  /** Without it, the URL identifies the endpoint. */
  readonly accountId?: string | undefined;
  /** The time of the request, because messages may arrive before its response. */
  readonly askedAt: number;
  /** How long the previous secret also signs. Without it, the previous secret ends at once. */
  readonly previousUntil?: number | undefined;
}

interface Known extends Pick<Shown, "accountId" | "endpointId" | "secret"> {
  readonly url: string;
  readonly from: number;
  until: number;
}

type Message = Pick<Received, "body" | "headers">;
type Placed = Message & Pick<Received, "path" | "receivedAt">;

/** The secrets of each endpoint and their times, as far as the API has revealed them. */
export class ShownSecrets {
  readonly #known: Known[] = [];

  tell(shown: Shown, now = Date.now()): void {
    const { accountId, askedAt, endpointId, previousUntil = now, secret } = shown;
    const before = this.#known.filter((one) => one.endpointId === endpointId);
    // A replayed response.
    if (before.some((one) => one.secret === secret)) return;
    const url = shown.url === undefined ? before.at(-1)?.url : new URL(shown.url).href;
    if (url === undefined) throw new Error("A secret was rotated of an endpoint that nobody made.");
    for (const one of before) one.until = Math.min(one.until, previousUntil);
    this.#known.push({ endpointId, url, accountId, secret, from: askedAt, until: Infinity });
  }

  /** Returns the fault of a message, or undefined if all its signatures are of valid secrets. */
  refusal(message: Placed): string | undefined {
    const { headers, receivedAt } = message;
    const url = new URL(message.path, `https://${headers["host"]}`).href;
    const accountId = accountIn(message);
    const there = this.#known.filter(
      (one) =>
        one.url === url &&
        (accountId === undefined || one.accountId === undefined || one.accountId === accountId),
    );
    if (there.length === 0) return `There is no endpoint at ${url} whose secret was shown.`;
    const signatures = (headers["webhook-signature"] ?? "").split(" ");
    const isSignedBy = (secrets: readonly Known[]) =>
      signatures.every((signature) =>
        secrets.some(({ secret }) =>
          fits(secret, { ...message, headers: { ...headers, "webhook-signature": signature } }),
        ),
      );
    // A message that was signed before the end of a secret can arrive at any time after it. The time of its signature has no
    // milliseconds.
    const signedAt = Number(headers["webhook-timestamp"]) * SECOND;
    const valid = there.filter(({ from, until }) => from <= receivedAt && signedAt <= until);
    const endpoints = Map.groupBy(valid, ({ endpointId }) => endpointId);
    return [...endpoints.values()].some(isSignedBy)
      ? undefined
      : `It is signed with what no endpoint at ${url} signs with at the time.`;
  }
}

/** Control messages have no endpoint. */
function accountIn({ body }: Message): string | undefined {
  try {
    return JSON.parse(String(body)).data.relationships.account.data.id;
  } catch {
    return undefined;
  }
}

/** Verifies a message with the official library and throws if the signature is wrong. */
export function verified(secret: string, { body, headers }: Message): Record<string, never> {
  return new Webhook(secret).verify(body, { ...headers }) as Record<string, never>;
}

/** `verify` of the library rejects messages that are older than five minutes, as they may be when the process ends. */
function fits(secret: string, { body, headers }: Message): boolean {
  const {
    "webhook-id": id = "",
    "webhook-timestamp": seconds,
    "webhook-signature": sent,
  } = headers;
  return new Webhook(secret).sign(id, new Date(Number(seconds) * SECOND), String(body)) === sent;
}

const shown = new ShownSecrets();
const received: (readonly Received[])[] = [];

export const tellSecret = (one: Shown): void => shown.tell(one);

/** Checked when the process ends, when all secrets are known and all resources are released. */
export function holdAgainstLibrary(requests: readonly Received[]): void {
  received.push(requests);
  if (received.length > 1) return;
  process.once("exit", () => {
    for (const message of received.flat()) {
      const refusal = shown.refusal(message);
      if (refusal === undefined) continue;
      console.error(refusal, message.headers);
      process.exitCode = 1;
    }
  });
}
