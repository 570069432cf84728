import { type Command, InvalidArgumentError } from "@commander-js/extra-typings";
import { setPassword } from "../access/logins.ts";
import { refusalOf } from "../access/new-passwords.ts";
import { hashPassword } from "../access/passwords.ts";
import { createAccount, createAccountOn } from "../features/accounts/create-account.ts";
import { assertInactive, deleteAccount } from "../features/accounts/delete-account.ts";
import { type MoveStep, moveAccount } from "../features/accounts/move-account.ts";
import {
  findAccount,
  type OperatorAttributes,
  setStanding,
} from "../features/accounts/account-status.ts";
import { MINUTE, SECOND } from "../base/clock.ts";
import { newId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { countryCode, currencyCode, localeTag, timeZone } from "../jsonapi/definition/codes.ts";
import { addPerson } from "../features/people/add-person.ts";
import { addPresetRoles } from "../features/roles/grant.ts";
import { inTransaction } from "../store/db.ts";
import { captureChange } from "./capture-change.ts";
import type { AddCommand, Context } from "./context.ts";
import { withDatabase } from "./database.ts";
import { awaySentence } from "./failure.ts";
import { accountLines, listAccounts } from "./account-list.ts";
import { assertPossible } from "./password.ts";
import {
  alias,
  churchName,
  email,
  fullName,
  newAlias,
  passwordStdin,
  required,
  serverNumber,
  text,
  wholeNumber,
} from "./options.ts";

export const addAccounts: AddCommand = (program, context) => {
  const accounts = program
    .command("accounts")
    .description("Create, list, approve, deactivate and delete accounts.");

  addCreate(accounts, context);
  addList(accounts, context);
  addStanding(accounts, context, {
    verb: "approve",
    description: "Let the integrations that an account allows access it.",
    wanted: { "integration-approved": true },
    result: "is approved. The integrations that it allows can access it",
  });
  addStanding(accounts, context, {
    verb: "unapprove",
    description: "Reject every client token for an account. Its people still log in.",
    wanted: { "integration-approved": false },
    result: "is no longer approved. Its integrations get 403",
  });
  addStanding(accounts, context, {
    verb: "activate",
    description: "Activate an account again.",
    wanted: { status: "active" },
    result: "is active",
  });
  addStanding(accounts, context, {
    verb: "deactivate",
    description: "Deactivate an account and keep its data.",
    wanted: { status: "inactive" },
    result: "is inactive. Its people get 403",
  });
  addMove(accounts, context);
  addDelete(accounts, context);
};

const addCreate = (accounts: Command, context: Context) =>
  accounts
    .command("create")
    .description("Create an account with its first full administrator.")
    .addOption(newAlias())
    .addOption(churchName())
    .addOption(fullName("--admin-name <name>", "The full name of the full administrator."))
    .addOption(email("--admin-email <email>", "The e-mail address of the full administrator."))
    .addOption(passwordStdin("--admin-password-stdin"))
    .addOption(text("--country <code>", "The country: BR.", countryCode().schema))
    .addOption(text("--lang <tag>", "The language of letters: pt-BR.", localeTag().schema))
    .addOption(text("--time-zone <name>", "The time zone: America/Sao_Paulo.", timeZone().schema))
    .addOption(text("--currency <code>", "The currency: BRL.", currencyCode().schema))
    .addOption(serverNumber("--server <number>").default(1))
    .action(
      context.action(async ({ adminEmail, adminName, alias, churchName, server, ...options }) => {
        const { country, currency, lang, timeZone: zone } = options;
        const settings = {
          ...(country !== undefined && { country }),
          ...(lang !== undefined && { lang }),
          ...(zone !== undefined && { "time-zone": zone }),
          ...(currency !== undefined && { currency }),
        };
        const password = await context.password();
        const owner = { names: [adminName], email: adminEmail, churchName, alias };
        const lengthMin = limits.newPasswordLengthMin;
        assertPossible(await refusalOf(password, { lengthMin, owner }));
        const passwordHash = await hashPassword(password);
        const id = newId();
        const created = await withDatabase(context, (db) =>
          createAccountOn(db, { id, alias, server }, (at) =>
            inTransaction(at, id, async (tx) => {
              await createAccount(tx, { id, alias, churchName, settings });
              await addPresetRoles(tx, id);
              const person = await addPerson(tx, id, {
                fullName: adminName,
                email: adminEmail,
                administrativeStatus: "full-administrator",
              });
              await setPassword(tx, { accountId: id, personId: person }, passwordHash);
              return { account: { id, alias }, person: { id: person } };
            }),
          ),
        );
        return {
          json: created,
          lines: [
            `Created ${churchName}. ${adminEmail} logs in with the account ${alias}.`,
            `To let integrations access it: npx vestry accounts approve --alias ${alias}`,
          ],
        };
      }),
    );

interface StandingCommand {
  verb: string;
  description: string;
  wanted: Partial<OperatorAttributes>;
  result: string;
}

const addStanding = (
  accounts: Command,
  context: Context,
  { verb, description, wanted, result }: StandingCommand,
) =>
  accounts
    .command(verb)
    .description(description)
    .addOption(alias())
    .action(
      context.action(async (options) => {
        const account = await withDatabase(context, async (db) => {
          const { id } = await findAccount(db, options.alias);
          return inTransaction(db, id, (tx) =>
            setStanding(tx, id, wanted, (changedFields) =>
              captureChange(
                tx,
                { accountId: id, type: "accounts", id },
                { type: "account.updated", changedFields },
              ),
            ),
          );
        });
        return { json: { account }, lines: [`${account["church-name"]} ${result}.`] };
      }),
    );

const addList = (accounts: Command, context: Context) =>
  accounts
    .command("list")
    .description("List accounts by alias, with their people, size and last use.")
    .addOption(serverNumber("--server <number>"))
    .addOption(text("--after <alias>", "Begin after this alias."))
    .option("--limit <number>", "List at most this many, up to 1,000.", pageSize, 100)
    .action(
      context.action(async (options) => {
        const {
          accounts: listed,
          away,
          next,
        } = await withDatabase(context, (db) => listAccounts(db, options), {
          goesOn: true,
          statementMsMax: MINUTE,
        });
        return {
          json: { accounts: listed, next, away },
          lines: [
            ...accountLines(listed),
            ...(next === null ? [] : [`More: npx vestry accounts list --after ${next}`]),
          ],
          exitCode: away.length > 0 ? 1 : 0,
        };
      }),
    );

function pageSize(value: string): number {
  const size = wholeNumber(value);
  if (size >= 1 && size <= 1_000) return size;
  throw new InvalidArgumentError("It must be from 1 to 1,000.");
}

const reached: Readonly<Record<MoveStep, string>> = {
  copied: "Copied:",
  refusing: "The account refuses changes for a moment.",
  placed: "The other server has all of it.",
  directed: "The directory leads to the other server.",
  emptied: "The first server is empty.",
};

const addMove = (accounts: Command, context: Context) =>
  accounts
    .command("move")
    .description("Move an account to another PostgreSQL server while it is used.")
    .addOption(alias())
    .addOption(required(serverNumber("--to <number>")))
    .option(
      "--discard-copy",
      "Delete the account on another server, which was restored to an earlier moment.",
    )
    .action(
      context.action(async ({ alias, discardCopy = false, to }) => {
        const moved = await withDatabase(
          context,
          (db) =>
            moveAccount(db, {
              alias,
              to,
              discardsCopy: discardCopy,
              reached: (step, rows = 0) =>
                context.say(
                  `${reached[step]}${rows > 0 ? ` ${rows.toLocaleString("en")} rows.` : ""}`,
                ),
              interrupted: (error) =>
                context.say(`${awaySentence(error)}. Trying again for up to a minute.`),
            }),
          // One waits for each of the two servers, and one holds the lock that keeps other moves of the account out.
          { connections: 4, goesOn: true },
        );
        const { from, heldMs } = moved;
        const refused = `Its changes were refused for ${(heldMs / SECOND).toFixed(1)} seconds.`;
        return {
          json: { ...moved },
          lines: [
            from === to
              ? `${alias} stays on server ${to}.${heldMs > 0 ? ` ${refused}` : ""}`
              : `${alias} lives on server ${to}. ${refused}`,
            "Its files stay where all nodes read them.",
          ],
        };
      }),
    );

const addDelete = (accounts: Command, context: Context) =>
  accounts
    .command("delete")
    .description("Permanently delete an inactive account with all its data.")
    .addOption(alias())
    .option("--yes", "Do not ask for confirmation. Scripts need this option.")
    .action(
      context.action(async ({ alias, yes }) => {
        const { account, deleted } = await withDatabase(
          context,
          async (db) => {
            const account = await findAccount(db, alias);
            assertInactive(account);
            const question = `This permanently deletes ${account["church-name"]} with all its people and data. Type ${alias} to confirm:`;
            if (!yes) await context.confirm(question, alias);
            return { account, deleted: await deleteAccount(db, account) };
          },
          // Limits the creation of an index. Deleting has no limit.
          { statementMsMax: 5 * MINUTE },
        );
        const { id, "church-name": churchName } = account;
        const counts = Object.entries(deleted)
          .filter(([, count]) => count > 0)
          .map(([what, count]) => `${what} ${count.toLocaleString("en")}`);
        return {
          json: { account: { id, alias, "church-name": churchName }, deleted },
          lines: [
            `Deleted ${churchName}: ${counts.join(", ")}.`,
            "Older backups and logs still contain its data.",
          ],
        };
      }),
    );
