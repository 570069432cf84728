import { operator } from "../../access/operator.ts";
import { mailTokenKey, newMailToken } from "../../access/tokens.ts";
import { limits } from "../../base/limits.ts";
import { signWrites } from "../../events/author.ts";
import type { ResourceKey } from "../../jsonapi/definition/public-write.ts";
import { definitionOf } from "../../jsonapi/definition/targets.ts";
import { writeContextOf } from "../../jsonapi/routes/write-context.ts";
import { type Language, languageOf } from "../../mail/languages.ts";
import { type Db, inTransaction, type Queryable } from "../../store/db.ts";
import type { Reception } from "./reception.ts";

/** The resource that a token confirms. */
export interface Subject extends ResourceKey {
  type: string;
}

/** Makes a token, of which only the hash is stored. */
export async function newConfirmation(
  db: Queryable,
  { accountId, id, type }: Subject,
): Promise<string> {
  const { hash, token } = newMailToken(accountId);
  await db`
    insert into visit_confirmations (account_id, token_hash, subject_type, subject_id, expires_at)
    values (${accountId}, ${hash}, ${type}, ${id}, now() + ${limits.confirmationMs} * interval '1 millisecond')`;
  return token;
}

/** The church of a token, for the page that the mail leads to. */
export interface Confirming {
  alias: string;
  churchName: string;
  language: Language;
  /** The address was confirmed before, by this link or another one of the same mail. */
  isConfirmed: boolean;
}

export async function findConfirmation(db: Db, token: string): Promise<Confirming | undefined> {
  const key = mailTokenKey(token);
  if (!key) return undefined;
  const [found] = await db.ofAccount(key.accountId)<
    (Omit<Confirming, "language"> & { lang: string | null })[]
  >`
    select account.alias, account.church_name as "churchName", account.lang,
      token.confirmed_at is not null as "isConfirmed"
    from visit_confirmations token join account_facts account on account.account_id = token.account_id
    where token.account_id = ${key.accountId} and token.token_hash = ${key.hash} and token.expires_at > now()
      and account.status = 'active'`;
  if (!found) return undefined;
  const { lang, ...confirming } = found;
  return { ...confirming, language: languageOf(lang) };
}

/** Confirms an address. Returns false for a token that is wrong, used or too old. */
export async function confirm(reception: Reception, token: string): Promise<boolean> {
  const key = mailTokenKey(token);
  if (!key) return false;
  const { accountId, hash } = key;
  const { catalogue, db } = reception;
  return inTransaction(db.ofAccount(accountId), accountId, async (tx) => {
    const [subject] = await tx<{ type: string; id: string; version: number }[]>`
      update visit_confirmations token set confirmed_at = now() from account_facts account
      where token.confirmed_at is null and token.account_id = ${accountId} and token.token_hash = ${hash} and token.expires_at > now()
        and account.account_id = token.account_id and account.status = 'active'
      returning token.subject_type as type, token.subject_id as id, account.version`;
    const write = subject && catalogue.publicWrites.get(subject.type);
    if (!subject || !write) return false;
    // A mail that was sent twice has two links. They stay until they expire, for visitors who open one again.
    await tx`
      update visit_confirmations set confirmed_at = now()
      where account_id = ${accountId} and subject_id = ${subject.id} and confirmed_at is null`;
    const service = { ...operator(accountId), accountVersion: subject.version };
    const resource = definitionOf(catalogue, write.type);
    await write.confirmation.confirm(writeContextOf(reception, tx, service, resource), subject.id);
    signWrites(tx, service, { cause: "form" });
    return true;
  });
}

export async function sweepConfirmations(db: Db): Promise<number> {
  const { count } = await db`delete from visit_confirmations where expires_at <= now()`;
  return count;
}
