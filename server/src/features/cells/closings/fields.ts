import {
  example,
  optional,
  readOnly,
  text,
  timestamp,
} from "../../../jsonapi/definition/attributes.ts";
import { authorship, toOne } from "../../../jsonapi/definition/relationships.ts";

const times = { "created-at": readOnly(timestamp()), "modified-at": readOnly(timestamp()) };
const cell = toOne("cells", { column: "cell_id", required: true, onlyCreated: true });

export const closingFields = {
  attributes: {
    ...times,
    "closing-reason": example("The house was sold", optional(text({ maxLength: 500 }))),
  },
  relationships: {
    ...authorship,
    cell,
    "moved-to": toOne("cells", { column: "moved_to_id", onlyCreated: true }),
  },
};

export type ClosingFields = typeof closingFields;

export const reopeningFields = { attributes: times, relationships: { ...authorship, cell } };

export type ReopeningFields = typeof reopeningFields;
