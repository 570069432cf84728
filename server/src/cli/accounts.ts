import { setPassword } from "../access/logins.ts";
import { hashPassword } from "../access/passwords.ts";
import { createAccount } from "../features/accounts/create-account.ts";
import { assertInactive, deleteAccount } from "../features/accounts/delete-account.ts";
import {
  findChurch,
  listChurches,
  type Standing,
  setStanding,
} from "../features/accounts/standing.ts";
import { MINUTE } from "../base/clock.ts";
import { fail } from "../base/errors.ts";
import { addPerson } from "../features/people/add-person.ts";
import { addPresetRoles } from "../features/roles/grant.ts";
import { inTransaction } from "../store/db.ts";
import { type Command, command } from "./command.ts";
import { withDatabase } from "./database.ts";
import { alias, churchName, email, fullName, newAlias, passwordStdin } from "./options.ts";
import { tell } from "./telling.ts";

const create = command({
  name: "accounts create",
  summary: "Adds a church with its first full administrator.",
  options: {
    "alias": newAlias,
    "church-name": churchName,
    "admin-name": fullName("The full name of its full administrator."),
    "admin-email": email("The address the full administrator logs in with."),
    "admin-password-stdin": passwordStdin,
  },
  async run(values, context) {
    const passwordHash = await hashPassword(await context.password());
    const made = await withDatabase(context, (db) =>
      inTransaction(db, async (tx) => {
        const [taken] = await tx`select from accounts where alias = ${values.alias}`;
        if (taken)
          throw fail("already-exists", `There is a church with the alias ${values.alias}.`);
        const id = await createAccount(tx, {
          alias: values.alias,
          churchName: values["church-name"],
        });
        await addPresetRoles(tx, id);
        const person = await addPerson(tx, id, {
          fullName: values["admin-name"],
          email: values["admin-email"],
          administrativeStatus: "full-administrator",
        });
        await setPassword(tx, { accountId: id, personId: person }, passwordHash);
        return { account: { id, alias: values.alias }, person: { id: person } };
      }),
    );
    return {
      json: made,
      lines: [
        `${values["church-name"]} is there: ${values["admin-email"]} logs in with the account ${values.alias}.`,
        `Integrations cannot reach it yet: npx vestry accounts approve --alias ${values.alias}`,
      ],
    };
  },
});

const standing = (verb: string, summary: string, wanted: Partial<Standing>, sentence: string) =>
  command({
    name: `accounts ${verb}`,
    summary,
    options: { alias },
    async run(values, context) {
      const church = await withDatabase(context, (db) =>
        inTransaction(db, (tx) =>
          setStanding(tx, values.alias, wanted, ({ id }, changedFields) =>
            tell(
              tx,
              { accountId: id, type: "accounts", id },
              { type: "account.updated", changedFields },
            ),
          ),
        ),
      );
      return { json: { account: church }, lines: [`${church["church-name"]} ${sentence}.`] };
    },
  });

const list = command({
  name: "accounts list",
  summary: "Lists the churches by alias, the first thousand.",
  options: {},
  async run(_values, context) {
    const accounts = await withDatabase(context, listChurches);
    return {
      json: { accounts },
      lines: accounts.map(
        ({ alias, status, "church-name": name, "integration-approved": approved }) =>
          `${alias}  ${name}  ${status}${approved ? ", approved" : ""}`,
      ),
    };
  },
});

const remove = command({
  name: "accounts delete",
  summary: "Deletes a church whose account is inactive, with everything in it, for good.",
  options: {
    alias,
    yes: {
      kind: "flag",
      optional: true,
      description: "Do not ask for the alias again, which only a terminal can be asked for.",
    },
  },
  async run({ alias: of, yes }, context) {
    const { church, deleted } = await withDatabase(
      context,
      async (db) => {
        const church = await findChurch(db, of);
        assertInactive(church);
        const question = `${church["church-name"]} goes for good, with everybody and everything in it. Type ${of} to confirm:`;
        if (!yes) await context.confirm(question, of);
        return { church, deleted: await deleteAccount(db, church) };
      },
      // For making an index; what deletes has no limit.
      { statementMsMax: 5 * MINUTE },
    );
    const { id, "church-name": name } = church;
    const counts = Object.entries(deleted).filter(([, count]) => count > 0);
    return {
      json: { account: { id, alias: of, "church-name": name }, deleted },
      lines: [
        `${name} is gone: ${counts.map(([what, count]) => `${what} ${count.toLocaleString("en")}`).join(", ")}.`,
        "Backups and logs from before still know it.",
      ],
    };
  },
});

export const commands: readonly Command[] = [
  create,
  list,
  standing(
    "approve",
    "Lets integrations reach a church that allows them.",
    { "integration-approved": true },
    "is approved for the integrations it allows",
  ),
  standing(
    "unapprove",
    "Refuses every client token for a church; its people log in as before.",
    { "integration-approved": false },
    "is no longer approved: its integrations are answered 403 from now on",
  ),
  standing("activate", "Opens a church's account again.", { status: "active" }, "is active"),
  standing(
    "deactivate",
    "Closes a church's account; its data stays.",
    { status: "inactive" },
    "is inactive: its people are answered 403 from now on",
  ),
  remove,
];
