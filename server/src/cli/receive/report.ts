import { SECOND } from "../../base/clock.ts";
import type { Judgement } from "./known-secrets.ts";
import type { Message } from "./message.ts";
import type { Ending, Received } from "./receiver.ts";

const INDENT = "00:00:00  ".length;

/** The lines printed when a message arrives. */
export function linesOnArrival({ at, webhookId, judgement, message, answer }: Received): string[] {
  const time = new Date(at).toLocaleTimeString("en-GB");
  const { status, delayMs } = answer;
  const lines = [
    ...(message ? linesOf(message, webhookId, judgement) : ["Not a complete Vestry message."]),
    signatureLine(judgement),
    delayMs > 0 ? `answers ${status} after ${delayMs / SECOND} s` : `answered ${status}`,
  ];
  return lines.map((line, index) =>
    printable(`${(index === 0 ? time : "").padEnd(INDENT)}${line}`),
  );
}

/** The lines printed after an exchange that ended differently than announced. */
export function linesAfter({ message }: Received, { hungUp, ms }: Ending): string[] {
  const which = message ? `delivery ${message.meta["delivery-id"]}` : "this request";
  return hungUp
    ? [
        `${" ".repeat(INDENT)}The service hung up on ${which} after ${(ms / SECOND).toFixed(1)} s without an answer.`,
      ]
    : [];
}

/** The object printed for a message with --json, when its exchange is over. */
export function asJson(received: Received, { hungUp, ms }: Ending): Record<string, unknown> {
  const { at, webhookId, judgement, message, answer } = received;
  return {
    "received-at": new Date(at).toISOString(),
    "kind": message?.meta["delivery-kind"] ?? null,
    "type": message ? typeOf(message) : null,
    "webhook-id": webhookId,
    "delivery-id": message?.meta["delivery-id"] ?? null,
    "attempt": message?.meta.attempt ?? null,
    ...judgement,
    "changed-fields": message?.data.attributes["changed-fields"] ?? null,
    "answered": hungUp ? null : answer.status,
    "duration-ms": ms,
    "document": message ?? null,
  };
}

function linesOf(message: Message, webhookId: string, { signature }: Judgement): string[] {
  const { attributes, relationships } = message.data;
  const subject = relationships?.subject?.data;
  const changed = attributes["changed-fields"] ?? [];
  return [
    `${typeOf(message)}${subject ? ` · ${subject.type} ${subject.id}` : ""}`,
    `${message.meta["delivery-kind"]}, attempt ${message.meta.attempt} of delivery ${message.meta["delivery-id"]}, Webhook-Id ${webhookId}`,
    ...(changed.length > 0 ? [`changed: ${changed.join(", ")}`] : []),
    ...(attributes.message === undefined ? [] : [attributes.message]),
    ...(attributes.challenge === undefined || signature === "wrong"
      ? []
      : ["the answer repeats its challenge"]),
  ];
}

const typeOf = ({ data: { attributes } }: Message) =>
  attributes["event-type"] ?? attributes["control-type"] ?? "";

function signatureLine(judgement: Judgement): string {
  switch (judgement.signature) {
    case "ok":
      return "signature ok";
    case "not-checked":
      return "signature not checked: no secret entered";
    case "wrong":
      return `SIGNATURE WRONG: ${judgement.reason}. Check that the secret belongs to this endpoint.`;
  }
}

/** Replaces control characters, so that an unsigned message cannot control the terminal. */
const printable = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "\u{FFFD}");
