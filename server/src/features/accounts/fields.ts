import {
  formatted,
  boolean,
  choice,
  defaulted,
  describe,
  example,
  integer,
  list,
  map,
  object,
  optional,
  readOnly,
  text,
  timestamp,
  timestamps,
} from "../../jsonapi/definition/attributes.ts";
import { countryCode, currencyCode, localeTag, timeZone } from "../../jsonapi/definition/codes.ts";
import { address, email, webAddress } from "../../jsonapi/definition/contact.ts";
import { named } from "../../jsonapi/definition/names.ts";
import { limits } from "../../base/limits.ts";
import { ALIAS } from "./create-account.ts";
import { customProperties } from "./custom-property-definitions.ts";
import { authorship } from "../../jsonapi/definition/relationships.ts";

const label = defaulted(named(40));

/** `facts.sql` has the values that apply while the account sets none. */
export const settings = object({
  "lang": optional(localeTag()),
  "time-zone": optional(timeZone()),
  "country": optional(countryCode()),
  "currency": optional(currencyCode()),
  "date-format": optional(text({ maxLength: 20 })),
  "time-format": optional(choice(["12h", "24h"])),
  "first-weekday": optional(integer({ minimum: 0, maximum: 6 })),
  "cell-label": optional(named(40)),
  "cells-label": optional(named(40)),
  "cell-levels": optional(
    list(
      object({
        level: integer({ minimum: 1, maximum: 5 }),
        label: named(40),
      }),
      { maxItems: 5 },
    ),
  ),
  // Hours after the end of a meeting. The default is 24.
  "report-due-hours": optional(integer({ minimum: 0, maximum: 168 })),
  // Days in which the leaders of a cell can change a report. The default is 14.
  "report-edit-days": optional(integer({ minimum: 0, maximum: 365 })),
  // Whether reports can contain an offering. The default is false.
  "meeting-offerings": optional(boolean()),
  // Whether a person can be an active participant of only one cell. The default is true.
  "one-participant-cell": optional(boolean()),
  "member-statuses": optional(
    object({
      "prospect": label,
      "visitor": label,
      "attender": label,
      "member": label,
      "former-member": label,
      "deceased": label,
    }),
  ),
  // A person below this age counts as a child. The default is 13.
  "child-age-limit": optional(integer({ minimum: 0, maximum: 21 })),
  // The characters that a password has when it is set. The default is 8.
  "password-length-min": optional(
    integer({ minimum: limits.passwordLengthMin, maximum: limits.newPasswordLengthMinMax }),
  ),
  // Whether websites can read the public area. The default is true.
  "public-area": optional(boolean()),
  // Whether the service shows the public area on pages of its own. The default is false.
  "public-pages": optional(boolean()),
  // Whether requests of visitors need a solved challenge. The default is `none`.
  "public-challenge": optional(choice(["none", "pow"])),
  "public-origins": optional(
    list(
      text({
        maxLength: 255,
        // Browsers treat a page of the visitor's own machine like a page with TLS.
        pattern: "^(https://[a-z0-9.-]+|http://(localhost|127\\.0\\.0\\.1))(:[0-9]{1,5})?$",
        ...formatted("origin"),
      }),
      { maxItems: 20, uniqueItems: true },
    ),
  ),
});

export const accountFields = {
  attributes: {
    ...timestamps,
    "church-name": example("Grace Church Lisbon", named(200)),
    "settings": describe(settings, {
      description: "An update changes only the members it names, and null removes one.",
    }),
    "custom-properties": describe(customProperties, {
      description:
        "Custom field definitions by resource type and field name. An update changes only the fields it names. Null archives a field and keeps its values.",
      writableWith: { kind: "full-administrator" },
    }),
    "alias": readOnly(text({ maxLength: 79, pattern: ALIAS.source, examples: ["st-mark"] })),
    "status": readOnly(choice(["active", "inactive"])),
    "integration-approved": readOnly(boolean()),
    "acronym": optional(named(20)),
    "email": optional(email()),
    "phone": optional(text({ maxLength: 40 })),
    "website": optional(webAddress()),
    "address": optional(address()),
    "logo-url": readOnly(optional(webAddress())),
    "legal-acceptances": readOnly(
      list(
        object({
          "document": text({ maxLength: 80 }),
          "version": text({ maxLength: 40 }),
          "accepted-at": timestamp(),
          "accepted-by": optional(text({ maxLength: 36 })),
        }),
        { maxItems: 200 },
      ),
    ),
    "features": readOnly(map(boolean(), 200)),
  },

  relationships: authorship,
};

export type AccountFields = typeof accountFields;
