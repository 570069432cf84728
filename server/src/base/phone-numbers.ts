import {
  type CountryCode,
  getExampleNumber,
  isSupportedCountry,
  parsePhoneNumberFromString,
  PhoneNumber,
  validatePhoneNumberLength,
} from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import { limits } from "./limits.ts";

export type PhoneFault =
  | "not-a-number"
  | "country-code-missing"
  | "area-code-missing"
  | "too-short"
  | "too-long"
  | "number-unknown";

/** A text that is no telephone number, and the reason. */
export class UnreadPhone {
  readonly fault: PhoneFault;
  readonly detail: string;

  constructor(fault: PhoneFault, detail: string) {
    this.fault = fault;
    this.detail = detail;
  }
}

/** The country of numbers without a country code, and the area of numbers without an area code. */
export interface Home {
  country: string | null | undefined;
  areaCode?: string | null;
}

const TYPED = /^[\p{Nd}\p{Zs}\p{Pd}\p{Cf}+().\\/]+$/u;

/** Whether a text has the length and the characters of a telephone number, separators included. */
export const isTypedPhone = (text: string): boolean =>
  text.length <= limits.phoneLengthMax && TYPED.test(text) && /\p{Nd}/u.test(text);

/**
 * Makes E.164 of a telephone number as people write it. The numbering plan of its country must know the number.
 */
export function readKnownPhone(given: string, home: Home): string | UnreadPhone {
  const country = countryOf(home);
  const areaCode = home.areaCode ?? null;
  const parse = (text: string) => parsePhoneNumberFromString(text, options(country));
  const text = cleaned(given);
  const parsed = parse(text);
  if (parsed?.isValid()) return parsed.number;
  const abroad = withPlus(text);
  if (abroad !== text) return readKnownPhone(abroad, home);
  if (country === undefined && !text.startsWith("+"))
    return new UnreadPhone("country-code-missing", "The number has no country code.");
  const isAbroad = text.startsWith("+") && parsed?.country !== country;
  const digits = parsed?.nationalNumber ?? text.replaceAll(/\D/g, "");
  const completedBy = (code: string) => {
    const completed = isAbroad ? undefined : parse(`${code}${digits}`);
    return completed?.isValid() ? completed.number : undefined;
  };
  const completed = areaCode === null ? undefined : completedBy(areaCode);
  if (completed !== undefined) return completed;
  const anyCode = areaCode === null ? anyAreaCodeOf(country) : undefined;
  if (anyCode !== undefined && completedBy(anyCode) !== undefined)
    return new UnreadPhone("area-code-missing", "The number has no area code.");
  switch (validatePhoneNumberLength(text, options(country))) {
    case "NOT_A_NUMBER":
      return new UnreadPhone("not-a-number", "Must be a telephone number.");
    case "TOO_SHORT":
      return new UnreadPhone("too-short", "The number has too few digits.");
    case "TOO_LONG":
      return new UnreadPhone("too-long", "The number has too many digits.");
    default: {
      const plan = parsed?.country === undefined ? "" : ` of ${parsed.country}`;
      return new UnreadPhone("number-unknown", `The numbering plan${plan} knows no such number.`);
    }
  }
}

const E164 = /^\+[1-9]\d{6,14}$/;

export const isE164 = (value: unknown): boolean => typeof value === "string" && E164.test(value);

/**
 * The same, but a number with its country code need not be in the plan, which can be newer than the library. E.164 is always
 * accepted. Without a country code, only the plan shows whether digits are missing.
 */
export function readPhone(given: string, country: Home["country"]): string | UnreadPhone {
  const read = readKnownPhone(given, { country });
  if (typeof read === "string") return read;
  const text = withPlus(cleaned(given));
  if (!text.startsWith("+")) return read;
  const parsed = parsePhoneNumberFromString(text);
  const number = parsed?.isPossible() ? parsed.number : `+${text.replaceAll(/\D/g, "")}`;
  return isE164(number) ? number : read;
}

/**
 * The digits by which a search finds E.164 numbers: those of the national number, or those that were typed, without the
 * prefixes that E.164 lacks.
 */
export function searchedDigits(given: string, country: Home["country"]): string {
  const text = cleaned(given);
  const parsed = parsePhoneNumberFromString(withPlus(text), options(countryOf({ country })));
  if (parsed?.isValid())
    return withPlus(text).startsWith("+") ? parsed.number.slice(1) : parsed.nationalNumber;
  const digits = text.replace("(0)", "").replaceAll(/\D/g, "");
  const significant = digits.replace(/^0+/, "");
  return significant.length >= 3 ? significant : digits;
}

/** An E.164 number in the international grouping of its country. */
export function displayOf(number: string): string {
  try {
    // Parsing the text would take three times as long.
    return new PhoneNumber(number).formatInternational();
  } catch {
    // No country has this code.
    return number;
  }
}

/** Copied numbers can contain marks of the direction of writing. "0xx11" stands for a carrier that the caller chooses. */
const cleaned = (text: string): string =>
  text
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/0?x{2}/gi, " ")
    .trim();

/** "00" is a plus sign in most countries. The plan of a country whose prefix differs is asked first. */
const withPlus = (text: string): string => text.replace(/^00/, "+");

const options = (country: CountryCode | undefined) =>
  country === undefined ? {} : { defaultCountry: country };

const countryOf = ({ country }: Home): CountryCode | undefined =>
  typeof country === "string" && isSupportedCountry(country) ? country : undefined;

/** A plan with area codes writes them in parentheses. The one of the example stands for all. */
const anyAreaCodeOf = (country: CountryCode | undefined): string | undefined =>
  country &&
  getExampleNumber(country, examples)
    ?.formatNational()
    .match(/^\((\d+)\)/)?.[1];
