import type { DemoAccount, DemoClock } from "../demo-account.ts";
import { type DemoPerson, people } from "./demo-people.ts";
import { writeMatchKeys } from "../../features/people/duplicates/match-keys.ts";
import { writeSearchText } from "../../features/people/search-text.ts";

/** People whose birthday is in so many days, whatever the day of the first start is. */
const birthdays: Readonly<Record<string, number>> = {
  "Helena Matos": 1,
  "Catarina Teixeira": 2,
  "Lurdes Araújo": 4,
  "Susana Reis": 5,
};

export async function addDemo(account: DemoAccount): Promise<void> {
  const clock = await account.clock();
  await account.insert(
    "people",
    people.map((person) => {
      const born = birthOf(person, clock);
      const yearKnown = born.length > 5;
      return {
        id: account.newId("people", person.name),
        full_name: person.name,
        sex: person.sex,
        birthdate: yearKnown ? born : null,
        birth_month_day: yearKnown ? null : born,
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

function birthOf({ born, name }: DemoPerson, clock: DemoClock): string {
  const days = birthdays[name];
  if (days === undefined) return born;
  const day = clock.daysAgo(-days).slice(5);
  // Not every year has a 29 February.
  return `${born.slice(0, 4)}-${day === "02-29" ? "02-28" : day}`;
}

const phonesOf = ({ phone }: DemoPerson) =>
  phone === undefined
    ? []
    : [{ "number": phone, "label": "mobile", "is-primary": true, "is-whatsapp": true }];
