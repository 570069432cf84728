/** The wall time in a zone of a moment, as an input of date and time takes it: `2026-11-27T09:30`. */
export function wallOf(moment: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(new Date(moment));
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
}

const asUtc = (wall: string): number => Date.parse(`${wall}Z`);

const offset = (at: number, timeZone: string): number =>
  asUtc(wallOf(new Date(at).toISOString(), timeZone)) - at;

/** The moment of a wall time in a zone. A time that the clock skips in spring is an hour later. */
export function momentOf(wall: string, timeZone: string): string {
  const guess = asUtc(wall);
  const near = guess - offset(guess, timeZone);
  return new Date(guess - offset(near, timeZone)).toISOString();
}
