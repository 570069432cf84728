import {
  type EndpointRow,
  endpointStatuses,
  endpointTransitions,
  endpointTriggers,
  lifecycleRefusals,
  pauseReasons,
} from "./endpoints/endpoint-lifecycle.ts";
import { attemptOutcomes } from "./engine/outcome.ts";
import { type DeliveryRow, deliveryStates, deliveryTransitions } from "./engine/transition.ts";
import { code, diagram, type Edge, table } from "../base/markdown.ts";
import { suppressionReasons } from "./endpoints/suppression-reasons.ts";

/** The part of docs/states.md about webhooks. */
export const webhookStates = (): string => `## Webhook endpoint

${diagram(endpointEdges())}

${table(
  ["Status", "Meaning"],
  Object.entries(endpointStatuses).map(([status, means]) => [code(status), means]),
)}

${table(
  ["Pause reason", "Meaning"],
  Object.entries(pauseReasons).map(([reason, means]) => [code(reason), means]),
)}

${table(
  ["From", "Trigger", "Condition", "To", "Also"],
  endpointTransitions.map((row) => [
    row.from.map((status) => (status === "none" ? "(none)" : code(status))).join(", "),
    endpointTriggers[row.trigger],
    row.when?.says ?? "",
    endpointTarget(row),
    endpointEffects(row).join("; "),
  ]),
)}

Refusals:

${table(
  ["Code", "Meaning"],
  Object.entries(lifecycleRefusals).map(([refusal, means]) => [code(refusal), means]),
)}

## Webhook delivery

${diagram(deliveryEdges())}

${table(
  ["State", "Final", "Meaning"],
  Object.entries(deliveryStates).map(([state, { final, means }]) => [
    code(state),
    final ? "yes" : "",
    means,
  ]),
)}

${table(
  ["From", "Trigger", "Condition", "To", "Also"],
  deliveryTransitions.map((row) => [
    row.from.map(code).join(", "),
    deliveryTriggers[row.trigger],
    row.when?.says ?? "",
    code(row.to),
    row.note ?? "",
  ]),
)}

${table(
  ["Suppression reason", "Meaning"],
  Object.entries(suppressionReasons).map(([reason, means]) => [code(reason), means]),
)}

${table(
  ["Outcome of an attempt", "Uses an attempt"],
  [...new Set(Object.values(attemptOutcomes))].map((outcome) => [
    code(outcome),
    outcome === attemptOutcomes.system ? "no" : "yes",
  ]),
)}
`;

const deliveryTriggers: Readonly<Record<DeliveryRow["trigger"], string>> = {
  "claimed": "claimed by a worker when due",
  "lifetime-ended": "the lifetime ends",
  "ineligible": "endpoint or subscription prevents sending",
  "attempted: delivered": "attempt: 2xx, for a verification with the exact challenge",
  "attempted: retryable":
    "attempt: 408, 429 or 5xx, also with a body above 4 KiB, or a network, DNS or TLS failure, or the time limit",
  "attempted: permanent":
    "attempt: any other status, headers above 16 KiB, any other body above 4 KiB, or a verification without the exact challenge",
  "attempted: refused": "attempt: the host is, or resolves to, an address that is not public",
  "attempted: system": "attempt: the service itself failed",
  "lease-ended": "the worker's lease ends unsettled",
  "released": "a worker that stops, or was suspended, gives it back unsent",
};

function endpointTarget(row: EndpointRow): string {
  if (row.refuses) return `refused: ${code(row.refuses)}`;
  if (!row.to) return "(same)";
  return code(row.to) + (row.pauseReason ? ` (${code(row.pauseReason)})` : "");
}

const secretEffects: Readonly<Record<NonNullable<EndpointRow["secrets"]>, string>> = {
  renewed: "new secret, shown once; an old one is invalid at once",
  rotated: "new secret, shown once; the old one is valid for 48 hours more",
  cleared: "secrets cleared",
};

const suppressedWork: Readonly<Record<NonNullable<EndpointRow["suppresses"]>[0], string>> = {
  "all": "undelivered work",
  "unsubscribed": "undelivered work of event types removed",
  "older-verifications": "older verifications",
};

function endpointEffects(row: EndpointRow): string[] {
  const { grows, suppresses, secrets, verifies, resetsStreak, sendsVerification } = row;
  return [
    ...(grows ? [`grows: ${grows.map(counterName).join(", ")}`] : []),
    ...(verifies ? ["the destination is verified now"] : []),
    ...(suppresses ? [`${suppressedWork[suppresses[0]]} suppressed: ${code(suppresses[1])}`] : []),
    ...(secrets ? [secretEffects[secrets]] : []),
    ...(resetsStreak ? ["failure streak reset"] : []),
    ...(sendsVerification ? ["a verification is sent"] : []),
  ];
}

/** `secretGeneration` → `secret-generation` */
const counterName = (counter: string) =>
  counter.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const endpointEdges = (): Edge[] =>
  endpointTransitions.flatMap(({ from, to, trigger, pauseReason }) =>
    to === undefined
      ? []
      : from.map(
          (each): Edge => [
            each === "none" ? "[*]" : each,
            to,
            trigger + (pauseReason ? ` (${pauseReason})` : ""),
          ],
        ),
  );

const deliveryEdges = (): Edge[] => [
  ["[*]", "pending", "captured"],
  ...deliveryTransitions.flatMap(({ from, to, trigger }) =>
    from.map((each): Edge => [each, to, trigger.replace("attempted: ", "")]),
  ),
];
