import { fullAdministrator } from "../../access/policy.ts";
import { integer, text } from "../../jsonapi/definition/attributes.ts";
import { requestTest } from "./request-test.ts";
import { requestVerification } from "./request-verification.ts";
import { redeliver } from "../history/redeliver.ts";
import type { Command } from "../../jsonapi/definition/resource.ts";
import { toOne } from "../../jsonapi/definition/relationships.ts";

/** Each queues a delivery and answers it. */
const queues = {
  callers: "webhook-management",
  allow: fullAdministrator,
  key: "required",
  status: 202,
  answers: "webhook-deliveries",
} as const satisfies Partial<Command>;

const ID = { maxLength: 100 };

export const webhookCommands: readonly Command[] = [
  {
    ...queues,
    type: "webhook-endpoint-verifications",
    description: "Sends the endpoint a challenge, which makes it active once it is answered.",
    attributes: {
      "endpoint-id": text(ID),
      "configuration-version": integer({ minimum: 1 }),
    },
    relationships: {},
    run: async ({ actor, db }, { attributes }) => ({
      id: await requestVerification(db, actor, {
        endpointId: attributes.get("endpoint-id") as string,
        configurationVersion: attributes.get("configuration-version") as number,
      }),
    }),
  },
  {
    ...queues,
    type: "webhook-test-deliveries",
    description: "Sends an active, verified endpoint a test message, once.",
    attributes: { "endpoint-id": text(ID) },
    relationships: {},
    run: async ({ actor, db }, { attributes }) => ({
      id: await requestTest(db, actor, { endpointId: attributes.get("endpoint-id") as string }),
    }),
  },
  {
    ...queues,
    type: "webhook-redeliveries",
    description: "Sends a retained event once more whose delivery has failed.",
    attributes: {},
    relationships: {
      delivery: toOne("webhook-deliveries", { column: "", required: true, subject: true }),
    },
    run: async ({ actor, db }, { toOne: linked }) => ({
      id: await redeliver(db, actor, { deliveryId: linked.get("delivery") ?? "" }),
    }),
  },
];
