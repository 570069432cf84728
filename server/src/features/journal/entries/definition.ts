import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { limits } from "../../../base/limits.ts";
import {
  choice,
  computed,
  describe,
  list,
  optional,
  readOnly,
  text,
  timestamp,
} from "../../../jsonapi/definition/attributes.ts";
import { linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { actions, causes, changesOf } from "./words.ts";

const read = can("audit-entries:read");

/** The people who do something, and those whom it is about, can be deleted afterwards. */
const person = (named: string) => linkOnly(toOne("people", { column: named, dangling: true }));

export const auditEntries = resource({
  type: "audit-entries",
  description: `An entry of the audit: a person changed a resource, or logged in. Full administrators and callers with \`audit-entries:read\` see the entries of the account, and other callers their own log-ins. Entries are kept for 24 months.`,
  table: "journal",
  rows: `journal.entry is not null and journal.id >= history_floor(now() - ${limits.journalMs} * interval '1 millisecond')`,
  unversioned: true,
  reach: {
    self: column("subject_id", "journal.entry in ('logged-in', 'login-failed')"),
  },

  attributes: {
    "occurred-at": readOnly(timestamp()),
    "action": describe(computed(choice(actions), "journal.entry"), {
      description: "`permission-changed` replaces the others where rights change.",
    }),
    "resource-type": readOnly(text({ maxLength: 60 })),
    "resource-id": computed(text({ maxLength: 36 }), "journal.resource_id::text"),
    "changes": describe(readOnly(changesOf()), {
      description:
        "The members that changed, with their values before and after. Relationships have ids, of links those removed and those" +
        " added. Values that not every reader of the account may see are `[redacted]`.",
    }),
    "omitted": describe(
      computed(
        list(text({ maxLength: 100 }), { maxItems: 1_000 }),
        "coalesce(to_jsonb(journal.omitted), '[]')",
      ),
      {
        description: "The members whose values are too long to be kept.",
      },
    ),
    "cause": readOnly(choice(causes)),
    "request-id": computed(optional(text({ maxLength: 36 })), "journal.request_id::text"),
    "client": describe(
      computed(
        optional(text({ maxLength: 120 })),
        "(select integration.name from integrations integration where integration.id = journal.integration_id)",
      ),
      { description: "The integration through which the person worked." },
    ),
    "ip": describe(computed(optional(text({ maxLength: 50 })), "host(journal.ip)"), {
      description: "The address of the client. After 90 days its last part is removed.",
    }),
    "batch-id": computed(optional(text({ maxLength: 36 })), "journal.batch_id::text"),
  },
  relationships: { "actor": person("actor_id"), "subject-person": person("subject_id") },
  filters: {
    "actor": { match: "id", column: "actor_id" },
    "resource-type": { match: "equals-text", column: "resource_type", by: "lower" },
    "resource-id": { match: "id", column: "resource_id" },
    // Each part has an index of its own.
    "subject": {
      match: "within",
      sql:
        "(journal.resource_type = 'people' and journal.resource_id = any($ids)" +
        " or journal.subject_id = any($ids) and journal.subject_id <> journal.resource_id)",
    },
    "action": { match: "one-of", column: "entry", values: actions },
    "from": { match: "since", column: "occurred_at" },
    "to": { match: "until", column: "occurred_at" },
    "batch-id": { match: "id", column: "batch_id" },
  },
  sorts: { "occurred-at": { column: "id" } },
  defaultSort: "-occurred-at",
  operations: { list: read, read },
});
