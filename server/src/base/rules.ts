import { choicesFor, LISTED_MAX } from "./choices.ts";

/**
 * The rules that a value of a request can break. Errors carry the rule and its values in `meta`, so that an app can word them in
 * the language of its reader. `detail` is made from the same rule. The list is public: names and values are stable.
 */

/** The formats of texts. The words complete the sentence "Must be …". */
export const formats = {
  "area-code": { words: "an area code of 1 to 5 digits", example: "19" },
  "color": { words: "a color as #rrggbb", example: "#3366cc" },
  "country": { words: "an ISO 3166-1 country code of two capital letters", example: "BR" },
  "currency": { words: "an ISO 4217 currency code", example: "BRL" },
  "cursor": { words: "a cursor of this list and order" },
  "date": { words: "a date as YYYY-MM-DD, in the years 1000 to 2999", example: "1984-05-17" },
  "day-of-year": { words: "a day of the year as MM-DD", example: "05-17" },
  "delimiter": { words: "a comma, a semicolon, a tab or a vertical bar", example: ";" },
  "email": { words: "an e-mail address", example: "ana@example.org" },
  "import-target": {
    words: "an attribute such as full-name, or a part of one such as address.city",
    example: "full-name",
  },
  "locale": { words: "a locale tag", example: "pt-BR" },
  "name": {
    words: "1 to 63 lower-case letters, digits and dashes, beginning with a letter",
    example: "shirt-size",
  },
  "one-line": { words: "one line without control characters" },
  "option": { words: "one line of text that is not blank and has no commas" },
  "origin": {
    words: "an origin that begins with https://, or with http://localhost for tests",
    example: "https://www.example.org",
  },
  "percent-encoded": { words: "percent-encoded UTF-8", example: "Jos%C3%A9" },
  "phone": {
    words: "a telephone number",
    example: "+5511987654321",
  },
  "place": { words: "a latitude, a longitude and a distance in km", example: "-22.9,-47.06,5" },
  "slug": {
    words: "1 to 80 lower-case letters, digits and single dashes between them",
    example: "new-here",
  },
  "text": { words: "text without NUL characters and unpaired surrogates" },
  "time-zone": { words: "an IANA time zone", example: "America/Sao_Paulo" },
  "timestamp": {
    words: "an ISO 8601 timestamp with a time zone, in the years 1000 to 2999",
    example: "2026-03-01T09:30:00.000Z",
  },
  "url": {
    words: "a web address that begins with http:// or https://",
    example: "https://www.example.org",
  },
  "webhook-url": {
    words: "an HTTPS address with a public host, without credentials and fragment",
    example: "https://crm.example.org/hooks/vestry",
  },
  "uuid": { words: "the id of a resource" },
} as const satisfies Record<string, { words: string; example?: string }>;

export type Format = keyof typeof formats;

/** The key under which a schema of a text names its format. JSON does not contain it, so no document shows it. */
export const FORMAT = Symbol("format");

export const valueTypes = ["array", "boolean", "integer", "number", "object", "string"] as const;

export type ValueType = (typeof valueTypes)[number];

/** The values of a rule, by their kind. */
export interface Values {
  "none": unknown;
  "number": { limit: number };
  "date": { limit: string };
  /** The place of the other value: a JSON pointer, or the name of a parameter. */
  "other": { other: string };
  "format": { format: Format };
  "type": { type: ValueType };
  "choices": { allowed: readonly string[] };
  "part": { part: PasswordPart };
}

/** The part of a password that is easy to guess. */
export const passwordParts = ["list", "names", "email", "church"] as const;

export type PasswordPart = (typeof passwordParts)[number];

const passwordSentences: Readonly<Record<PasswordPart, string>> = {
  list: "Must not be one of the most common passwords.",
  names: "Must not contain a name of the person.",
  email: "Must not contain the e-mail address of the person.",
  church: "Must not contain the name or the alias of the church.",
};

const rule = <Kind extends keyof Values>(
  values: Kind,
  description: string,
  sentence: (values: Values[Kind], given: unknown) => string,
) => ({ values, description, sentence });

export const rules = {
  "required": rule("none", "The value is absent or null.", (_, given) =>
    typeof given === "string" ? `${given} is required.` : "This is required.",
  ),
  "not-blank": rule("none", "The text has no visible character.", () => "Must not be blank."),
  "unknown": rule("none", "The place has no such member or parameter.", (_, given) =>
    typeof given === "string" ? `Unknown name ${JSON.stringify(given)}.` : "Unknown name.",
  ),
  "read-only": rule("none", "The value cannot be set, or no longer.", () => "This is read-only."),
  "max-length": rule(
    "number",
    "The text has too many characters.",
    ({ limit }) => `Must have at most ${limit} characters.`,
  ),
  "min-length": rule(
    "number",
    "The text has too few characters.",
    ({ limit }) => `Must have at least ${limit} characters.`,
  ),
  "too-common": rule(
    "part",
    "The password is one of the most common ones, or contains a name, the e-mail address or the church of the person.",
    ({ part }) => passwordSentences[part],
  ),
  "max-items": rule(
    "number",
    "The list or object has too many entries.",
    ({ limit }) => `Must have at most ${limit} entries.`,
  ),
  "min-items": rule("number", "The list has too few entries.", ({ limit }) =>
    limit === 1 ? "Must not be empty." : `Must have at least ${limit} entries.`,
  ),
  "max": rule("number", "The number is too large.", ({ limit }) => `Must be ${limit} or less.`),
  "min": rule("number", "The number is too small.", ({ limit }) => `Must be ${limit} or more.`),
  "type": rule(
    "type",
    "The value has another type of JSON.",
    ({ type }) => `Must be ${/^[aeio]/.test(type) ? "an" : "a"} ${type}.`,
  ),
  "format": rule("format", "The text has another form.", ({ format }) => {
    const { words, ...more } = formats[format];
    return `Must be ${words}${"example" in more ? `, such as ${more.example}` : ""}.`;
  }),
  "one-of": rule(
    "choices",
    "The value is not in the list.",
    ({ allowed }, given) => `Must be one of: ${choicesFor(allowed, given)}.`,
  ),
  "in-the-future": rule(
    "date",
    "The date is in the future.",
    ({ limit }) => `Must not be in the future, later than ${limit}.`,
  ),
  "too-late": rule(
    "date",
    "The date is too late.",
    ({ limit }) => `Must not be later than ${limit}.`,
  ),
  "too-early": rule(
    "date",
    "The date is too early.",
    ({ limit }) => `Must not be before ${limit}.`,
  ),
  "after": rule(
    "other",
    "The value must be later than another one.",
    ({ other }) => `Must be later than \`${nameAt(other)}\`.`,
  ),
  "not-below": rule(
    "other",
    "The value must not be earlier or less than another one.",
    ({ other }) => `Must not be earlier or less than \`${nameAt(other)}\`.`,
  ),
  "repeated": rule(
    "none",
    "The document or the query names an entry twice.",
    () => "Must not repeat an entry.",
  ),
  "not-found": rule(
    "none",
    "The resource does not exist, or the caller cannot see it.",
    () => "There is no such resource.",
  ),
  "not-allowed-here": rule(
    "none",
    "The value is right, but not with the rest of the request or the state of the resource.",
    () => "This is not allowed here.",
  ),
} as const;

export type RuleName = keyof typeof rules;

/** A rule with its values. */
export type Rule = {
  [Name in RuleName]: { rule: Name } & Values[(typeof rules)[Name]["values"]];
}[RuleName];

/** A broken rule. The hint is a further sentence, and `given` is what the sentence names or suggests another value for. */
export type Broken = Rule & { hint?: string | undefined; given?: unknown };

/** The sentence of the rule, and the hint after it. */
export function sentenceOf({ given, hint, ...values }: Broken): string {
  const { sentence } = rules[values.rule];
  const said = (sentence as (values: unknown, given: unknown) => string)(values, given);
  return hint === undefined || hint === "" ? said : `${said} ${hint}`;
}

/** The rule and its values, for `meta`. A long list would repeat the reference in each of many errors. */
export function valuesOf(broken: Broken): Readonly<Record<string, unknown>> {
  const { given: _given, hint: _hint, ...values } = broken;
  if (values.rule !== "one-of" || values.allowed.length <= LISTED_MAX) return values;
  return { rule: values.rule };
}

/** `starts-at` of `/data/attributes/starts-at`. */
const nameAt = (place: string): string => place.slice(place.lastIndexOf("/") + 1);
