import { SECOND } from "../../base/clock.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";

/**
 * Returns how long a receiver asks us to wait, in milliseconds. A value that is neither a number of seconds nor one of
 * the three date formats of RFC 9110 is ignored. Two headers arrive joined by a comma and are ignored too.
 */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.replaceAll(/^[ \t]+|[ \t]+$/g, "") ?? "";
  const asked = SECONDS.test(text) ? Number(text) * SECOND : waitUntil(dateOf(text, now), now);
  return asked === undefined
    ? undefined
    : Math.min(Math.ceil(asked), webhookLimits.retryAfterMsMax);
}

const waitUntil = (at: number | undefined, now: number) =>
  at === undefined ? undefined : Math.max(0, at - now);

const SECONDS = /^\d+(\.\d+)?$/;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTH = `(?<month>${months.join("|")})`;
const TIME = "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)";
const SHORT_DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const LONG_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";

const forms = [
  `${SHORT_DAY}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT`,
  `${LONG_DAY}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT`,
  `${SHORT_DAY} ${MONTH} (?<day>\\d\\d| \\d) ${TIME} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/** `Date.parse` accepts many other formats and reads some of them in the local time zone. */
function dateOf(text: string, now: number): number | undefined {
  const groups = forms.map((form) => form.exec(text)?.groups).find((each) => each !== undefined);
  if (!groups) return undefined;
  const { day, hour, minute, second } = groups;
  const month = months.indexOf(groups["month"] ?? "");
  const year = fullYear(groups["year"] ?? "", now);
  // The 60th second is a leap second.
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month, Number(day));
  // Reject days that do not exist, such as 30 February.
  if (date.getUTCMonth() !== month || date.getUTCDate() !== Number(day)) return undefined;
  return date.setUTCHours(Number(hour), Number(minute), Number(second));
}

/** RFC 9110: a two-digit year more than 50 years in the future is in the past. */
function fullYear(digits: string, now: number): number {
  if (digits.length === 4) return Number(digits);
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}
