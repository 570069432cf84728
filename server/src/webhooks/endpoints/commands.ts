import { fullAdministrator } from "../../access/policy.ts";
import { example, integer, text } from "../../jsonapi/definition/attributes.ts";
import { type Command, command } from "../../jsonapi/definition/command.ts";
import { requestTest } from "./request-test.ts";
import { requestVerification } from "./request-verification.ts";
import { redeliver } from "../history/redeliver.ts";
import { toOne } from "../../jsonapi/definition/relationships.ts";

/** Each command queues a delivery and returns it. */
const queues = {
  callers: "webhook-management",
  allow: fullAdministrator,
  key: "required",
  status: 202,
  answers: "webhook-deliveries",
} as const satisfies Partial<Command>;

/** The id is the one of the documentation's examples. */
const endpointId = () => example("01980e5c-4a00-7000-8000-00000000000d", text({ maxLength: 100 }));

/** The codes of a command that needs an active endpoint and has a limit. */
const needsActiveEndpoint = [
  "not-found",
  "endpoint-not-verified",
  "endpoint-paused",
  "endpoint-security-paused",
  "action-limit-exceeded",
] as const;

export const webhookCommands = [
  command({
    ...queues,
    type: "webhook-endpoint-verifications",
    description:
      "Sends the endpoint a challenge. The endpoint becomes active when it returns the challenge.",
    attributes: {
      "endpoint-id": endpointId(),
      "configuration-version": example(1, integer({ minimum: 1 })),
    },
    relationships: {},
    refuses: [
      "not-found",
      "stale-version",
      "endpoint-paused",
      "endpoint-security-paused",
      "action-limit-exceeded",
    ],
    run: ({ actor, db }, { attributes }) =>
      requestVerification(db, actor, {
        endpointId: attributes["endpoint-id"],
        configurationVersion: attributes["configuration-version"],
      }),
  }),
  command({
    ...queues,
    type: "webhook-test-deliveries",
    description: "Sends a test message to an active, verified endpoint. There is no retry.",
    attributes: { "endpoint-id": endpointId() },
    relationships: {},
    refuses: needsActiveEndpoint,
    run: ({ actor, db }, { attributes }) =>
      requestTest(db, actor, { endpointId: attributes["endpoint-id"] }),
  }),
  command({
    ...queues,
    type: "webhook-redeliveries",
    description: "Sends the event of a failed delivery again, as a new delivery.",
    attributes: {},
    relationships: {
      delivery: toOne("webhook-deliveries", { column: "", required: true, subject: true }),
    },
    refuses: [
      ...needsActiveEndpoint,
      "delivery-not-production",
      "delivery-not-failed",
      "event-expired",
      "endpoint-deleted",
      "endpoint-not-subscribed",
    ],
    run: ({ actor, db }, { toOne: linked }) =>
      redeliver(db, actor, { deliveryId: linked.delivery }),
  }),
];
