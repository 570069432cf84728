import { can } from "../access/policy.ts";
import {
  boolean,
  choice,
  describe,
  integer,
  list,
  map,
  object,
  optional,
  readOnly,
  text,
  timestamp,
} from "../jsonapi/attributes.ts";
import { authorship, resource } from "../jsonapi/resource.ts";
import { address, email, webAddress } from "../contact.ts";
import { ALIAS } from "./create-account.ts";
import { customProperties } from "./custom-property-definitions.ts";
import { updateAccount } from "./update-account.ts";

const localeTag = text({
  maxLength: 35,
  pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
  examples: ["pt-BR"],
});

const settings = object({
  "lang": optional(localeTag),
  "time-zone": optional(
    text({
      maxLength: 64,
      pattern: "^[A-Za-z_]+(/[A-Za-z0-9_+-]+)*$",
      examples: ["America/Sao_Paulo"],
    }),
  ),
  "country": optional(text({ maxLength: 2, pattern: "^[A-Z]{2}$", examples: ["BR"] })),
  "currency": optional(text({ maxLength: 3, pattern: "^[A-Z]{3}$", examples: ["BRL"] })),
  "date-format": optional(text({ maxLength: 20 })),
  "time-format": optional(choice(["12h", "24h"])),
  "first-weekday": optional(integer({ minimum: 0, maximum: 6 })),
  "cell-label": optional(text({ maxLength: 40 })),
  "cells-label": optional(text({ maxLength: 40 })),
  "cell-levels": optional(
    list(
      object({
        level: integer({ minimum: 1, maximum: 5 }),
        label: text({ minLength: 1, maxLength: 40 }),
      }),
      { maxItems: 5 },
    ),
  ),
  "report-due-hours": optional(integer({ minimum: 0, maximum: 168 })),
  "member-statuses": optional(
    map(text({ maxLength: 40 }), {
      keys: "^(prospect|visitor|attender|member|former-member|deceased)$",
      maxProperties: 6,
    }),
  ),
  // Under this age a person counts as a child; 13 where a church does not say (docs/decisions).
  "child-age-limit": optional(integer({ minimum: 0, maximum: 21 })),
  "public-origins": optional(
    list(text({ maxLength: 255, pattern: "^https://[a-z0-9.-]+(:[0-9]{1,5})?$" }), {
      maxItems: 20,
      uniqueItems: true,
    }),
  ),
});

/** The church itself. */
export const accounts = resource({
  type: "accounts",
  description: "A church: its name, its settings and the fields it defines for itself.",
  table: "accounts",
  tenantColumn: "id",

  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    "church-name": text({ minLength: 1, maxLength: 200 }),
    "settings": describe(settings, {
      description: "Members that are sent replace theirs; null removes one; the others stay.",
    }),
    "custom-properties": describe(customProperties, {
      description:
        "Resource, field, definition. Fields that are sent replace theirs; null archives one and keeps its values.",
      writableWith: { kind: "full-administrator" },
    }),
    "alias": readOnly(text({ maxLength: 79, pattern: ALIAS.source, examples: ["st-mark"] })),
    "status": readOnly(choice(["active", "inactive"])),
    "integration-approved": readOnly(boolean()),
    "acronym": optional(text({ maxLength: 20 })),
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
    "features": readOnly(map(boolean(), { keys: "^[a-z][a-z0-9-]*$", maxProperties: 200 })),
  },

  relationships: authorship,

  filters: {},
  sorts: { "created-at": { column: "created_at" }, "modified-at": { column: "modified_at" } },
  defaultSort: "id",

  operations: {
    list: can("read", "accounts"),
    read: can("read", "accounts"),
    update: { allow: can("write", "accounts"), run: updateAccount },
  },
  aliases: { me: (actor) => actor.accountId },
  captures: { updated: "account.updated" },
});
