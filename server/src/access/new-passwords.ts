import { readFile } from "node:fs/promises";
import { newPasswordMistake, type PasswordOwner } from "../base/new-password.ts";
import type { Broken } from "../base/rules.ts";
import type { Queryable } from "../store/db.ts";
import type { PersonKey } from "./logins.ts";

/** `common-passwords.md` names the sources. */
const LIST = new URL("common-passwords.txt", import.meta.url);

/** Loaded with the first password that is set. */
let common: Promise<ReadonlySet<string>> | undefined;

const loadCommon = async (): Promise<ReadonlySet<string>> =>
  new Set((await readFile(LIST, "utf8")).trimEnd().split("\n"));

/** Returns the reason why a password cannot be set, or undefined. Its form is checked elsewhere, by `passwordMistake`. */
export async function refusalOf(
  password: string,
  { lengthMin, owner }: { lengthMin: number; owner: PasswordOwner | undefined },
): Promise<Broken | undefined> {
  return newPasswordMistake(password, {
    lengthMin,
    owner,
    common: await (common ??= loadCommon()),
  });
}

/** The same for a person who is not in the account yet. */
export async function refusalIn(
  db: Queryable,
  accountId: string,
  person: Pick<PasswordOwner, "names" | "email">,
  password: string,
): Promise<Broken | undefined> {
  const [found] = await db<AccountPart[]>`
    select ${accountPart(db)} from account_facts account where account.account_id = ${accountId}`;
  return (
    found && refusalOf(password, { lengthMin: found.lengthMin, owner: { ...found, ...person } })
  );
}

type AccountPart = Pick<PasswordOwner, "churchName" | "alias"> & { lengthMin: number };

const accountPart = (db: Queryable) => db`
  account.church_name as "churchName", account.alias, account.password_length_min as "lengthMin"`;

/** The same for a person of an account. Undefined also for an unknown person, which the write reports. */
export async function refusalFor(
  db: Queryable,
  { accountId, personId }: PersonKey,
  password: string,
): Promise<Broken | undefined> {
  const [found] = await db<(PasswordOwner & AccountPart)[]>`
    select array[person.full_name, person.first_name, person.last_name, person.preferred_name] as names, person.email,
      ${accountPart(db)}
    from people person join account_facts account on account.account_id = person.account_id
    where person.account_id = ${accountId} and person.id = ${personId}`;
  return found && refusalOf(password, { lengthMin: found.lengthMin, owner: found });
}
