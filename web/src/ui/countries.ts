import { formatLocale } from "./format.ts";

/** The countries of ISO 3166-1. */
const CODES =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

export const countryName = (code: string): string =>
  new Intl.DisplayNames(formatLocale(), { type: "region", fallback: "code" }).of(code) ?? code;

/** All countries by their names in the language of the reader. */
export function countries(): (readonly [code: string, name: string])[] {
  const collator = new Intl.Collator(formatLocale());
  return CODES.split(" ")
    .map((code) => [code, countryName(code)] as const)
    .sort(([, one], [, other]) => collator.compare(one, other));
}

type Part = "street" | "number" | "complement" | "neighborhood" | "city" | "state" | "postal-code";

/** The lines of an address. Countries without an order of their own have the code before the town, as in most of Europe. */
const DEFAULT_LINES: readonly (readonly Part[])[] = [
  ["street", "number", "complement"],
  ["neighborhood"],
  ["postal-code", "city"],
  ["state"],
];

const NUMBER_FIRST: readonly (readonly Part[])[] = [
  ["number", "street", "complement"],
  ["neighborhood"],
  ["city", "state", "postal-code"],
];

const LINES: Record<string, readonly (readonly Part[])[]> = {
  AU: NUMBER_FIRST,
  BR: [["street", "number", "complement"], ["neighborhood"], ["city", "state"], ["postal-code"]],
  CA: NUMBER_FIRST,
  FR: [["number", "street", "complement"], ["neighborhood"], ["postal-code", "city"], ["state"]],
  GB: [["number", "street", "complement"], ["neighborhood"], ["city"], ["state"], ["postal-code"]],
  IE: [["number", "street", "complement"], ["neighborhood"], ["city"], ["state"], ["postal-code"]],
  IN: NUMBER_FIRST,
  JP: [["postal-code"], ["state", "city"], ["neighborhood"], ["street", "number", "complement"]],
  KR: [["state", "city"], ["neighborhood"], ["street", "number", "complement"], ["postal-code"]],
  MX: [["street", "number", "complement"], ["neighborhood"], ["postal-code", "city"], ["state"]],
  NZ: NUMBER_FIRST,
  US: NUMBER_FIRST,
  ZA: NUMBER_FIRST,
};

export type AddressPart = Part;

export const addressLines = (country: string | null | undefined): readonly (readonly Part[])[] =>
  (country && LINES[country]) || DEFAULT_LINES;
