import Format from "typebox/format";
import { text } from "./attributes.ts";

/**
 * Codes that others keep. Which there are the runtime knows: a list in the schema would change with each of its versions,
 * so a schema says only of which kind a code is.
 */

// Asked for when the first code comes: what the runtime knows of them is megabytes, once it was opened.
let currencies: ReadonlySet<string> | undefined;
let regions: Intl.DisplayNames | undefined;

function isCurrency(code: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf("currency"));
  return currencies.has(code);
}

function isRegion(code: string): boolean {
  regions ??= new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  return regions.of(code) !== undefined;
}

/** What ISO leaves to its users, among it what stands for no place. Kosovo is all of it that people are from. */
const PRIVATE = /^(AA|Q[M-Z]|X[A-JL-Z]|ZZ)$/;

/** A region that is called otherwise today (`SU`, `UK`) has another name in a locale. */
const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) &&
  !PRIVATE.test(code) &&
  isRegion(code) &&
  new Intl.Locale(`und-${code}`).region === code;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

Format.Set("currency-code", isCurrency);
Format.Set("country-code", isCountry);
Format.Set("time-zone", isTimeZone);

export const currencyCode = () =>
  text({
    maxLength: 3,
    pattern: "^[A-Z]{3}$",
    format: "currency-code",
    description: "a currency's code as ISO 4217 has it",
    examples: ["BRL"],
  });

export const countryCode = () =>
  text({
    maxLength: 2,
    pattern: "^[A-Z]{2}$",
    format: "country-code",
    description: "a country's code as ISO 3166-1 has it, of two capital letters",
    examples: ["BR"],
  });

export const timeZone = () =>
  text({
    maxLength: 64,
    pattern: "^[A-Za-z_]+(/[A-Za-z0-9_+-]+)*$",
    format: "time-zone",
    description: "a time zone of the IANA",
    examples: ["America/Sao_Paulo"],
  });

export const localeTag = () =>
  text({
    maxLength: 35,
    pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
    description: "a locale's tag",
    examples: ["pt-BR"],
  });
