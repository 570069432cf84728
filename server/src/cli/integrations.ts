import { Option } from "@commander-js/extra-typings";
import {
  allowIntegration,
  copyToAll,
  createIntegration,
  disallowIntegration,
  type IntegrationWithToken,
  listIntegrations,
  revokeIntegration,
  rotateIntegration,
} from "../access/integrations.ts";
import { named } from "../jsonapi/definition/names.ts";
import type { Db } from "../store/db.ts";
import type { AddCommand, Outcome } from "./context.ts";
import { withDatabase } from "./database.ts";
import { alias, required, text } from "./options.ts";

const integrationId = () =>
  required(new Option("--id <id>", "The id of the integration, see `integrations list`."));

const withToken = ({ id, name, token }: IntegrationWithToken, next: string): Outcome => ({
  json: { "integration": { id, name }, "client-token": token },
  lines: [
    `The integration ${name} has the id ${id} and this client token, which is shown only once:`,
    "",
    `  ${token}`,
    "",
    next,
  ],
});

/** Copies the change to the other servers, where requests look for integrations. */
async function copied<T>(db: Db, change: Promise<T>): Promise<T> {
  const result = await change;
  await copyToAll(db);
  return result;
}

export const addIntegrations: AddCommand = (program, context) => {
  const integrations = program
    .command("integrations")
    .description("Create, list, allow and revoke integrations and their client tokens.");

  integrations
    .command("list")
    .description("List the integrations with their ids and the accounts that allow them.")
    .action(
      context.action(async () => {
        const listed = await withDatabase(context, listIntegrations);
        return {
          json: {
            integrations: listed.map(({ allowedBy, ...one }) => ({
              ...one,
              "allowed-by": allowedBy,
            })),
          },
          lines: listed.map(
            ({ allowedBy, id, name, revoked }) =>
              `${id}  ${name}  ${revoked ? "revoked" : `allowed by ${allowedBy.join(", ") || "no account"}`}`,
          ),
        };
      }),
    );

  integrations
    .command("create")
    .description("Create an integration and print its client token once.")
    .addOption(required(text("--name <name>", "The name of the integration.", named(200).schema)))
    .action(
      context.action(async ({ name }) => {
        const created = await withDatabase(context, (db) =>
          copied(db, createIntegration(db, { name })),
        );
        return withToken(
          created,
          `To allow it for an account: npx vestry integrations allow --id ${created.id} --alias <alias>`,
        );
      }),
    );

  integrations
    .command("rotate")
    .description("Replace a client token. The old token stops working at once.")
    .addOption(integrationId())
    .action(
      context.action(async ({ id }) => {
        const rotated = await withDatabase(context, (db) =>
          copied(db, rotateIntegration(db, { id })),
        );
        return withToken(rotated, "The old token no longer works.");
      }),
    );

  integrations
    .command("revoke")
    .description("Permanently revoke an integration.")
    .addOption(integrationId())
    .action(
      context.action(async ({ id }) => {
        const integration = await withDatabase(context, (db) =>
          copied(db, revokeIntegration(db, { id })),
        );
        return { json: { integration }, lines: [`${integration.name} is revoked.`] };
      }),
    );

  for (const { verb, description, change, allowed } of [
    {
      verb: "allow",
      description: "Allow an integration to access an account.",
      change: allowIntegration,
      allowed: true,
    },
    {
      verb: "disallow",
      description: "Stop allowing an integration to access an account.",
      change: disallowIntegration,
      allowed: false,
    },
  ])
    integrations
      .command(verb)
      .description(description)
      .addOption(integrationId())
      .addOption(alias())
      .action(
        context.action(async ({ alias, id }) => {
          await withDatabase(context, (db) => change(db, { id, alias }));
          return {
            json: { integration: { id }, account: { alias }, allowed },
            lines: [`${alias} ${allowed ? "allows" : "no longer allows"} this integration.`],
          };
        }),
      );
};
