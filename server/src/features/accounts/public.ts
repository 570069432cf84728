import { computed, integer, object, optional } from "../../jsonapi/definition/attributes.ts";
import { countryCode, localeTag, timeZone } from "../../jsonapi/definition/codes.ts";
import { named } from "../../jsonapi/definition/names.ts";
import { publicType, shown } from "../../jsonapi/definition/public.ts";
import { accounts } from "./definition.ts";

const settings = object({
  "lang": optional(localeTag()),
  "time-zone": optional(timeZone()),
  "country": optional(countryCode()),
  "first-weekday": optional(integer({ minimum: 0, maximum: 6 })),
  "cell-label": optional(named(40)),
  "cells-label": optional(named(40)),
});

const settingNames = Object.keys((settings.schema as { properties: object }).properties);

/** `GET /p/v1/accounts/me` */
export const publicAccount = publicType({
  type: "accounts",
  description: "The church as its website shows it.",
  table: "accounts",
  accountColumn: "id",
  rows: "accounts.status = 'active'",
  attributes: {
    ...shown(
      accounts.attributes,
      "church-name",
      "acronym",
      "logo-url",
      "phone",
      "website",
      "address",
    ),
    settings: computed(
      settings,
      `(select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(accounts.settings)
        where key in (${settingNames.map((name) => `'${name}'`).join(", ")}))`,
    ),
  },
  filters: {},
  sorts: {},
  defaultSort: "id",
  isListed: false,
  aliases: accounts.aliases ?? {},
});
