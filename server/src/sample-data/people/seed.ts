import { DAY, MINUTE } from "../../base/clock.ts";
import { lifeOf } from "../life.ts";
import { languages, type Names } from "../names.ts";
import { draw, type Plan } from "../plan.ts";
import type { Die } from "../random.ts";
import type { SeededAccount } from "../seeded-account.ts";
import type { Value } from "../../store/insert-rows.ts";
import { writeMatchKeys } from "../../features/people/duplicates/match-keys.ts";
import { writeSearchText } from "../../features/people/search-text.ts";

/** The first person is the full administrator of the account. */
export async function addSeed(account: SeededAccount): Promise<void> {
  const { plan, tx } = account;
  await account.insert("people", columns, people(plan));
  await writeSearchText(tx, plan.accountId);
  await writeMatchKeys(tx, plan.accountId);
}

const columns = [
  "id",
  "created_at",
  "modified_at",
  "full_name",
  "preferred_name",
  "sex",
  "birthdate",
  "deathdate",
  "marital_status",
  "nationality",
  "locale",
  "email",
  "phones",
  "address",
  "membership_status",
  "member_since",
  "is_baptized",
  "administrative_status",
  "has_login",
  "custom_properties",
  "external_ids",
] as const;

/** Ages are counted from this day and not from today, so that a seeded row is the same next year. */
const TODAY_MS = Date.UTC(2025, 0, 1);
const YEAR = 365.25 * DAY;

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const time = (ms: number) => new Date(ms).toISOString();

function* people(plan: Plan): Generator<readonly Value[]> {
  for (let index = 0; index < plan.shape.people; index += 1) yield personOf(plan, index);
}

function personOf(plan: Plan, index: number): readonly Value[] {
  const { die, id } = draw(plan, "people", index);
  const created = plan.foundedMs + index * MINUTE;
  const administrator = index === 0;

  const names = die.chance(0.85) ? plan.language : die.pick(languages);
  const sex = die.chance(0.54) ? "female" : "male";
  const first = die.pick(names[sex]);
  const family = familyOf(die, names);
  const { age, status } = lifeOf(plan, index);
  const adult = age >= 18;
  const member = status === "member" || status === "former-member";

  return [
    id,
    time(created),
    time(created + (die.chance(0.35) ? die.below(900) * DAY : 0)),
    `${first}${die.chance(0.2) ? ` ${die.pick(names[sex])}` : ""} ${family}`,
    die.chance(0.08) ? first.slice(0, 3) : null,
    sex,
    die.chance(0.9) ? day(TODAY_MS - age * YEAR - die.below(365) * DAY) : null,
    status === "deceased" ? day(TODAY_MS - die.below(1_500) * DAY) : null,
    adult && die.chance(0.8) ? die.pick(maritalStatuses) : null,
    die.chance(0.5) ? names.country : null,
    die.chance(0.6) ? names.locale : null,
    administrator ? plan.administrator : emailOf(die, first, family, index, adult),
    adult && die.chance(0.78) ? phonesOf(die, names) : [],
    die.chance(0.4) ? addressOf(die, names) : null,
    status,
    member ? day(TODAY_MS - die.below(Math.max(1, age - 15)) * YEAR) : null,
    adult ? member || die.chance(0.2) : null,
    administrator ? "full-administrator" : "none",
    administrator,
    die.chance(0.4) ? customOf(die) : {},
    die.chance(0.2) ? { legacy: String(100_000 + index) } : {},
  ];
}

const maritalStatuses = ["married", "married", "married", "single", "single", "widowed"] as const;

function familyOf(die: Die, { family, country }: Names): string {
  const one = die.pick(family);
  const two = country === "BR" || country === "ES" ? die.chance(0.6) : die.chance(0.05);
  return two ? `${one}${country === "BR" || country === "ES" ? " " : "-"}${die.pick(family)}` : one;
}

const domains = ["mail.example", "post.example", "example.org", "example.com"] as const;

/** The number makes the address unique in the account. */
function emailOf(die: Die, first: string, family: string, index: number, adult: boolean) {
  if (!die.chance(adult ? 0.72 : 0.08)) return null;
  return `${plain(first)}.${plain(family)}${index}@${die.pick(domains)}`;
}

const plainNames = new Map<string, string>();

function plain(name: string): string {
  let text = plainNames.get(name);
  if (text === undefined) {
    const unaccented = name.normalize("NFD").replace(/ß/g, "ss").toLowerCase();
    text = unaccented.replace(/[^a-z]/g, "");
    plainNames.set(name, text);
  }
  return text;
}

function phonesOf(die: Die, { dial }: Names): object[] {
  const number = () => `${dial}${String(die.below(1_000_000)).padStart(6, "0")}`;
  const mobile = {
    "number": number(),
    "label": "mobile",
    "is-primary": true,
    "is-whatsapp": die.chance(0.7),
  };
  return die.chance(0.15) ? [mobile, { number: number(), label: "home" }] : [mobile];
}

const addressOf = (die: Die, { cities, streets, country }: Names) => ({
  "street": die.pick(streets),
  "number": String(1 + die.below(250)),
  "city": die.pick(cities),
  "postal-code": String(10_000 + die.below(89_999)),
  country,
});

const shirts = ["s", "m", "l", "xl"] as const;
const services = ["building", "children", "music", "prayer", "welcome"] as const;

function customOf(die: Die): Record<string, unknown> {
  return {
    ...(die.chance(0.7) && { "shirt-size": die.pick(shirts) }),
    ...(die.chance(0.5) && { "serves-in": [die.pick(services)] }),
    ...(die.chance(0.1) && { "newcomers-lunch": true }),
    ...(die.chance(0.05) && { allergies: "Peanuts" }),
  };
}
