import { can } from "../../../src/access/policy.ts";
import {
  boolean,
  choice,
  date,
  defaulted,
  example,
  integer,
  list,
  optional,
  readOnly,
  text,
  timestamp,
} from "../../../src/jsonapi/definition/attributes.ts";
import { authorship, toMany, toOne } from "../../../src/jsonapi/definition/relationships.ts";
import { resource } from "../../../src/jsonapi/definition/resource.ts";

/** The type that CONTRIBUTING.md adds step by step. */
export const prayerRequests = resource({
  type: "prayer-requests",
  description: "A request for prayer, and the people who pray.",
  table: "prayer_requests",
  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    "title": example("Recovery after surgery", text({ minLength: 1, maxLength: 200 })),
    "body": optional(text({ maxLength: 10_000 })),
    "status": defaulted(choice(["open", "answered"])),
    "urgency": defaulted(integer({ minimum: 1, maximum: 5 })),
    "is-public": defaulted(boolean()),
    "prayed-count": readOnly(integer({ minimum: 0 })),
    "answered-at": optional(timestamp()),
    "visit-on": optional(date()),
    "language": optional(text({ maxLength: 35 })),
    "topics": defaulted(list(text({ maxLength: 40 }), { maxItems: 10 })),
  },
  relationships: {
    ...authorship,
    person: toOne("people", { column: "person_id", required: true }),
    cell: toOne("cells", { column: "cell_id" }),
    companions: toMany("people", {
      table: "prayer_request_companions",
      from: "prayer_request_id",
      to: "person_id",
    }),
  },
  filters: {
    "status": { match: "one-of", column: "status", values: ["open", "answered"] },
    "is-public": { match: "boolean", column: "is_public" },
    "urgency-min": { match: "at-least", column: "urgency", minimum: 1, maximum: 5 },
    "person": { match: "id", column: "person_id" },
  },
  sorts: {
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
    "urgency": { column: "urgency" },
    "visit-on": { column: "visit_on", nullable: true },
  },
  defaultSort: "-created-at",
  operations: {
    list: can("prayer-requests:read"),
    read: can("prayer-requests:read"),
    create: can("prayer-requests:write"),
    update: can("prayer-requests:write"),
    delete: can("prayer-requests:delete"),
  },
  captures: { created: "prayer-request.created", deleted: "prayer-request.deleted" },
  constraints: {
    prayer_requests_answered: {
      pointer: "/data/attributes/answered-at",
      breaks: { rule: "required", hint: "An answered request needs the time of the answer." },
    },
  },
});
