import { can } from "../../../access/policy.ts";
import {
  choice,
  defaulted,
  example,
  integer,
  list,
  readOnly,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { authorship, linkOnly, toMany } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { SCORE_MIN, weights } from "./weights.ts";

const statuses = ["open", "dismissed"] as const;
const reasons = Object.keys(weights);

export const personDuplicates = resource({
  type: "person-duplicates",
  description:
    "Two people who may be one. The service finds them, and staff merge or dismiss them.",
  table: "person_duplicates",
  attributes: {
    ...timestamps,
    "status": example("dismissed", defaulted(choice(statuses))),
    "score": readOnly(integer({ minimum: SCORE_MIN, maximum: 100 })),
    "reasons": readOnly({
      ...list(choice(reasons), { maxItems: reasons.length }),
      storage: "texts",
    }),
  },
  relationships: {
    ...authorship,
    people: linkOnly(
      toMany("people", {
        table: "person_duplicate_people",
        from: "duplicate_id",
        to: "person_id",
      }),
    ),
  },
  filters: {
    "status": { match: "one-of", column: "status", values: statuses },
    "person": {
      match: "related",
      table: "person_duplicate_people",
      from: "duplicate_id",
      to: "person_id",
    },
    "score-min": { match: "at-least", column: "score", minimum: 0, maximum: 100 },
    "reason": { match: "one-of", column: "reasons", values: reasons, inArray: true },
  },
  sorts: { "score": { column: "score" }, "created-at": { column: "created_at" } },
  defaultSort: "-score",
  operations: {
    list: can("people:merge"),
    read: can("people:merge"),
    update: can("people:merge"),
  },
});
