/** PostgreSQL supports offsets up to 15:59. */
const TIMESTAMP =
  /^([12]\d{3}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-](0\d|1[0-5]):[0-5]\d))?$/;

/** A calendar date in the years 1000 to 2999. */
export const isDate = (value: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) && isTimestamp(value);

/** ISO 8601 with a zone, or a calendar date, in the years 1000 to 2999. */
export function isTimestamp(value: string): boolean {
  const day = TIMESTAMP.exec(value)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(value))) return false;
  // Date.parse reads February 30 as a day in March.
  return new Date(`${day}T00:00Z`).toISOString().startsWith(day);
}
