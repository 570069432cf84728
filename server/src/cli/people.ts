import { foldEmail, type PersonKey, revokeTokens, setPassword } from "../access/logins.ts";
import { hashPassword } from "../access/passwords.ts";
import { findChurch } from "../features/accounts/standing.ts";
import { fail } from "../base/errors.ts";
import { findPerson, setActive } from "../features/people/activity.ts";
import { addPerson } from "../features/people/add-person.ts";
import { inTransaction } from "../store/db.ts";
import { type Command, command } from "./command.ts";
import { withDatabase } from "./database.ts";
import { alias, choice, email, fullName, passwordStdin } from "./options.ts";
import { tell } from "./telling.ts";

const standings = ["none", "administrator", "full-administrator"] as const;

const login = email("The address they log in with.");

const subjectOf = ({ accountId, personId: id }: PersonKey) => ({
  accountId,
  type: "people" as const,
  id,
});

const activity = (verb: string, active: boolean, summary: string) =>
  command({
    name: `people ${verb}`,
    summary,
    options: { alias, email: login },
    async run(values, context) {
      const { person, changed } = await withDatabase(context, (db) =>
        inTransaction(db, async (tx) => {
          const church = await findChurch(tx, values.alias);
          const found = await findPerson(tx, church.id, values.email);
          const changed = await setActive(tx, found, active, (what) =>
            tell(tx, subjectOf(found), what),
          );
          return { person: found, changed };
        }),
      );
      const state = active ? "active" : "inactive";
      return {
        json: { person: { "id": person.personId, "is-active": active }, changed },
        lines: [`${person.fullName} ${changed ? "is" : "was already"} ${state}.`],
      };
    },
  });

interface Listed {
  "id": string;
  "full-name": string;
  "email": string | null;
  "is-active": boolean;
  "administrative-status": (typeof standings)[number];
  "has-login": boolean;
}

const list = command({
  name: "people list",
  summary: "Lists the people of a church by name, the first thousand.",
  options: {
    alias,
    "administrative-status": {
      kind: "choice",
      values: standings,
      optional: true,
      description: "Only those who have it.",
    },
  },
  async run({ alias: of, "administrative-status": standing }, context) {
    const people = await withDatabase(context, async (db) => {
      const { id } = await findChurch(db, of);
      return db<Listed[]>`
        select id, full_name as "full-name", email, is_active as "is-active",
          administrative_status as "administrative-status", has_login as "has-login"
        from people where account_id = ${id} ${standing ? db`and administrative_status = ${standing}` : db``}
        order by name_folded, id limit 1000`;
    });
    return {
      json: { people },
      lines: people.map((person) =>
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
  },
});

export const commands: readonly Command[] = [
  list,
  command({
    name: "people create",
    summary: "Adds a person who logs in.",
    options: {
      alias,
      "full-name": fullName("Their full name."),
      "email": login,
      "administrative-status": choice(standings, "What they may do without any role.", {
        default: "none",
      }),
      "password-stdin": passwordStdin,
    },
    async run(values, context) {
      const passwordHash = await hashPassword(await context.password());
      const id = await withDatabase(context, (db) =>
        inTransaction(db, async (tx) => {
          const { id: accountId } = await findChurch(tx, values.alias);
          const [taken] = await tx`
            select from people
            where account_id = ${accountId} and lower(email) = ${foldEmail(values.email)}`;
          if (taken)
            throw fail(
              "already-exists",
              `This church has somebody with the address ${values.email}.`,
            );
          const personId = await addPerson(tx, accountId, {
            fullName: values["full-name"],
            email: values.email,
            administrativeStatus: values["administrative-status"],
          });
          await setPassword(tx, { accountId, personId }, passwordHash);
          await tell(tx, subjectOf({ accountId, personId }), { type: "person.created" });
          return personId;
        }),
      );
      return {
        json: { person: { id } },
        lines: [
          `${values["full-name"]} logs in as ${values.email} with the account ${values.alias}.`,
        ],
      };
    },
  }),
  command({
    name: "people set-password",
    summary: "Sets a password, for who forgot theirs, and ends their access tokens.",
    options: { alias, "email": login, "password-stdin": passwordStdin },
    async run(values, context) {
      const passwordHash = await hashPassword(await context.password());
      const { person, revoked } = await withDatabase(context, (db) =>
        inTransaction(db, async (tx) => {
          const church = await findChurch(tx, values.alias);
          const found = await findPerson(tx, church.id, values.email);
          const isNew = await setPassword(tx, found, passwordHash);
          if (isNew)
            await tell(tx, subjectOf(found), {
              type: "person.updated",
              changedFields: ["has-login"],
            });
          return { person: found, revoked: await revokeTokens(tx, found) };
        }),
      );
      return {
        json: { "person": { id: person.personId }, "revoked-tokens": revoked },
        lines: [
          `${person.fullName} has a new password; ${revoked} access token${revoked === 1 ? "" : "s"} ended.`,
          ...(person.isActive ? [] : ["They are inactive, so they cannot log in yet."]),
        ],
      };
    },
  }),
  activity("activate", true, "Lets a deactivated person in again."),
  activity("deactivate", false, "Keeps a person out and ends their access tokens."),
];
