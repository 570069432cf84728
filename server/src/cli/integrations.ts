import {
  allowIntegration,
  createIntegration,
  disallowIntegration,
  type IntegrationWithToken,
  listIntegrations,
  revokeIntegration,
  rotateIntegration,
} from "../access/integrations.ts";
import { named } from "../jsonapi/definition/names.ts";
import { type Command, command, type Outcome } from "./command.ts";
import { withDatabase } from "./database.ts";
import { alias, integrationId } from "./options.ts";

const withToken = ({ id, name, token }: IntegrationWithToken, more: string): Outcome => ({
  json: { "integration": { id, name }, "client-token": token },
  lines: [
    `${name} has the id ${id} and this client token, which is shown only now:`,
    "",
    `  ${token}`,
    "",
    more,
  ],
});

export const commands: readonly Command[] = [
  command({
    name: "integrations list",
    summary: "Lists the integrations, their ids and the churches that allow them.",
    options: {},
    async run(_values, context) {
      const integrations = await withDatabase(context, listIntegrations);
      return {
        json: {
          integrations: integrations.map(({ allowedBy, ...one }) => ({
            ...one,
            "allowed-by": allowedBy,
          })),
        },
        lines: integrations.map(
          ({ allowedBy, id, name, revoked }) =>
            `${id}  ${name}  ${revoked ? "revoked" : `allowed by ${allowedBy.join(", ") || "nobody"}`}`,
        ),
      };
    },
  }),
  command({
    name: "integrations create",
    summary: "Adds an integration and prints its client token, once.",
    options: {
      name: { kind: "text", description: "What it is called.", schema: named(200).schema },
    },
    async run({ name }, context) {
      const made = await withDatabase(context, (db) => createIntegration(db, { name }));
      return withToken(
        made,
        `A church allows it by: npx vestry integrations allow --id ${made.id} --alias <alias>`,
      );
    },
  }),
  command({
    name: "integrations rotate",
    summary: "Replaces a client token; the old one ends at once.",
    options: { id: integrationId },
    async run({ id }, context) {
      const made = await withDatabase(context, (db) => rotateIntegration(db, { id }));
      return withToken(made, "The old token has ended.");
    },
  }),
  command({
    name: "integrations revoke",
    summary: "Ends an integration for good.",
    options: { id: integrationId },
    async run({ id }, context) {
      const integration = await withDatabase(context, (db) => revokeIntegration(db, { id }));
      return { json: { integration }, lines: [`${integration.name} is revoked.`] };
    },
  }),
  command({
    name: "integrations allow",
    summary: "Puts an integration on a church's list.",
    options: { id: integrationId, alias },
    async run(values, context) {
      await withDatabase(context, (db) => allowIntegration(db, values));
      return {
        json: { integration: { id: values.id }, account: { alias: values.alias }, allowed: true },
        lines: [`${values.alias} allows this integration.`],
      };
    },
  }),
  command({
    name: "integrations disallow",
    summary: "Takes an integration off a church's list.",
    options: { id: integrationId, alias },
    async run(values, context) {
      await withDatabase(context, (db) => disallowIntegration(db, values));
      return {
        json: { integration: { id: values.id }, account: { alias: values.alias }, allowed: false },
        lines: [`${values.alias} no longer allows this integration.`],
      };
    },
  }),
];
