import type { PersonKey } from "../../../access/logins.ts";
import { fail } from "../../../base/errors.ts";
import { newPasswordToken, type PersonTokenKey } from "../../../access/tokens.ts";
import { limits } from "../../../base/limits.ts";
import { type Language, languageOf } from "../../../mail/languages.ts";
import type { Db, Queryable, Tx } from "../../../store/db.ts";
import { revised } from "../../../store/sql.ts";

export type Delivery = "email" | "link";

export interface InvitationKey {
  accountId: string;
  invitationId: string;
}

/** The facts that a mail to a person needs. */
export interface Recipient {
  alias: string;
  churchName: string;
  /** The church's own address. */
  churchEmail: string | null;
  personName: string;
  email: string;
  language: Language;
}

/** A new token, and the facts that its mail or its link needs. */
export interface MadeToken extends Recipient {
  token: string;
}

interface Facts extends Omit<Recipient, "language"> {
  locale: string | null;
  lang: string | null;
}

/** A fragment of the `returning` clauses below. */
const facts = (db: Queryable) => db`
  account.alias, account.church_name as "churchName", account.email as "churchEmail",
  account.lang, person.locale, person.email, person.letter_name as "personName"`;

/** Only active people of active accounts who have an e-mail address can get a token or use one. */
const usable = (db: Queryable) => db`
  person.is_active and person.email is not null and account.status = 'active'`;

/** Returns undefined if the invitation is over. */
export async function newInvitationToken(
  db: Queryable,
  { accountId, invitationId }: InvitationKey,
): Promise<MadeToken | undefined> {
  const { hash, token } = newPasswordToken(accountId);
  const [made] = await db<Facts[]>`
    with token as (
      insert into password_tokens (account_id, token_hash, person_id, invitation_id, expires_at)
      select invitation.account_id, ${hash}::bytea, invitation.person_id, invitation.id, invitation.expires_at
      from person_invitations invitation
      join person_facts person
        on person.account_id = invitation.account_id and person.person_id = invitation.person_id
      join account_facts account on account.account_id = invitation.account_id
      where invitation.account_id = ${accountId} and invitation.id = ${invitationId}
        and invitation.expires_at > now() and ${usable(db)}
      returning account_id, person_id
    )
    select ${facts(db)} from token
    join person_facts person on person.account_id = token.account_id and person.person_id = token.person_id
    join account_facts account on account.account_id = token.account_id`;
  return made && withToken(token, made);
}

/** Returns undefined for a person without a log-in. The newest reset of a person is the only one. */
export async function newResetToken(
  db: Queryable,
  { accountId, personId }: PersonKey,
): Promise<MadeToken | undefined> {
  const { hash, token } = newPasswordToken(accountId);
  const [made] = await db<Facts[]>`
    with former as (
      delete from password_tokens
      where account_id = ${accountId} and person_id = ${personId} and invitation_id is null
    ), token as (
      insert into password_tokens (account_id, token_hash, person_id, expires_at)
      select person.account_id, ${hash}::bytea, person.person_id,
        now() + ${limits.passwordResetMs} * interval '1 millisecond'
      from person_facts person join account_facts account on account.account_id = person.account_id
      where person.account_id = ${accountId} and person.person_id = ${personId} and person.has_login
        and ${usable(db)}
      returning account_id, person_id
    )
    select ${facts(db)} from token
    join person_facts person on person.account_id = token.account_id and person.person_id = token.person_id
    join account_facts account on account.account_id = token.account_id`;
  return made && withToken(token, made);
}

const withToken = (token: string, made: Facts): MadeToken => ({ ...recipientOf(made), token });

const recipientOf = ({ lang, locale, ...rest }: Facts): Recipient => ({
  ...rest,
  language: languageOf(locale, lang),
});

/** The recipient of a letter about a log-in. Undefined for a person who cannot log in by now. */
export async function findRecipient(
  db: Queryable,
  { accountId, personId }: PersonKey,
): Promise<Recipient | undefined> {
  const [found] = await db<Facts[]>`
    select ${facts(db)}
    from person_facts person join account_facts account on account.account_id = person.account_id
    where person.account_id = ${accountId} and person.person_id = ${personId} and person.has_login
      and ${usable(db)}`;
  return found && recipientOf(found);
}

/** A token that can be used now, and the state of its account. */
export interface KnownToken {
  personId: string;
  accountStatus: string;
  approved: boolean;
  /** Whether the account allows the integration that asks. */
  allowed: boolean;
}

/** A fragment. The token of an invitation ends with the invitation. */
const live = (db: Queryable) => db`
  token.expires_at > now() and (token.invitation_id is null or exists (
    select from person_invitations invitation
    where invitation.account_id = token.account_id and invitation.id = token.invitation_id
      and invitation.expires_at > now()))
  and exists (
    select from person_facts person
    where person.account_id = token.account_id and person.person_id = token.person_id
      and person.is_active and person.email is not null)`;

export async function findToken(
  db: Queryable,
  { accountId, hash }: PersonTokenKey,
  integrationId: string | undefined,
): Promise<KnownToken | undefined> {
  const [known] = await db<KnownToken[]>`
    select token.person_id as "personId", account.status as "accountStatus",
      account.integration_approved as approved,
      exists (
        select from account_integrations allowed
        where allowed.account_id = account.account_id and allowed.integration_id = ${integrationId ?? null}::uuid
      ) as allowed
    from password_tokens token join account_facts account on account.account_id = token.account_id
    where token.account_id = ${accountId} and token.token_hash = ${hash} and ${live(db)}`;
  return known;
}

/** The log-in of a token and its account, for the page of the link. */
export interface TokenOwner {
  alias: string;
  churchName: string;
  accountStatus: string;
  email: string;
  /** The length that the account asks of a password. */
  lengthMin: number;
}

export async function findOwner(
  db: Queryable,
  { accountId, hash }: PersonTokenKey,
): Promise<TokenOwner | undefined> {
  const [owner] = await db<TokenOwner[]>`
    select account.alias, account.church_name as "churchName", account.status as "accountStatus", person.email,
      account.password_length_min as "lengthMin"
    from password_tokens token
    join account_facts account on account.account_id = token.account_id
    join person_facts person on person.account_id = token.account_id and person.person_id = token.person_id
    where token.account_id = ${accountId} and token.token_hash = ${hash} and ${live(db)}`;
  return owner;
}

/** Returns false if the token is no longer live, for example because another request took it. */
export async function takeToken(tx: Tx, { accountId, hash }: PersonTokenKey): Promise<boolean> {
  const { count } = await tx`
    delete from password_tokens token
    where token.account_id = ${accountId} and token.token_hash = ${hash} and ${live(tx)}`;
  return count === 1;
}

/** From whom a token comes. A reset has no inviter and no delivery, because its link is always mailed. */
export interface TokenOrigins {
  accountId: string;
  inviterId: string | null;
  delivery: Delivery | null;
  /** The caller who set the e-mail address of the person. */
  setterId: string | null;
}

export async function originsOf(
  db: Queryable,
  { accountId, hash }: PersonTokenKey,
): Promise<TokenOrigins | undefined> {
  const [origins] = await db<TokenOrigins[]>`
    select token.account_id as "accountId", invitation.created_by as "inviterId", invitation.delivery,
      person.email_set_by as "setterId"
    from password_tokens token
    join person_facts person on person.account_id = token.account_id and person.person_id = token.person_id
    left join person_invitations invitation
      on invitation.account_id = token.account_id and invitation.id = token.invitation_id
    where token.account_id = ${accountId} and token.token_hash = ${hash}`;
  return origins;
}

/** Ends the invitations of people that are not over yet. Their tokens end with them. */
export async function endInvitations(
  db: Queryable,
  { accountId, personIds }: { accountId: string; personIds: readonly string[] },
): Promise<void> {
  await db`
    update person_invitations
    set expires_at = now(), ${revised()}
    where account_id = ${accountId} and person_id = any(${[...personIds]}::uuid[]) and expires_at > now()`;
}

/** Deletes the invitations that were over long ago: used, replaced or expired. */
export async function sweepInvitations(db: Db): Promise<number> {
  const { count } = await db`
    delete from person_invitations
    where expires_at <= now() - ${limits.invitationKeptMs} * interval '1 millisecond'`;
  return count;
}

/** The token is in the fragment, which browsers never send: not to a server, and not to the next site as a referrer. */
export const passwordLink = (
  publicUrl: string,
  { alias, language, token }: Pick<MadeToken, "alias" | "language" | "token">,
): string => `${publicUrl}/set-password#token=${token}&account=${alias}&lang=${language}`;

export async function sweepPasswordTokens(db: Db): Promise<number> {
  const { count } = await db`delete from password_tokens where expires_at <= now()`;
  return count;
}

export const tokenInvalid = (source = { pointer: "/data/attributes/token" }) =>
  fail("token-invalid", "The token is unknown, used, expired or replaced by a newer one.", source);
