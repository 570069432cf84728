import type { Permission } from "../../access/permissions.ts";
import { can, fullAdministrator } from "../../access/policy.ts";
import { column, via } from "../../access/reach.ts";
import { countryCode, localeTag } from "../../jsonapi/definition/codes.ts";
import { address, email, emergencyContact, phones } from "../../jsonapi/definition/contact.ts";
import {
  type Attribute,
  type AttributeMode,
  boolean,
  choice,
  computed,
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
  text,
  timestamp,
  writableAlsoWith,
} from "../../jsonapi/definition/attributes.ts";
import { customValues } from "../../jsonapi/definition/custom-fields.ts";
import { fileLink } from "../../jsonapi/definition/files.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { named } from "../../jsonapi/definition/names.ts";
import { replaceFile } from "../../jsonapi/sql/files.ts";
import { limits } from "../../base/limits.ts";
import { imageTypes } from "../../store/files/media-types.ts";
import { createPerson } from "./create-person.ts";
import { deletePerson } from "./delete-person.ts";
import { updatePerson } from "./update-person.ts";
import { authorship } from "../../jsonapi/definition/relationships.ts";

const membershipStatuses = [
  "prospect",
  "visitor",
  "attender",
  "member",
  "former-member",
  "deceased",
] as const;

const administrativeStatuses = ["none", "administrator", "full-administrator"] as const;

const age = "age_of(people.birthdate)";

/** Visible only with a permission of its own, and never part of an event. */
const sensitive = <V, M extends AttributeMode>(of: Attribute<V, M>) =>
  describe(of, { readableWith: "person-details:read" as Permission });

/** Until a prospect joins a cell, the person who created the record keeps reaching it. */
const prospectWithoutCell = `x.membership_status = 'prospect' and not exists (select from active_cell_memberships m
  where m.account_id = x.account_id and m.person_id = x.id)`;

/** Names, e-mail addresses and telephone numbers, with a trigram index. */
const searchText = {
  table: "person_search",
  from: "person_id",
  column: "words",
  shown:
    "person_search_text(people.full_name, people.preferred_name, people.email, '[]', people.phones)",
};

const phoneDigits =
  "(select string_agg(digits(p ->> 'number'), ' ') from jsonb_array_elements(people.phones) p)";

export const people = resource({
  type: "people",
  description: "A person in the account's records. A person can have a log-in.",
  table: "people",

  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),

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
              description: "a day of the year as MM-DD",
              examples: ["05-17"],
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
    "medical-notes": sensitive(optional(text({ maxLength: 2_000 }))),

    "is-active": defaulted(boolean()),
    "deactivated-at": readOnly(optional(timestamp())),
    "administrative-status": describe(defaulted(choice(administrativeStatuses)), {
      writableWith: fullAdministrator,
      initialValue: "none",
      description: "An account keeps at least one active full administrator.",
    }),
    "has-login": readOnly(boolean()),
    "last-login-at": readOnly(optional(timestamp())),

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

  filters: {
    "q": { match: "search", text: searchText },
    "name": { match: "contains", column: "name_folded", covered: searchText },
    "email": { match: "equals-text", column: "email", by: "lower" },
    "phone": { match: "digits", column: phoneDigits, covered: searchText },
    "membership-status": {
      match: "one-of",
      column: "membership_status",
      values: membershipStatuses,
    },
    "is-active": { match: "boolean", column: "is_active" },
    "sex": { match: "one-of", column: "sex", values: ["female", "male"] },
    "is-baptized": { match: "boolean", column: "is_baptized" },
    "birth-month": {
      match: "number",
      column: "left(people.birthday, 2)::int",
      minimum: 1,
      maximum: 12,
    },
    "age-min": { match: "at-least", column: age, minimum: 0, maximum: 150 },
    "age-max": { match: "at-most", column: age, minimum: 0, maximum: 150 },
    "administrative-status": {
      match: "one-of",
      column: "administrative_status",
      values: administrativeStatuses,
    },
  },
  sorts: {
    "full-name": { column: "name_folded" },
    "created-at": { column: "id" },
    "modified-at": { column: "modified_at" },
    "birthdate": { column: "birthdate", nullable: true },
    "birth-month-day": { column: "birthday", nullable: true },
  },
  defaultSort: "full-name",

  operations: {
    list: can("people:read"),
    read: can("people:read"),
    create: {
      allow: can("people:write"),
      anyScope: ["prospects:write"],
      description: "Holders of `prospects:write` create prospects.",
      run: createPerson,
    },
    update: {
      allow: can("people:write", "person-contacts:write"),
      refuses: ["last-full-administrator"],
      run: updatePerson,
    },
    delete: {
      allow: fullAdministrator,
      refuses: ["deleting-oneself", "last-full-administrator"],
      run: deletePerson,
    },
  },
  files: {
    photo: {
      description: "A photo of 512 × 512 pixels. Needs the same permission as the names.",
      allow: can("people:write"),
      types: imageTypes,
      bytesMax: limits.imageBytesMax,
      image: { width: 512, height: 512 },
      run: (context, id, file) => replaceFile(context, id, "photo-url", file),
      remove: (context, id) => replaceFile(context, id, "photo-url", null),
    },
  },
  reach: {
    "self": column("id"),
    "creator": via("people", { from: "id", to: "created_by", where: prospectWithoutCell }),
  },
  reduced: {
    fullWith: "person-details:read",
    members: [
      "full-name",
      "first-name",
      "last-name",
      "preferred-name",
      "photo-url",
      "phones",
      "email",
      "birth-month-day",
      "is-child",
      "membership-status",
      "is-active",
      "created-at",
      "modified-at",
    ],
    filters: ["q", "name", "phone", "birth-month"],
  },
  aliases: { me: (actor) => actor.personId },
  customProperties: true,
  captures: { created: "person.created", updated: "person.updated", deleted: "person.deleted" },
  constraints: {
    people_custom_properties_size: {
      pointer: "/data/attributes/custom-properties",
      detail: "All fields together must not exceed 64 KiB.",
    },
    people_email_key: {
      pointer: "/data/attributes/email",
      detail: "Another person of this account has this e-mail address.",
      code: "already-exists",
    },
    people_login_needs_email: {
      pointer: "/data/attributes/email",
      detail: "A person with a log-in needs an e-mail address.",
    },
    people_birthday_agrees: {
      pointer: "/data/attributes/birth-month-day",
      detail: "Differs from the birthdate.",
    },
  },
});
