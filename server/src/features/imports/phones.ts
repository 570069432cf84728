import type { CountryCode } from "libphonenumber-js";
import { NotConverted } from "./convert.ts";

/**
 * Makes E.164 of telephone numbers as people write them. Numbers without a country code belong to the country, and those without
 * an area code to the area. The numbering plan of the country must know the result.
 */
export async function phoneReader(
  country: string | null,
  areaCode: string | null,
): Promise<(text: string) => string | NotConverted> {
  // Loaded for an import only, because it brings the numbering plans of all countries.
  const { getExampleNumber, parsePhoneNumberFromString, validatePhoneNumberLength } = await import(
    "libphonenumber-js/max"
  );
  const { default: examples } = await import("libphonenumber-js/mobile/examples");
  const home = country as CountryCode | null;
  const options = home ? { defaultCountry: home } : {};
  const parse = (text: string) => parsePhoneNumberFromString(text, options);
  // A plan with area codes writes them in parentheses. The one of the example stands for all.
  const [, anyAreaCode] =
    (home &&
      getExampleNumber(home, examples)
        ?.formatNational()
        .match(/^\((\d+)\)/)) ??
    [];

  return (given) => {
    // "0xx11" stands for a carrier that the caller chooses.
    const text = given.replaceAll(/0?x{2}/gi, " ");
    const parsed = parse(text);
    if (parsed?.isValid()) return parsed.number;
    const isAbroad = text.trim().startsWith("+") && parsed?.country !== home;
    if (home === null && !text.trim().startsWith("+"))
      return new NotConverted(
        "The number has no country code. Set `country`, in the import or in the settings of the account.",
        "country-code-missing",
      );
    const digits = parsed?.nationalNumber ?? text.replaceAll(/\D/g, "");
    const isCompletedBy = (code: string) =>
      !isAbroad && parse(`${code}${digits}`)?.isValid() === true;
    if (areaCode !== null && isCompletedBy(areaCode))
      return parse(`${areaCode}${digits}`)?.number ?? given;
    if (areaCode === null && anyAreaCode !== undefined && isCompletedBy(anyAreaCode))
      return new NotConverted(
        "The number has no area code. Add it, or set `default-area-code`.",
        "area-code-missing",
      );
    switch (validatePhoneNumberLength(text, options)) {
      case "NOT_A_NUMBER":
        return new NotConverted("Must be a telephone number.");
      case "TOO_SHORT":
        return new NotConverted("The number has too few digits.", "too-short");
      case "TOO_LONG":
        return new NotConverted("The number has too many digits.", "too-long");
      default:
        return new NotConverted(
          `The numbering plan${parsed?.country === undefined ? "" : ` of ${parsed.country}`} knows no such number.`,
          "number-unknown",
        );
    }
  };
}
