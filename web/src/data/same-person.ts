import type { FoundPerson } from "./people-search.ts";

/** What is typed of a new person. */
export type Typed = {
  name: string;
  phones?: readonly string[];
  email?: string | null | undefined;
  birthdate?: string | null | undefined;
  monthDay?: string | null | undefined;
};

/** What a person of the church has in common with the new one. */
export type Sameness = "phone" | "email" | "birthday";

type Known = FoundPerson & {
  "other-emails"?: readonly string[] | undefined;
  "birthdate"?: string | null | undefined;
  "birth-month-day"?: string | null | undefined;
};

/** Shorter numbers are typed in the middle of the work, and many people have them within theirs. */
const LEAST_DIGITS = 7;

const digitsOf = (number: string): string => number.replace(/\D/g, "").replace(/^0+/, "");
const nameOf = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(" ");

/** Numbers are compared by their ends, since they are typed with and without the code of the country. */
const isSameNumber = (one: string, other: string): boolean => {
  const [shorter, longer] = [digitsOf(one), digitsOf(other)].sort((a, b) => a.length - b.length);
  return (shorter?.length ?? 0) >= LEAST_DIGITS && (longer ?? "").endsWith(shorter ?? "");
};

export const isNumber = (typed: string): boolean => digitsOf(typed).length >= LEAST_DIGITS;

/** Why a person may be the one that is typed in: the telephone, the e-mail address, or the name together with the birthday. */
export function samenessOf(typed: Typed, known: Known): Sameness | undefined {
  const numbers = (known.phones ?? []).map(({ number }) => number);
  if (typed.phones?.some((one) => numbers.some((other) => isSameNumber(one, other))))
    return "phone";
  const email = typed.email?.trim().toLowerCase();
  const emails = [known.email, ...(known["other-emails"] ?? [])].map((one) => one?.toLowerCase());
  if (email && emails.includes(email)) return "email";
  const monthDay = typed.birthdate?.slice(5) ?? typed.monthDay;
  const isSameDay =
    typed.birthdate && known.birthdate
      ? typed.birthdate === known.birthdate
      : monthDay && monthDay === known["birth-month-day"];
  return isSameDay && nameOf(typed.name) === nameOf(known["full-name"]) ? "birthday" : undefined;
}
