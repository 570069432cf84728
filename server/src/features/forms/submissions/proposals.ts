import type { FormField } from "../forms/form-field.ts";

/** The values that the answers propose for a person, by the attribute to which their fields map. */
export const proposedBy = (
  fields: readonly FormField[],
  answers: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fields.flatMap(({ key, ...field }) => {
      const target = field["maps-to"] ?? null;
      return target !== null && Object.hasOwn(answers, key) ? [[target, answers[key]]] : [];
    }),
  );
