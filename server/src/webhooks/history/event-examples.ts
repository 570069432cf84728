import type { EventExample, EventExamples } from "../../events/event-types.ts";
import { productionBody } from "../engine/message.ts";

/** Fixed example ids. */
const idOf = (number: number) => `01980e5c-4a00-7000-8000-${number.toString(16).padStart(12, "0")}`;

/** Each type has one example resource, so that the examples refer to each other. */
function idsOf(examples: EventExamples): (type: string) => string {
  const types = Object.values(examples).flatMap(({ relationships = {}, type }) => [
    type,
    ...Object.values(relationships),
  ]);
  const all = [...new Set(types)];
  return (type) => idOf(all.indexOf(type) + 1);
}

const ids = {
  event: idOf(0xe0),
  delivery: idOf(0xd0),
  /** The person who was merged into the other. */
  removed: idOf(0xf0),
};

export interface ExampleMessage {
  data: { attributes: Record<string, unknown> };
}

/** The message of an event of this type. The engine's own code builds it, so that its form is always right. */
export function exampleOf(eventType: string, examples: EventExamples): ExampleMessage {
  const [subject = "", verb] = eventType.split(".");
  const sample = examples[subject];
  if (!sample) throw new Error(`${eventType} has no example of a ${subject}.`);
  const subjectId = idsOf(examples);
  const identifierOf = (type: string) => ({ type, id: subjectId(type) });
  const isUpdate = verb === "updated";
  const snapshot = JSON.stringify(
    verb === "deleted" ? identifierOf(sample.type) : subjectOf(sample, identifierOf),
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

/** A resource as a snapshot shows it, without links. */
const subjectOf = (
  { attributes, relationships = {}, type }: EventExample,
  identifierOf: (type: string) => { type: string; id: string },
) => ({
  ...identifierOf(type),
  attributes,
  relationships: Object.fromEntries(
    Object.entries(relationships).map(([name, target]) => [name, { data: identifierOf(target) }]),
  ),
});
