import { Webhook } from "standardwebhooks";
import type { Received } from "./receiver.ts";

/** Every message that a receiver of the tests gets is held against the official library, whatever the test is about. */

/** What they are shown who register an endpoint, set its URL or rotate its secret. */
export interface Shown {
  readonly endpointId: string;
  /** Absent: the one it has. */
  readonly url?: string | undefined;
  readonly secret: string;
  /** Absent: the URL alone says whose messages are meant. */
  readonly accountId?: string | undefined;
  /** When it was asked for: messages may come before the answer. */
  readonly askedAt: number;
  /** How long the one before signs beside it; absent: no longer. */
  readonly previousUntil?: number | undefined;
}

interface Known extends Pick<Shown, "accountId" | "endpointId" | "secret"> {
  readonly url: string;
  readonly from: number;
  until: number;
}

type Message = Pick<Received, "body" | "headers">;
type Placed = Message & Pick<Received, "path" | "receivedAt">;

/** What was signed before a secret's end may be under way for as long. */
const UNDER_WAY_MS = 250;

/** Which secrets sign which endpoint's messages, and when: as far as whoever manages the endpoint is told. */
export class ShownSecrets {
  readonly #known: Known[] = [];

  tell(shown: Shown, now = Date.now()): void {
    const { accountId, askedAt, endpointId, previousUntil = now, secret } = shown;
    const before = this.#known.filter((one) => one.endpointId === endpointId);
    // An answer that was repeated.
    if (before.some((one) => one.secret === secret)) return;
    const url = shown.url === undefined ? before.at(-1)?.url : new URL(shown.url).href;
    if (url === undefined) throw new Error("A secret was rotated of an endpoint that nobody made.");
    for (const one of before) one.until = Math.min(one.until, previousUntil);
    this.#known.push({ endpointId, url, accountId, secret, from: askedAt, until: Infinity });
  }

  /** What is wrong with a message; undefined: each of its signatures is of a secret that its endpoint has at the time. */
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
    const valid = there.filter(
      ({ from, until }) => from <= receivedAt && receivedAt - UNDER_WAY_MS <= until,
    );
    const endpoints = Map.groupBy(valid, ({ endpointId }) => endpointId);
    return [...endpoints.values()].some(isSignedBy)
      ? undefined
      : `It is signed with what no endpoint at ${url} signs with at the time.`;
  }
}

/** Control messages name none. */
function accountIn({ body }: Message): string | undefined {
  try {
    return JSON.parse(String(body)).data.relationships.account.data.id;
  } catch {
    return undefined;
  }
}

/** What a receiver makes of it with the official library; throws where the signature does not fit. */
export function verified(secret: string, { body, headers }: Message): Record<string, never> {
  return new Webhook(secret).verify(body, { ...headers }) as Record<string, never>;
}

function fits(secret: string, message: Message): boolean {
  try {
    verified(secret, message);
    return true;
  } catch {
    return false;
  }
}

const shown = new ShownSecrets();
const received: (readonly Received[])[] = [];

export const tellSecret = (one: Shown): void => shown.tell(one);

/** Looked at when the process ends: by then all secrets are known, and what fails keeps nothing from being cleaned up. */
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
