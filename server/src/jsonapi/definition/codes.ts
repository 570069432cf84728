import Format from "typebox/format";
import { formatted, text } from "./attributes.ts";

/**
 * Codes of international standards. The runtime knows the lists. A list in the schema would change with each version of
 * the runtime, so a schema names only the format.
 */

// Loaded on first use, because the runtime's locale data takes megabytes once it is opened.
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

/** The user-assigned codes of ISO 3166. Only XK (Kosovo) is in use for people. */
const PRIVATE = /^(AA|Q[M-Z]|X[A-JL-Z]|ZZ)$/;

/** A locale replaces obsolete codes (`SU`, `UK`), so they differ from what was given. */
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
    title: "CurrencyCode",
    maxLength: 3,
    pattern: "^[A-Z]{3}$",
    format: "currency-code",
    ...formatted("currency"),
  });

export const countryCode = () =>
  text({
    title: "CountryCode",
    maxLength: 2,
    pattern: "^[A-Z]{2}$",
    format: "country-code",
    ...formatted("country"),
  });

export const timeZone = () =>
  text({
    title: "TimeZone",
    maxLength: 64,
    pattern: "^[A-Za-z_]+(/[A-Za-z0-9_+-]+)*$",
    format: "time-zone",
    ...formatted("time-zone"),
  });

export const localeTag = () =>
  text({
    title: "LocaleTag",
    maxLength: 35,
    pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
    ...formatted("locale"),
  });
