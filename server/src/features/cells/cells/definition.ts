import { can } from "../../../access/policy.ts";
import { column, readOnly as readOnlyPath, via } from "../../../access/reach.ts";
import {
  boolean,
  choice,
  computed,
  date,
  defaulted,
  describe,
  example,
  integer,
  object,
  optional,
  readOnly,
  text,
  timestamp,
} from "../../../jsonapi/definition/attributes.ts";
import { customValues } from "../../../jsonapi/definition/custom-fields.ts";
import { address, webAddress } from "../../../jsonapi/definition/contact.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import {
  authorship,
  computedToOne,
  linkOnly,
  toMany,
  toOne,
} from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { frequencies, genderCategories, minutes, weekday } from "./attributes.ts";
import { createCell } from "./create-cell.ts";
import { updateCell } from "./update-cell.ts";

const cellTypes = ["cell", "supervision"] as const;
const statuses = ["planned", "active", "in-recess", "closed"] as const;

const years = () => integer({ minimum: 0, maximum: 120 });
const people = () => integer({ minimum: 1, maximum: 10_000 });

/** The database rounds `opened_at` to milliseconds, so a cell that opens now can open half a millisecond later. */
export const status = `(case
  when cells.closed_at is not null then 'closed'
  when cells.opened_at > now() + interval '1 millisecond' then 'planned'
  when cells.recess_from is null then 'active'
  when cells.recess_from <= today_in(cells.account_id)
    and (cells.recess_to is null or cells.recess_to >= today_in(cells.account_id)) then 'in-recess'
  else 'active' end)`;

const ofCell = "m.account_id = cells.account_id and m.cell_id = cells.id";
export const membersCount = `(select count(*)::int from active_cell_memberships m where ${ofCell} and m.is_member)`;
const host = `(select m.person_id from active_cell_memberships m where ${ofCell} and m.cell_role = 'host'
  order by m.joined_on, m.id limit 1)`;
const lastMeeting = `(select max(m.date) from cell_meetings m
  where m.account_id = cells.account_id and m.cell_id = cells.id and m.status = 'held')`;

const peopleAs = (role: string) =>
  linkOnly(
    toMany("people", {
      table: "cell_memberships",
      from: "cell_id",
      to: "person_id",
      where: { status: "active", cell_role: role },
    }),
  );

export const cells = resource({
  type: "cells",
  description: "A small group, or a supervision of several.",
  table: "cells",

  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    "name": example("Vila Mariana", named(200)),
    "cell-type": defaulted(choice(cellTypes)),
    "level": describe(defaulted(integer({ minimum: 0, maximum: 5 })), {
      description:
        "0 for a cell, 1 to 5 for a supervision. A parent has a higher level than its children.",
    }),
    "status": computed(choice(statuses), status),
    "description": describe(optional(text({ maxLength: 10_000 })), {
      alsoWritableWith: ["cell-texts:write"],
    }),
    "category": optional(text({ maxLength: 80 })),
    "gender-category": defaulted(choice(genderCategories)),
    "age-min": optional(years()),
    "age-max": optional(years()),
    "weekday": describe(example(3, optional(weekday())), { description: "0 is Sunday." }),
    "starts-at": describe(example(1_200, optional(minutes())), {
      description: "Minutes since midnight.",
    }),
    "ends-at": example(1_290, optional(minutes())),
    "frequency": defaulted(choice(frequencies)),
    "is-online": defaulted(boolean()),
    "online-url": describe(optional(webAddress()), { alsoWritableWith: ["cell-texts:write"] }),
    "address": optional(address()),
    "is-public": describe(defaulted(boolean()), {
      writableWith: can("cells:write"),
      initialValue: false,
      description: "Setting it requires `cells:write` for the account.",
    }),
    "public-settings": describe(
      defaulted(
        object({
          "show-address": defaulted(boolean()),
          "show-leader-email": defaulted(boolean()),
          "show-leader-phone": defaulted(boolean()),
          "accept-join-requests": defaulted(boolean()),
        }),
      ),
      {
        writableWith: can("cells:write"),
        description: "Setting it requires `cells:write` for the account.",
      },
    ),
    "join-policy": defaulted(choice(["open", "request", "closed"])),
    "capacity": optional(people()),
    "ideal-size": optional(people()),
    "multiplication-goal-date": optional(date()),
    "recess-from": describe(optional(date()), {
      description: "The first day of a recess. Without `recess-to`, the recess has no end yet.",
    }),
    "recess-to": describe(optional(date()), { description: "The last day of the recess." }),
    "opened-at": defaulted(timestamp()),
    "closed-at": readOnly(optional(timestamp())),
    "closing-reason": readOnly(optional(text({ maxLength: 500 }))),
    "members-count": describe(computed(integer({ minimum: 0 }), membersCount), {
      description: "Active memberships other than `visitor`.",
    }),
    "last-meeting-on": computed(optional(date()), lastMeeting),
    "custom-properties": customValues(),
  },

  relationships: {
    ...authorship,
    "parent": toOne("cells", { column: "parent_id" }),
    "children": linkOnly(toMany("cells", { table: "cells", from: "parent_id", to: "id" })),
    "multiplied-from": linkOnly(toOne("cells", { column: "multiplied_from_id" })),
    "memberships": linkOnly(
      toMany("cell-memberships", { table: "cell_memberships", from: "cell_id", to: "id" }),
    ),
    "meetings": linkOnly(
      toMany("cell-meetings", { table: "cell_meetings", from: "cell_id", to: "id" }),
    ),
    "leaders": peopleAs("leader"),
    "co-leaders": peopleAs("co-leader"),
    "trainees": peopleAs("trainee"),
    "host": computedToOne("people", host),
    "supervisors": linkOnly(
      toMany("people", {
        table: "cell_supervisors",
        from: "cell_id",
        to: "person_id",
        order: "distance",
      }),
    ),
  },

  filters: {
    "q": { match: "search", text: { table: "cells", from: "id", column: "search_words" } },
    "name": { match: "contains", column: "name_folded" },
    "status": { match: "one-of", column: status, values: statuses },
    "is-active": { match: "boolean", column: `(${status} in ('active', 'in-recess'))` },
    "cell-type": { match: "one-of", column: "cell_type", values: cellTypes },
    "level": { match: "number", column: "level", minimum: 0, maximum: 5 },
    "parent": { match: "id", column: "parent_id" },
    "tree": {
      match: "within",
      sql: `cells.id in (select a.cell_id from cell_ancestors a
        where a.account_id = $account and a.ancestor_id = any($ids))`,
    },
    "leader": {
      match: "related",
      table: "cell_memberships",
      from: "cell_id",
      to: "person_id",
      where: "x.status = 'active' and x.cell_role in ('leader', 'co-leader')",
    },
    "weekday": { match: "number", column: "weekday", minimum: 0, maximum: 6 },
    "category": { match: "equals-text", column: "category", by: "fold" },
    "city": { match: "equals-text", column: "(cells.address ->> 'city')", by: "fold" },
    "neighborhood": {
      match: "equals-text",
      column: "(cells.address ->> 'neighborhood')",
      by: "fold",
    },
    "is-public": { match: "boolean", column: "is_public" },
    "near": {
      match: "near",
      latitude: "(cells.address ->> 'latitude')::float8",
      longitude: "(cells.address ->> 'longitude')::float8",
      kilometersMax: 500,
    },
    "without-leader": {
      match: "exists",
      table: "cell_memberships",
      from: "cell_id",
      where: "x.status = 'active' and x.cell_role = 'leader'",
      negated: true,
    },
    "report-overdue": {
      match: "exists",
      table: "cell_meetings",
      from: "cell_id",
      where:
        "x.status = 'scheduled' and report_status(x.account_id, x.status, x.date, x.ends_at, x.submitted_at) = 'overdue'",
    },
  },
  sorts: {
    "name": { column: "name_folded" },
    "weekday": { column: "weekday", nullable: true },
    "members-count": { column: membersCount, nullable: true },
    "last-meeting-on": { column: lastMeeting, nullable: true },
    "created-at": { column: "created_at" },
    "modified-at": { column: "modified_at" },
  },
  defaultSort: "name",

  operations: {
    list: can("cells:read"),
    read: can("cells:read"),
    create: { allow: can("cells:write"), run: createCell },
    update: { allow: can("cells:write", "cell-texts:write"), run: updateCell },
    delete: can("cells:delete"),
  },
  place: "parent",
  reach: {
    cell: column("id"),
    self: readOnlyPath(
      via("cell_memberships", {
        from: "cell_id",
        to: "person_id",
        where: "x.status = 'active'",
      }),
    ),
    public: { where: "cells.is_public" },
  },
  reduced: {
    members: [
      "name",
      "description",
      "category",
      "gender-category",
      "age-min",
      "age-max",
      "weekday",
      "starts-at",
      "ends-at",
      "frequency",
      "is-online",
      "join-policy",
      "status",
    ],
    filters: ["is-active", "is-public"],
    fullWith: "cells:read",
  },
  customProperties: true,
  captures: { created: "cell.created", updated: "cell.updated", deleted: "cell.deleted" },
  constraints: {
    cells_level_fits_type: {
      pointer: "/data/attributes/level",
      detail: "A `cell` has level 0, and a `supervision` has level 1 to 5.",
    },
    cells_ages_in_order: {
      pointer: "/data/attributes/age-max",
      detail: "Must not be less than `age-min`.",
    },
    cells_ends_after_start: {
      pointer: "/data/attributes/ends-at",
      detail: "Must be later than `starts-at`.",
    },
    cells_recess_ends_after_start: {
      pointer: "/data/attributes/recess-to",
      detail: "Must be later than `recess-from`.",
    },
    cells_custom_properties_size: {
      pointer: "/data/attributes/custom-properties",
      detail: "All fields together must not exceed 64 KiB.",
    },
    // Creating and moving a cell checks the parent first. The key therefore fails only when a parent is deleted.
    cells_parent_fkey: {
      pointer: "/data",
      code: "cell-has-children",
      detail: "The cell has child cells.",
    },
  },
});
