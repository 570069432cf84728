import type { Language } from "../../mail/languages.ts";

/** Dates, times, prices and distances as a church writes them. */
export class Formats {
  /** The language of the texts with the country of the account, so that an English page in Lisbon has "23 November". */
  readonly locale: Intl.Locale;
  /** The days of a week in their order. 0 is Sunday. */
  readonly weekdays: readonly number[];
  readonly #locale: string;
  /** Numbers are part of the words: an English page in Lisbon has "0.9 km". */
  readonly #numbers: string;

  constructor(
    language: Language,
    {
      country,
      "first-weekday": first = 0,
    }: { "country"?: string | null; "first-weekday"?: number | null },
  ) {
    this.locale = new Intl.Locale(language, country ? { region: country } : {});
    this.#locale = this.locale.baseName;
    const spoken = new Intl.Locale(`und-${country ?? "ZZ"}`).maximize().language;
    this.#numbers = spoken === this.locale.language ? this.#locale : language;
    this.weekdays = Array.from({ length: 7 }, (_, at) => ((first ?? 0) + at) % 7);
  }

  /** 0 is Sunday. 4 January 1970 was one. */
  weekday(weekday: number): string {
    const format = new Intl.DateTimeFormat(this.#locale, { weekday: "long", timeZone: "UTC" });
    const name = format.format(Date.UTC(1970, 0, 4 + weekday));
    return name.charAt(0).toLocaleUpperCase(this.#locale) + name.slice(1);
  }

  /** Two times of a day in minutes since midnight, of which either can be absent. */
  hours(from: number | null, until: number | null): string {
    const format = new Intl.DateTimeFormat(this.#locale, { timeStyle: "short", timeZone: "UTC" });
    const times = [from, until].filter((minutes) => minutes !== null);
    return times.map((minutes) => format.format(minutes * 60_000)).join("–");
  }

  day(timestamp: string, timeZone: string): string {
    const format = new Intl.DateTimeFormat(this.#locale, { dateStyle: "long", timeZone });
    return format.format(new Date(timestamp));
  }

  moment(timestamp: string, timeZone: string): string {
    const options = { dateStyle: "long", timeStyle: "short", timeZone } as const;
    return new Intl.DateTimeFormat(this.#locale, options).format(new Date(timestamp));
  }

  days(from: string, until: string, timeZone: string): string {
    const format = new Intl.DateTimeFormat(this.#locale, { dateStyle: "long", timeZone });
    return format.formatRange(new Date(from), new Date(until));
  }

  /** `amount` is in minor units of the currency. */
  price(amount: number, currency: string): string {
    const format = new Intl.NumberFormat(this.#numbers, { style: "currency", currency });
    return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
  }

  /** "in 2 minutes". Less than a minute counts as one. */
  in(seconds: number): string {
    const format = new Intl.RelativeTimeFormat(this.#locale);
    const minutes = Math.max(1, Math.ceil(seconds / 60));
    return minutes < 60
      ? format.format(minutes, "minute")
      : format.format(Math.ceil(minutes / 60), "hour");
  }

  kilometers(distance: number): string {
    const options = { style: "unit", unit: "kilometer", maximumFractionDigits: 1 } as const;
    return new Intl.NumberFormat(this.#numbers, options).format(distance);
  }
}
