import { can } from "../../../access/policy.ts";
import {
  boolean,
  changesRights,
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
  lines,
  text,
  timestamp,
  timestamps,
  minuteOfDay,
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
import type { RowInput } from "../../../jsonapi/definition/input.ts";
import { frequencies, genderCategories, weekday } from "./attributes.ts";

export const cellTypes = ["cell", "supervision"] as const;
export const cellStatuses = ["planned", "active", "in-recess", "closed"] as const;

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
export const lastMeeting = `(select max(m.date) from cell_meetings m
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

export const cellFields = {
  attributes: {
    ...timestamps,
    "name": example("Vila Mariana", named(200)),
    // The leader of a supervision supervises its tree.
    "cell-type": changesRights(
      {
        gainedBy: `select x.person_id from active_cell_memberships x where x.account_id = cells.account_id and x.cell_id = cells.id and x.is_leading`,
        values: ["supervision"],
      },
      defaulted(choice(cellTypes)),
    ),
    "level": describe(defaulted(integer({ minimum: 0, maximum: 5 })), {
      description:
        "0 for a cell, 1 to 5 for a supervision. A parent has a higher level than its children.",
    }),
    "status": computed(choice(cellStatuses), status),
    "description": describe(optional(lines({ maxLength: 10_000 })), {
      alsoWritableWith: ["cell-texts:write"],
    }),
    "category": optional(text({ maxLength: 80 })),
    "gender-category": defaulted(choice(genderCategories)),
    "age-min": optional(years()),
    "age-max": optional(years()),
    "weekday": describe(example(3, optional(weekday())), { description: "0 is Sunday." }),
    "starts-at": describe(example(1_200, optional(minuteOfDay())), {
      description: "Minutes since midnight.",
    }),
    "ends-at": example(1_290, optional(minuteOfDay())),
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
};

export type CellFields = typeof cellFields;

export type CellValues = RowInput<CellFields>["attributes"];
