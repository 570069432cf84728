import { Decoder, type Document, type ResourceObject } from "./documents.ts";
import type { EventFacts, Events, Identifier, MessageMeta } from "./types.ts";

/** A message of the service to a webhook endpoint. `type` says which members it has. */
export type WebhookMessage = WebhookEvent | WebhookVerification | WebhookTest;

/** A change in the account. A large snapshot omits members, which `truncation` lists. */
export type WebhookEvent = {
  [T in keyof Events]: Omit<EventFacts, "event-type"> & {
    id: string;
    type: T;
    snapshot: Events[T];
    account: Identifier<"accounts">;
    subject: Identifier;
    actor: Identifier<"people"> | null;
    delivery: MessageMeta;
  };
}[keyof Events];

interface WebhookControl {
  id: string;
  "created-at": string;
  "expires-at": string;
  "destination-version": number;
  "verification-generation": number;
  delivery: MessageMeta;
}

/** Answer it with status 200 and the JSON `{ "meta": { "challenge": … } }`. */
export interface WebhookVerification extends WebhookControl {
  type: "webhook.verification";
  challenge: string;
}

export interface WebhookTest extends WebhookControl {
  type: "webhook.test";
  message: string;
}

/** The message does not come from the service, or it is old. Answer it with status 401. */
export class InvalidWebhook extends Error {
  override readonly name = "InvalidWebhook";
}

type Headers = { get(name: string): string | null } | Record<string, string | string[] | undefined>;

/** Messages whose clock differs more are replays. */
const TOLERANCE_SECONDS = 300;

/**
 * Verifies the signature of Standard Webhooks and returns the message. The body is the bytes that arrived, or their text.
 * One of the secrets has to match, so that both work while a secret is replaced.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers,
  secrets: readonly (string | undefined)[],
): Promise<WebhookMessage> {
  const header = (name: string) => {
    const value = isMap(headers)
      ? headers.get(name)
      : Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
    if (typeof value !== "string") throw new InvalidWebhook(`The header ${name} is missing.`);
    return value;
  };
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const [id, timestamp] = [header("webhook-id"), header("webhook-timestamp")];
  const sentAt = /^\d{1,15}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(Date.now() / 1000 - sentAt) <= TOLERANCE_SECONDS))
    throw new InvalidWebhook("The message is old, or the clock of this machine is wrong.");
  const signatures = header("webhook-signature")
    .split(" ")
    .flatMap((one) => (one.startsWith("v1,") ? (bytesOf(one.slice(3)) ?? []) : []));
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const known = secrets.flatMap((secret) => secret || []);
  if (known.length === 0) throw new TypeError("Verifying a webhook needs a secret.");
  for (const key of await Promise.all(known.map(keyOf)))
    for (const signature of signatures)
      if (await crypto.subtle.verify("HMAC", key, signature, signed))
        return messageOf(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  throw new InvalidWebhook("No signature matches. Check the secret of the endpoint.");
}

const isMap = (headers: Headers): headers is { get(name: string): string | null } =>
  typeof headers["get"] === "function";

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (bytes === undefined) throw new TypeError("The secret of a webhook is whsec_ and base64.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function messageOf(text: string): WebhookMessage {
  const document = JSON.parse(text) as Partial<Document> & { data?: ResourceObject };
  if (!document.data) throw new InvalidWebhook("The body is not a message of the service.");
  const decoder = new Decoder({});
  const {
    $type: _type,
    "event-type": event,
    "control-type": control,
    snapshot,
    ...record
  } = decoder.record(document.data, {});
  return {
    ...record,
    type: event ?? control,
    ...(event !== undefined && { snapshot: decoder.record(snapshot as ResourceObject, {}) }),
    delivery: document.meta,
  } as unknown as WebhookMessage;
}
