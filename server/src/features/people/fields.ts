import { fullAdministrator } from "../../access/policy.ts";
import { countryCode, localeTag } from "../../jsonapi/definition/codes.ts";
import { address, email, emergencyContact } from "../../jsonapi/definition/contact.ts";
import { phones } from "../../jsonapi/definition/phones.ts";
import {
  formatted,
  type Attribute,
  type AttributeMode,
  boolean,
  changesRights,
  choice,
  computed,
  counted,
  date,
  defaulted,
  describe,
  example,
  integer,
  list,
  map,
  object,
  optional,
  readOnly,
  selfEditable,
  lines,
  text,
  timestamp,
  timestamps,
  writableAlsoWith,
} from "../../jsonapi/definition/attributes.ts";
import { customValues } from "../../jsonapi/definition/custom-fields.ts";
import { fileLink } from "../../jsonapi/definition/files.ts";
import type { RowInput } from "../../jsonapi/definition/input.ts";
import { named } from "../../jsonapi/definition/names.ts";
import { authorship } from "../../jsonapi/definition/relationships.ts";

export const membershipStatuses = [
  "prospect",
  "visitor",
  "attender",
  "member",
  "former-member",
  "deceased",
] as const;

export const administrativeStatuses = ["none", "administrator", "full-administrator"] as const;

export const age = "age_of(people.birthdate)";

/** Visible only with a permission of its own, and never part of an event. */
const sensitive = <V, M extends AttributeMode>(attribute: Attribute<V, M>) =>
  describe(attribute, { readableWith: "person-details:read" });

export const personFields = {
  attributes: {
    ...timestamps,

    "full-name": writableAlsoWith(
      ["prospects:write"],
      example("Ana Souza", selfEditable(named(255))),
    ),
    "first-name": writableAlsoWith(
      ["prospects:write"],
      describe(selfEditable(optional(named(120))), {
        expression: "coalesce(people.first_name, substring(people.full_name from '\\S+'))",
        derivedFrom: ["full-name"],
        description: "Defaults to the first word of the full name.",
      }),
    ),
    "last-name": writableAlsoWith(
      ["prospects:write"],
      describe(selfEditable(optional(named(120))), {
        expression:
          "coalesce(people.last_name, substring(people.full_name from '\\S.*\\s(\\S+)\\s*$'))",
        derivedFrom: ["full-name"],
        description: "Defaults to the last word of the full name.",
      }),
    ),
    "preferred-name": writableAlsoWith(["prospects:write"], selfEditable(optional(named(100)))),
    "former-name": optional(named(120)),
    "sex": example("female", selfEditable(optional(choice(["female", "male"])))),
    "birthdate": example("1984-05-17", selfEditable(optional(date()))),
    "birth-month-day": writableAlsoWith(
      ["prospects:write"],
      describe(
        selfEditable(
          optional(
            text({
              maxLength: 5,
              pattern:
                "^((0[1-9]|1[0-2])-(0[1-9]|[12][0-9])|(0[13-9]|1[0-2])-30|(0[13578]|1[02])-31)$",
              ...formatted("day-of-year"),
            }),
          ),
        ),
        {
          expression: "people.birthday",
          derivedFrom: ["birthdate"],
          description: "`MM-DD`. Defaults to the birthdate. Set it alone if the year is unknown.",
        },
      ),
    ),
    "age": computed(optional(integer()), age),
    "is-child": computed(
      optional(boolean()),
      "is_child(people.birthdate, (select child_age_limit from account_facts account where account.account_id = people.account_id))",
    ),
    "deathdate": optional(date()),
    "marital-status": selfEditable(
      optional(
        choice(["single", "married", "engaged", "partnered", "separated", "divorced", "widowed"]),
      ),
    ),
    "wedding-date": selfEditable(optional(date())),
    "occupation": selfEditable(optional(text({ maxLength: 120 }))),
    "nationality": selfEditable(optional(countryCode())),
    "photo-url": describe(fileLink("people", "photo_id", "3600"), {
      description: "A signed link that stays the same for an hour.",
    }),

    "email": writableAlsoWith(
      ["prospects:write", "person-contacts:write"],
      describe(optional(email()), {
        example: "ana.souza@grace.example",
        description: "The log-in name, unique in the account. Case is ignored.",
      }),
    ),
    "other-emails": selfEditable(defaulted(list(email(), { maxItems: 5, uniqueItems: true }))),
    "phones": writableAlsoWith(
      ["prospects:write", "person-contacts:write"],
      example(
        [{ "number": "+351910000099", "label": "mobile", "is-whatsapp": true }],
        selfEditable(defaulted(phones())),
      ),
    ),
    "address": example(
      { street: "Rua das Flores", number: "12", city: "Lisboa", country: "PT" },
      selfEditable(optional(address())),
    ),
    "emergency-contact": selfEditable(optional(emergencyContact())),

    "membership-status": writableAlsoWith(
      ["prospects:write"],
      example("member", defaulted(choice(membershipStatuses))),
    ),
    "membership-status-changed-at": readOnly(optional(timestamp())),
    "member-since": optional(date()),
    "admission-method": optional(
      choice(["baptism", "profession", "transfer", "restoration", "other"]),
    ),
    "decision-date": optional(date()),
    "is-baptized": optional(boolean()),
    "baptism-date": optional(date()),
    "previous-church": optional(named(200)),
    "left-at": optional(date()),
    "left-reason": optional(text({ maxLength: 500 })),

    "identity-documents": sensitive(
      defaulted(
        list(
          object({
            kind: named(40),
            number: text({ minLength: 1, maxLength: 60 }),
            country: optional(countryCode()),
          }),
          { maxItems: 5 },
        ),
      ),
    ),
    "medical-notes": sensitive(optional(lines({ maxLength: 2_000 }))),

    "is-active": changesRights(
      { gainedBy: "select people.id", values: [true] },
      defaulted(boolean()),
    ),
    "deactivated-at": readOnly(optional(timestamp())),
    "administrative-status": describe(defaulted(choice(administrativeStatuses)), {
      writableWith: fullAdministrator,
      changesRights: {
        gainedBy: "select people.id",
        values: ["administrator", "full-administrator"],
      },
      initialValue: "none",
      description: "An account keeps at least one active full administrator.",
    }),
    "is-anonymized": describe(readOnly(boolean()), {
      description:
        "The record has no identity any more. Lists leave it out, and nothing changes it.",
    }),
    "has-login": readOnly(boolean()),
    "last-login-at": counted(optional(timestamp())),

    "locale": selfEditable(optional(localeTag())),
    "communication-preferences": selfEditable(
      defaulted(
        object({
          email: optional(boolean()),
          sms: optional(boolean()),
          whatsapp: optional(boolean()),
          phone: optional(boolean()),
          post: optional(boolean()),
        }),
      ),
    ),
    "directory-visibility": selfEditable(
      defaulted(
        object({
          address: optional(choice(["nobody", "cell", "members"])),
          email: optional(choice(["nobody", "cell", "members"])),
          phone: optional(choice(["nobody", "cell", "members"])),
          birthday: optional(choice(["nobody", "cell", "members"])),
        }),
      ),
    ),
    "consents": readOnly(
      list(
        object({
          "kind": text({ maxLength: 60 }),
          "version": text({ maxLength: 40 }),
          "granted-at": timestamp(),
          "revoked-at": optional(timestamp()),
          "source": optional(text({ maxLength: 60 })),
        }),
        { maxItems: 200 },
      ),
    ),
    "custom-properties": customValues(),
    "external-ids": defaulted(map(text({ minLength: 1, maxLength: 200 }), 10)),
    "merged-ids": readOnly({
      ...list(text({ maxLength: 36 }), { maxItems: 1_000 }),
      storage: "uuids",
    }),
  },

  relationships: authorship,
};

export type PersonFields = typeof personFields;

export type PersonValues = RowInput<PersonFields>["attributes"];
