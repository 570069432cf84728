import { now } from "./clock.ts";

/**
 * Formats of the reader. The locale is the language with the country of the account, so an English reader in Lisbon
 * reads "23 November". `configureFormats` runs once per session, before the first screen.
 */
type Formats = {
  locale: string;
  /** Numbers are part of the words: an English reader in Lisbon reads "0.9 km". */
  numbers: string;
  /** 0 is Sunday. */
  firstWeekday: number;
  timeZone: string | undefined;
  currency: string | undefined;
  hour12: boolean | undefined;
};

let formats: Formats = {
  locale: "en",
  numbers: "en",
  firstWeekday: 0,
  timeZone: undefined,
  currency: undefined,
  hour12: undefined,
};
const cache = new Map<string, Intl.DateTimeFormat>();

export function configureFormats(settings: {
  language: string;
  country?: string | null | undefined;
  timeZone?: string | null | undefined;
  currency?: string | null | undefined;
  hour12?: boolean | undefined;
  firstWeekday?: number | null | undefined;
}): void {
  const language = new Intl.Locale(settings.language);
  const { country } = settings;
  const locale =
    country && language.region === undefined
      ? new Intl.Locale(settings.language, { region: country })
      : language;
  formats = {
    locale: locale.toString(),
    numbers: (isSpokenIn(country, language) ? locale : language).toString(),
    firstWeekday: settings.firstWeekday ?? 0,
    timeZone: settings.timeZone ?? undefined,
    currency: settings.currency ?? undefined,
    hour12: settings.hour12,
  };
  cache.clear();
}

/** Whether the language is that of most people in the country. */
const isSpokenIn = (country: string | null | undefined, { language }: Intl.Locale): boolean =>
  !!country && new Intl.Locale(`und-${country}`).maximize().language === language;

export const formatLocale = () => formats.locale;
export const accountTimeZone = () =>
  formats.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const known = cache.get(key) ?? new Intl.DateTimeFormat(formats.locale, options);
  cache.set(key, known);
  return known;
}

const DATE_STYLES = {
  /** 23 November 2026 */
  long: { day: "numeric", month: "long", year: "numeric" },
  /** 23 Nov 2026 */
  medium: { day: "numeric", month: "short", year: "numeric" },
  /** 23 Nov */
  day: { day: "numeric", month: "short" },
  /** Monday, 23 November */
  weekday: { weekday: "long", day: "numeric", month: "long" },
  /** Monday, 23 Nov */
  longWeekday: { weekday: "long", day: "numeric", month: "short" },
  /** Mon, 23 Nov */
  shortWeekday: { weekday: "short", day: "numeric", month: "short" },
  /** November 2026 */
  month: { month: "long", year: "numeric" },
  /** 11/2026 */
  shortMonth: { month: "2-digit", year: "numeric" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** A wall date of the API, such as 2026-11-18. It has no zone, so it is formatted in UTC. */
export function formatDate(date: string, style: keyof typeof DATE_STYLES = "medium"): string {
  return formatter({ ...DATE_STYLES[style], timeZone: "UTC" }).format(
    new Date(`${date}T00:00:00Z`),
  );
}

/** A date that stands alone as a title. Most languages begin the names of weekdays with a small letter. */
export function formatDateTitle(date: string): string {
  const words = formatDate(date, "weekday");
  return words.charAt(0).toLocaleUpperCase(formats.locale) + words.slice(1);
}

/** A day of a year, such as 02-29 of a birthday without a year. */
export function formatMonthDay(monthDay: string): string {
  return formatter({ day: "numeric", month: "long", timeZone: "UTC" }).format(
    new Date(`2024-${monthDay}T00:00:00Z`),
  );
}

/** The name of a month, from 1 to 12. */
export function formatMonth(month: number): string {
  return formatter({ month: "long", timeZone: "UTC" }).format(new Date(Date.UTC(2024, month - 1)));
}

/** A moment of the API, in the zone of the account. */
export function formatMoment(moment: string, style: "time" | "day" | "full" = "full"): string {
  const time = {
    hour: "numeric",
    minute: "2-digit",
    ...(formats.hour12 !== undefined && { hour12: formats.hour12 }),
  } as const;
  const options =
    style === "time"
      ? time
      : style === "day"
        ? DATE_STYLES.medium
        : { ...DATE_STYLES.medium, ...time };
  return formatter({ ...options, timeZone: accountTimeZone() }).format(new Date(moment));
}

/** A wall time of the API, in minutes after midnight. */
export function formatTime(minutes: number): string {
  return formatter({
    hour: "numeric",
    minute: "2-digit",
    timeZone: "UTC",
    ...(formats.hour12 !== undefined && { hour12: formats.hour12 }),
  }).format(new Date(minutes * 60_000));
}

/** The name of a weekday. 0 is Sunday, and so is 7. */
export function formatWeekday(weekday: number, style: "long" | "short" = "long"): string {
  return formatter({ weekday: style, timeZone: "UTC" }).format(
    new Date(Date.UTC(2024, 0, weekday)),
  );
}

/** The days of a week in the order of the account, with their names. */
export const weekdays = (): { day: number; name: string }[] =>
  Array.from({ length: 7 }, (_, at) => {
    const day = (formats.firstWeekday + at) % 7;
    return { day, name: formatWeekday(day) };
  });

export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(formats.numbers, options).format(value);

/** "A, B and C", or "A, B or C" of alternatives. */
export const formatList = (words: string[], type?: "disjunction"): string =>
  new Intl.ListFormat(formats.locale, type && { type }).format(words);

/** "3 days ago". Up to a day in hours and minutes, later in days. */
export function formatRelative(moment: string, now: number): string {
  const seconds = (Date.parse(moment) - now) / 1000;
  const relative = new Intl.RelativeTimeFormat(formats.locale, { numeric: "auto" });
  const size = Math.abs(seconds);
  if (size < 60) return relative.format(0, "second");
  if (size < 3_600) return relative.format(Math.trunc(seconds / 60), "minute");
  if (size < 86_400) return relative.format(Math.trunc(seconds / 3_600), "hour");
  return relative.format(Math.trunc(seconds / 86_400), "day");
}

/** The wall date of a moment in the zone of the account, as in 2026-11-18. */
export const dateOf = (moment: string | number): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: accountTimeZone() }).format(new Date(moment));

/** Today in the zone of the account, as a wall date. */
export const today = (): string => dateOf(now());

/** The wall date some days later or earlier. */
export function addDays(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}
