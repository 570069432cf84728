import { timestamps } from "../../../jsonapi/definition/attributes.ts";
import { authorship, toOne } from "../../../jsonapi/definition/relationships.ts";

export const anonymizationFields = {
  attributes: timestamps,
  relationships: {
    ...authorship,
    person: toOne("people", { column: "person_id", required: true }),
  },
};

export type AnonymizationFields = typeof anonymizationFields;
