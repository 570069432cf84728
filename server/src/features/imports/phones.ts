import type { CountryCode } from "libphonenumber-js";
import type { ReadContext } from "../../jsonapi/definition/resource.ts";

/** Makes E.164 of telephone numbers as people write them. Numbers without a country code belong to the account's country. */
export async function phoneReader({ actor, db }: ReadContext): Promise<(text: string) => string> {
  // Loaded for an import only, because it brings the numbering plans of all countries.
  const { parsePhoneNumberFromString } = await import("libphonenumber-js");
  const [account] = await db<{ country: string | null }[]>`
    select country from account_facts where account_id = ${actor.accountId}`;
  const country = account?.country as CountryCode | null | undefined;
  return (text) =>
    parsePhoneNumberFromString(text, country ? { defaultCountry: country } : {})?.number ?? text;
}
