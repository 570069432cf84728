import type { EventRecord } from "./webhooks.ts";

/** The body of a message as the service sends it, from the event and its delivery. Only the number differs between attempts. */
export const messageOf = (
  event: EventRecord,
  { delivery, kind, attempt }: { delivery: string; kind: string; attempt: number },
) => ({
  "jsonapi": { version: "1.0" },
  "data": {
    type: "webhook-events",
    id: event.id,
    attributes: {
      "event-type": event["event-type"],
      "occurred-at": event["occurred-at"],
      "schema-version": event["schema-version"],
      "cause": event.cause,
      "batch-id": event["batch-id"],
      "changed-fields": event["changed-fields"] ?? null,
      "snapshot": event.snapshot,
      "truncation": event.truncation,
      "merge": event.merge ?? null,
    },
    relationships: {
      account: { data: linkageOf(event.account) },
      subject: { data: linkageOf(event.subject) },
      actor: { data: linkageOf(event.actor) },
    },
  },
  "meta": { "delivery-id": delivery, "delivery-kind": kind, attempt },
});

const linkageOf = (link: { $type: string; id: string } | null) =>
  link && { type: link.$type, id: link.id };

/** A command for a shell that posts the message to a receiver on this machine. Single quotes end in a shell, so each is written apart. */
export const curlOf = (body: string, headers: readonly (readonly [string, string])[]): string =>
  [
    "curl -X POST http://localhost:8080/",
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ].join(" \\\n  ");

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
