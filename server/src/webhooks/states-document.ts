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
import { suppressionReasons } from "./endpoints/suppression-reasons.ts";

/** Generates docs/states.md from the tables that the service itself uses. */
export const statesDocument = (): string => `# States

The states of a webhook endpoint and of a delivery, and the transitions between them. \`npm run generate\` makes this page
from the tables that the service itself uses, in \`server/src/webhooks/endpoints/endpoint-lifecycle.ts\` and
\`server/src/webhooks/engine/transition.ts\`. In both tables the first matching row applies. If no row matches, nothing
changes.

## Webhook endpoint

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

type Edge = readonly [from: string, to: string, label: string];

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

/** One arrow between two states, labeled with all its triggers. Mermaid names cannot contain a hyphen. */
function diagram(edges: readonly Edge[]): string {
  const arrows = Map.groupBy(edges, ([from, to]) => `${nodeOf(from)} --> ${nodeOf(to)}`);
  const names = new Set(edges.flatMap(([from, to]) => [from, to]).filter((name) => name !== "[*]"));
  const ends = [...names].filter((name) => !edges.some(([from]) => from === name));
  return [
    "```mermaid",
    "stateDiagram-v2",
    ...[...names].map((name) => `  state "${name}" as ${nodeOf(name)}`),
    ...[...arrows].map(
      ([arrow, all]) => `  ${arrow}: ${[...new Set(all.map(labelOf))].join(", ")}`,
    ),
    ...ends.map((name) => `  ${nodeOf(name)} --> [*]`),
    "```",
  ].join("\n");
}

const nodeOf = (name: string) => name.replaceAll("-", "_");
const labelOf = ([, , label]: Edge) => label;

const code = (text: string) => `\`${text}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
