import {
  boolean,
  computed,
  decimal,
  describe,
  detailed,
  list,
  object,
  optional,
  text,
} from "../../../jsonapi/definition/attributes.ts";
import { email } from "../../../jsonapi/definition/contact.ts";
import { phoneDisplay, phoneNumber } from "../../../jsonapi/definition/phones.ts";
import { nearbyIn, publicType, shown } from "../../../jsonapi/definition/public.ts";
import { genderCategories } from "./attributes.ts";
import { cells } from "./definition.ts";
import { membersCount, status } from "./fields.ts";

const allows = (setting: string) => `(cells.public_settings ->> '${setting}')::boolean`;

const degreesIn = (member: string) =>
  `public_degrees((cells.address ->> '${member}')::numeric, ${allows("show-address")})`;
const location = { latitude: degreesIn("latitude"), longitude: degreesIn("longitude") };

/** Distances are measured from the location that is shown, so that they reveal no other. */
const distance = nearbyIn(location, 50);

const partOfAddress = (member: string) =>
  computed(optional(text({ maxLength: 100 })), `(cells.address ->> '${member}')`);

const leaders = `(select coalesce(json_agg(jsonb_strip_nulls(jsonb_build_object(
    'name', leader.name,
    'email', case when ${allows("show-leader-email")} then leader.email end,
    'phone', case when ${allows("show-leader-phone")} then (
      select phone ->> 'number' from jsonb_array_elements(leader.phones) with ordinality as one (phone, position)
      order by (phone ->> 'is-primary')::boolean desc nulls last, position limit 1) end
  )) order by leader.joined_on, leader.id), '[]')
  from (
    select m.id, m.joined_on, person.public_name as name, person.email, person.phones
    from active_cell_memberships m
    join person_facts person on person.account_id = m.account_id and person.person_id = m.person_id
    where m.account_id = cells.account_id and m.cell_id = cells.id and m.cell_role = 'leader'
  ) leader
  where leader.name is not null)`;

/** `GET /p/v1/cells` */
export const publicCells = publicType({
  type: "cells",
  description: "A cell that visitors can find.",
  table: "cells",
  rows: `cells.is_public and ${status} = 'active'`,
  attributes: {
    ...shown(
      cells.attributes,
      "name",
      "category",
      "gender-category",
      "age-min",
      "age-max",
      "weekday",
      "starts-at",
      "ends-at",
      "frequency",
      "is-online",
    ),
    "neighborhood": partOfAddress("neighborhood"),
    "city": partOfAddress("city"),
    "state": partOfAddress("state"),
    "location": describe(
      computed(
        optional(
          object({
            latitude: decimal({ minimum: -90, maximum: 90 }),
            longitude: decimal({ minimum: -180, maximum: 180 }),
          }),
        ),
        `(case when ${location.latitude} is not null and ${location.longitude} is not null
          then json_build_object('latitude', ${location.latitude}, 'longitude', ${location.longitude}) end)`,
      ),
      { description: "Rounded to two decimals, unless the cell shows its address." },
    ),
    "distance": distance.attribute,
    "accepts-requests": describe(
      computed(
        boolean(),
        `(${allows("accept-join-requests")} and cells.join_policy <> 'closed'
          and (cells.capacity is null or cells.capacity > ${membersCount}))`,
      ),
      { description: "Whether visitors can ask to join." },
    ),
    "description": detailed(shown(cells.attributes, "description").description),
    "leaders": describe(
      detailed(
        computed(
          list(
            object({
              name: text({ maxLength: 200 }),
              email: optional(email()),
              "phone": optional(phoneNumber()),
              "phone-display": phoneDisplay(),
            }),
            { maxItems: 1_000 },
          ),
          leaders,
        ),
      ),
      { description: "By the names they prefer, with the contacts that the cell shows." },
    ),
    "address": describe(
      detailed(
        computed(
          cells.attributes.address,
          `(case when ${allows("show-address")} then cells.address end)`,
        ),
      ),
      { description: "Null, unless the cell shows its address." },
    ),
  },

  filters: {
    "weekday": { match: "number", column: "weekday", minimum: 0, maximum: 6 },
    "category": { match: "equals-text", column: "category", by: "fold" },
    "gender-category": { match: "one-of", column: "gender_category", values: genderCategories },
    "city": { match: "equals-text", column: "(cells.address ->> 'city')", by: "fold" },
    "neighborhood": {
      match: "equals-text",
      column: "(cells.address ->> 'neighborhood')",
      by: "fold",
    },
    "is-online": { match: "boolean", column: "is_online" },
  },
  nearby: distance.nearby,
  sorts: { name: { column: "name_folded" }, distance: distance.sort },
  defaultSort: "name",
});
