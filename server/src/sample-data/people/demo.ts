import type { DemoAccount } from "../demo-account.ts";
import { type DemoPerson, people } from "./demo-people.ts";
import { writeMatchKeys } from "../../features/people/duplicates/match-keys.ts";
import { writeSearchText } from "../../features/people/search-text.ts";

export async function addDemo(account: DemoAccount): Promise<void> {
  await account.insert(
    "people",
    people.map((person) => {
      const yearKnown = person.born.length > 5;
      return {
        id: account.newId("people", person.name),
        full_name: person.name,
        sex: person.sex,
        birthdate: yearKnown ? person.born : null,
        birth_month_day: yearKnown ? null : person.born,
        membership_status: person.status,
        membership_status_changed_at: person.more?.["member_since"] ?? null,
        email: person.email ?? null,
        phones: phonesOf(person),
        administrative_status: person.administrativeStatus ?? "none",
        custom_properties: person.custom ?? {},
        ...person.more,
      };
    }),
  );
  await writeSearchText(account.tx, account.accountId);
  await writeMatchKeys(account.tx, account.accountId);
}

const phonesOf = ({ phone }: DemoPerson) =>
  phone === undefined
    ? []
    : [{ "number": phone, "label": "mobile", "is-primary": true, "is-whatsapp": true }];
