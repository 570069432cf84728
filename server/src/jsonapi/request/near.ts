import type { Nearby } from "../definition/sorts.ts";
import type { Condition } from "./binding.ts";
import type { QueryReader } from "./query-reader.ts";

export interface Place {
  latitude: number;
  longitude: number;
}

/** A meter. */
export const KM_MIN = 0.001;

/** The place and the radius of a list, or undefined without them or with a mistake. */
export function readNear(
  { distance, kilometersMax }: Nearby,
  reader: QueryReader,
): { place: Place; condition: Condition } | undefined {
  const read = (name: string, min: number, max: number) => {
    const parameter = `filter[${name}]`;
    const value = reader.take(parameter)?.trim();
    if (value === undefined) return { parameter, value: undefined };
    const isNumber = /^-?\d{1,3}(\.\d{1,15})?$/.test(value);
    const number = isNumber ? Number(value) : Number.NaN;
    if (!isNumber) reader.report(parameter, { rule: "type", type: "number" });
    else if (number < min) reader.report(parameter, { rule: "min", limit: min });
    else if (number > max) reader.report(parameter, { rule: "max", limit: max });
    return { parameter, value: number };
  };
  const given = [read("lat", -90, 90), read("lng", -180, 180), read("km", KM_MIN, kilometersMax)];
  const missing = given.filter(({ value }) => value === undefined);
  if (missing.length > 0 && missing.length < given.length)
    for (const { parameter } of missing)
      reader.report(parameter, {
        rule: "required",
        hint: "filter[lat], filter[lng] and filter[km] go together.",
      });
  const [latitude, longitude, kilometers] = given.map(({ value }) => value);
  if (latitude === undefined || longitude === undefined || kilometers === undefined)
    return undefined;
  return {
    place: { latitude, longitude },
    condition: (statement) => `${distance} <= ${statement.bind(kilometers)}::float8`,
  };
}
