import { fullAdministrator } from "../../access/policy.ts";
import { describe, integer, readOnly, timestamp } from "../../jsonapi/definition/attributes.ts";
import { resource, type Resource } from "../../jsonapi/definition/resource.ts";
import type { WebhookParts } from "../parts.ts";
import { revealing } from "./reveal-secret.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { toOne } from "../../jsonapi/definition/relationships.ts";

export const webhookEndpointSecretRotations = (parts: WebhookParts): Resource =>
  resource({
    type: "webhook-endpoint-secret-rotations",
    description:
      "A new signing secret for an endpoint. The service also signs with the previous secret for 48 hours.",
    table: "webhook_endpoint_secret_rotations",
    callers: "webhook-management",

    attributes: {
      "created-at": readOnly(timestamp()),
      "secret-generation": describe(integer({ minimum: 1 }), {
        example: 1,
        description:
          "In the request, the endpoint's current generation. In the response, the new one.",
      }),
      "previous-valid-until": readOnly(timestamp()),
    },
    relationships: {
      endpoint: toOne("webhook-endpoints", {
        column: "endpoint_id",
        required: true,
        subject: true,
      }),
    },
    filters: {},
    sorts: {},
    defaultSort: "id",

    operations: {
      read: fullAdministrator,
      create: {
        allow: fullAdministrator,
        key: "required",
        refuses: [
          "not-found",
          "stale-secret-generation",
          "secret-overlap-active",
          "action-limit-exceeded",
        ],
        run: ({ actor, db }, { attributes, toOne: linked }) =>
          rotateSecret(
            db,
            actor,
            {
              endpointId: linked.endpoint,
              secretGeneration: attributes["secret-generation"],
            },
            parts,
          ),
        reveal: revealing(parts),
      },
    },
  });
