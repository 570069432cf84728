import { example, optional, text, timestamps } from "../../../jsonapi/definition/attributes.ts";
import { authorship, toOne } from "../../../jsonapi/definition/relationships.ts";

const cell = toOne("cells", { column: "cell_id", required: true, onlyCreated: true });

export const closingFields = {
  attributes: {
    ...timestamps,
    "closing-reason": example("The house was sold", optional(text({ maxLength: 500 }))),
  },
  relationships: {
    ...authorship,
    cell,
    "moved-to": toOne("cells", { column: "moved_to_id", onlyCreated: true }),
  },
};

export type ClosingFields = typeof closingFields;

export const reopeningFields = { attributes: timestamps, relationships: { ...authorship, cell } };

export type ReopeningFields = typeof reopeningFields;
