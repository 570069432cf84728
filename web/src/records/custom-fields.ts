import type { CustomFieldDefinition } from "@vestry/sdk";

/** The fields that are not archived, in the order of the church. */
export const customFields = (
  definitions: Record<string, CustomFieldDefinition | null> = {},
): [name: string, definition: CustomFieldDefinition][] =>
  Object.entries(definitions)
    .filter((one): one is [string, CustomFieldDefinition] => one[1] !== null && !one[1].archived)
    .sort(([, a], [, b]) => (a.order ?? 0) - (b.order ?? 0));
