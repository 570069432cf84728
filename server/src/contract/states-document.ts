import { code, diagram, type Edge, table } from "../base/markdown.ts";
import type { StateMachine } from "../base/transitions.ts";
import type { Catalogue } from "../jsonapi/definition/resource.ts";
import { webhookStates } from "../webhooks/index.ts";

/** Generates docs/states.md from the tables that the service itself uses. */
export const statesDocument = ({ states }: Pick<Catalogue, "states">): string => `# States

The states of resources, of webhook endpoints and of deliveries, and the transitions between them. \`npm run generate\` makes this
page from the tables that the service itself uses.

A change of \`status\` that no row names is 409 \`invalid-transition\`. Sending the present status changes nothing.

${states.map(machine).join("\n")}
The tables of webhooks are in \`server/src/webhooks/endpoints/endpoint-lifecycle.ts\` and
\`server/src/webhooks/engine/transition.ts\`. In both tables the first matching row applies. If no row matches, nothing
changes.

${webhookStates()}`;

const machine = ({ changes, type }: StateMachine): string => `## ${code(type)}

${diagram(
  changes.flatMap(({ becomes, by, from, to }) =>
    to.map((each): Edge => [from, becomes ?? each, by.replaceAll("`", "")]),
  ),
)}

${table(
  ["From", "To", "By"],
  changes.map(({ becomes, by, from, to }) => [
    code(from),
    to.map(code).join(", ") + (becomes ? `, which becomes ${code(becomes)}` : ""),
    by,
  ]),
)}
`;
