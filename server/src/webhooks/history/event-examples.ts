import type { EventType } from "../../events/event-types.ts";
import { productionBody } from "../engine/message.ts";
import { type Noun, type Sample, samples } from "./event-samples.ts";

/** Ids as they look, and nobody's. Every type has one subject, so that the examples refer to one another. */
const idOf = (number: number) => `01980e5c-4a00-7000-8000-${number.toString(16).padStart(12, "0")}`;

const types = [
  ...new Set(
    Object.values(samples).flatMap(({ relationships = {}, type }) => [
      type,
      ...Object.values(relationships),
    ]),
  ),
];
const subjectId = (type: string) => idOf(types.indexOf(type) + 1);

const ids = {
  event: idOf(0xe0),
  delivery: idOf(0xd0),
  /** Of the person who was merged into the other. */
  removed: idOf(0xf0),
};

export interface ExampleMessage {
  data: { attributes: Record<string, unknown> };
}

/**
 * The message of an event of this type, made by what makes every message: an example that was written down would sooner
 * or later show another form.
 */
export function exampleOf(eventType: EventType): ExampleMessage {
  const [noun, verb] = eventType.split(".") as [Noun, string];
  const sample = samples[noun];
  const isUpdate = verb === "updated";
  const snapshot = JSON.stringify(
    verb === "deleted" ? identifierOf(sample.type) : subjectOf(sample),
  );
  const body = productionBody(
    {
      id: ids.event,
      accountId: subjectId("accounts"),
      eventType,
      occurredAt: "2026-03-01T09:30:00.000Z",
      cause: "api",
      batchId: null,
      changedFields: isUpdate ? (sample.changed ?? []) : null,
      subjectType: sample.type,
      subjectId: subjectId(sample.type),
      actorId: subjectId("people"),
      snapshot,
      snapshotBytes: Buffer.byteLength(snapshot),
      omittedFields: [],
      merge:
        eventType === "person.merged"
          ? JSON.stringify({ "kept-id": subjectId(sample.type), "removed-ids": [ids.removed] })
          : null,
    },
    { deliveryId: ids.delivery, attempt: 1 },
  );
  return JSON.parse(String(body)) as ExampleMessage;
}

const identifierOf = (type: string) => ({ type, id: subjectId(type) });

/** As a snapshot has it: the resource as it is read, without links. */
const subjectOf = ({ attributes, relationships = {}, type }: Sample) => ({
  ...identifierOf(type),
  attributes,
  relationships: Object.fromEntries(
    Object.entries(relationships).map(([name, target]) => [name, { data: identifierOf(target) }]),
  ),
});
