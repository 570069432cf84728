import { type Command, Option } from "@commander-js/extra-typings";
import { foldEmail, type PersonKey, revokeTokens, setPassword } from "../access/logins.ts";
import { refusalFor, refusalIn } from "../access/new-passwords.ts";
import { hashPassword } from "../access/passwords.ts";
import { findAccount } from "../features/accounts/account-status.ts";
import { fail } from "../base/errors.ts";
import { findPerson, setActive } from "../features/people/activity.ts";
import { addPerson } from "../features/people/add-person.ts";
import { sendPasswordLetter } from "../features/sign-in/mails/notices.ts";
import { type Db, inTransaction, type Tx } from "../store/db.ts";
import { captureChange } from "./capture-change.ts";
import type { AddCommand, Context } from "./context.ts";
import { withDatabase } from "./database.ts";
import { assertPossible } from "./password.ts";
import { alias, email, fullName, passwordStdin } from "./options.ts";

const statuses = ["none", "administrator", "full-administrator"] as const;

const administrativeStatus = (description: string) =>
  new Option("--administrative-status <status>", description).choices(statuses);

const login = () => email("--email <email>", "The e-mail address that the person logs in with.");

const subjectOf = ({ accountId, personId: id }: PersonKey) => ({
  accountId,
  type: "people" as const,
  id,
});

export const addPeople: AddCommand = (program, context) => {
  const people = program
    .command("people")
    .description("List people, create log-ins, set passwords, activate and deactivate.");

  addList(people, context);
  addCreate(people, context);
  addSetPassword(people, context);
  addActivity(people, context, {
    verb: "activate",
    active: true,
    description: "Let a deactivated person log in again.",
  });
  addActivity(people, context, {
    verb: "deactivate",
    active: false,
    description: "Stop a person from logging in and revoke their access tokens.",
  });
};

/** Runs in a transaction of the account with this alias. */
async function inAccount<T>(
  db: Db,
  alias: string,
  run: (tx: Tx, accountId: string) => Promise<T>,
): Promise<T> {
  const { id } = await findAccount(db, alias);
  return inTransaction(db, id, (tx) => run(tx, id));
}

interface Listed {
  "id": string;
  "full-name": string;
  "email": string | null;
  "is-active": boolean;
  "administrative-status": (typeof statuses)[number];
  "has-login": boolean;
}

const addList = (people: Command, context: Context) =>
  people
    .command("list")
    .description("List the first 1,000 people of an account by name.")
    .addOption(alias())
    .addOption(administrativeStatus("List only people with this status."))
    .action(
      context.action(async ({ alias, administrativeStatus: status }) => {
        const listed = await withDatabase(context, async (db) => {
          const { id } = await findAccount(db, alias);
          return db.serverOf(id)<Listed[]>`
            select id, full_name as "full-name", email, is_active as "is-active",
              administrative_status as "administrative-status", has_login as "has-login"
            from people where account_id = ${id} ${status ? db`and administrative_status = ${status}` : db``}
            order by name_folded, id limit 1000`;
        });
        return {
          json: { people: listed },
          lines: listed.map((person) =>
            [
              person.id,
              person["full-name"],
              person.email ?? "no e-mail address",
              person["is-active"] ? "active" : "inactive",
              person["administrative-status"],
              ...(person["has-login"] ? [] : ["no log-in"]),
            ].join("  "),
          ),
        };
      }),
    );

const addCreate = (people: Command, context: Context) =>
  people
    .command("create")
    .description("Create a person with a log-in.")
    .addOption(alias())
    .addOption(fullName("--full-name <name>", "The full name of the person."))
    .addOption(login())
    .addOption(administrativeStatus("The rights of the person without a role.").default("none"))
    .addOption(passwordStdin("--password-stdin"))
    .action(
      context.action(async ({ administrativeStatus, alias, email, fullName }) => {
        const password = await context.password();
        const id = await withDatabase(context, async (db) => {
          const { id: accountId } = await findAccount(db, alias);
          const person = { names: [fullName], email };
          assertPossible(await refusalIn(db.serverOf(accountId), accountId, person, password));
          const passwordHash = await hashPassword(password);
          return inAccount(db, alias, async (tx, accountId) => {
            const [taken] = await tx`
              select from people
              where account_id = ${accountId} and lower(email) = ${foldEmail(email)}`;
            if (taken)
              throw fail(
                "already-exists",
                `A person in this account has the e-mail address ${email}.`,
              );
            const personId = await addPerson(tx, accountId, {
              fullName,
              email,
              administrativeStatus,
            });
            await setPassword(tx, { accountId, personId }, passwordHash);
            await captureChange(tx, subjectOf({ accountId, personId }), { type: "person.created" });
            return personId;
          });
        });
        return {
          json: { person: { id } },
          lines: [`Created ${fullName}, who logs in as ${email} with the account ${alias}.`],
        };
      }),
    );

const addSetPassword = (people: Command, context: Context) =>
  people
    .command("set-password")
    .description("Set the password of a person and revoke their access tokens.")
    .addOption(alias())
    .addOption(login())
    .addOption(passwordStdin("--password-stdin"))
    .action(
      context.action(async ({ alias, email }) => {
        const password = await context.password();
        const { person, revoked } = await withDatabase(context, async (db) => {
          const { id } = await findAccount(db, alias);
          const server = db.serverOf(id);
          const known = await findPerson(server, id, email);
          assertPossible(await refusalFor(server, known, password));
          const passwordHash = await hashPassword(password);
          return inAccount(db, alias, async (tx, accountId) => {
            const found = await findPerson(tx, accountId, email);
            const isNew = await setPassword(tx, found, passwordHash);
            if (isNew)
              await captureChange(tx, subjectOf(found), {
                type: "person.updated",
                changedFields: ["has-login"],
              });
            if (!isNew && context.config().mail !== undefined) await sendPasswordLetter(tx, found);
            return { person: found, revoked: await revokeTokens(tx, found) };
          });
        });
        return {
          json: { "person": { id: person.personId }, "revoked-tokens": revoked },
          lines: [
            `Set the password of ${person.fullName} and revoked ${revoked} access token${revoked === 1 ? "" : "s"}.`,
            ...(person.isActive
              ? []
              : [
                  `${person.fullName} is inactive. To let them log in: npx vestry people activate --alias ${alias} --email ${email}`,
                ]),
          ],
        };
      }),
    );

const addActivity = (
  people: Command,
  context: Context,
  { verb, active, description }: { verb: string; active: boolean; description: string },
) =>
  people
    .command(verb)
    .description(description)
    .addOption(alias())
    .addOption(login())
    .action(
      context.action(async ({ alias, email }) => {
        const { person, changed } = await withDatabase(context, (db) =>
          inAccount(db, alias, async (tx, accountId) => {
            const found = await findPerson(tx, accountId, email);
            const changed = await setActive(tx, found, active, (change) =>
              captureChange(tx, subjectOf(found), change),
            );
            return { person: found, changed };
          }),
        );
        const state = active ? "active" : "inactive";
        return {
          json: { person: { "id": person.personId, "is-active": active }, changed },
          lines: [`${person.fullName} ${changed ? "is now" : "was already"} ${state}.`],
        };
      }),
    );
