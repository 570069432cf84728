import { notAllowedHere } from "../../base/errors.ts";
import { can, fullAdministrator } from "../../access/policy.ts";
import { column } from "../../access/reach.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { replaceFile } from "../../jsonapi/sql/files.ts";
import { limits } from "../../base/limits.ts";
import { alreadyExists } from "../../jsonapi/definition/constraint-words.ts";
import { imageTypes } from "../../store/files/media-types.ts";
import { createPerson } from "./create-person.ts";
import { deletePerson } from "./delete-person.ts";
import { updatePerson } from "./update-person.ts";
import { membershipStatuses, administrativeStatuses, age, personFields } from "./fields.ts";
import { changes, isAnonymized, isOneself, mayChange } from "./may.ts";
import { customValuesSize } from "../../jsonapi/definition/custom-fields.ts";

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

/** The conditions under which a record lacks something. */
const lacks = {
  email: "people.email is null",
  phone: "people.phones = '[]'",
  birthdate: "people.birthdate is null",
  photo: "people.photo_id is null",
};

const lacking = Object.entries(lacks).map(
  ([name, condition]) => `case when ${condition} then '${name}' end`,
);

const statuses = membershipStatuses.map((one) => `'${one}'`).join(", ");

export const people = resource({
  type: "people",
  description: "A person in the account's records. A person can have a log-in.",
  table: "people",

  unchangeable: {
    where: "people.is_anonymized",
    code: "person-anonymized",
    detail: "This person was anonymized. The record stays as it is.",
  },

  ...personFields,

  filters: {
    "q": { match: "search", text: searchText, initials: "name_folded" },
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
    "birthday-from": { match: "day-from", column: "birthday", other: "birthday-to" },
    "birthday-to": { match: "day-to", column: "birthday", other: "birthday-from" },
    "age-min": { match: "at-least", column: age, minimum: 0, maximum: 150 },
    "age-max": { match: "at-most", column: age, minimum: 0, maximum: 150 },
    "administrative-status": {
      match: "one-of",
      column: "administrative_status",
      values: administrativeStatuses,
    },
    "has-login": { match: "boolean", column: "has_login" },
    "is-anonymized": { match: "boolean", column: "is_anonymized", otherwise: false },
    "missing": {
      match: "one-of",
      inArray: true,
      column: `(array[${lacking.join(", ")}])`,
      values: Object.keys(lacks),
    },
  },
  sorts: {
    "full-name": { column: "name_folded" },
    "created-at": { column: "id" },
    "modified-at": { column: "modified_at" },
    "birthdate": { column: "birthdate", nullable: true },
    "birth-month-day": { column: "birthday", nullable: true },
    // In the order in which people usually pass the statuses.
    "membership-status": {
      column: `array_position(array[${statuses}], people.membership_status)`,
      nullable: true,
    },
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
      allow: can("people:write", "person-contacts:write", "prospects:write"),
      description:
        "Holders of `prospects:write` correct prospects whom they created in the last 30 days.",
      ofCreators: {
        "prospects:write": column(
          "created_by",
          "people.membership_status = 'prospect' and people.created_at >= now() - interval '30 days'",
        ),
      },
      refuses: ["last-full-administrator", "person-anonymized"],
      allowedIf: mayChange,
      changesIf: changes,
      run: updatePerson,
    },
    delete: {
      allow: fullAdministrator,
      refuses: ["deleting-oneself", "last-full-administrator", "person-anonymized"],
      refusedIf: { "deleting-oneself": isOneself, "person-anonymized": isAnonymized },
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
      refuses: ["person-anonymized"],
      run: (context, id, file) => replaceFile(context, id, "photo-url", file),
      remove: (context, id) => replaceFile(context, id, "photo-url", null),
    },
  },
  reach: { self: column("id") },
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
    filters: ["q", "name", "phone", "birth-month", "birthday-from", "birthday-to"],
    names: ["full-name", "preferred-name"],
    namesFilters: ["name"],
  },
  aliases: { me: (actor) => actor.personId },
  customProperties: true,
  captures: { created: "person.created", updated: "person.updated", deleted: "person.deleted" },
  constraints: {
    ...customValuesSize("people"),
    people_email_key: alreadyExists(
      "/data/attributes/email",
      "Another person of this account has this e-mail address.",
    ),
    people_login_needs_email: {
      pointer: "/data/attributes/email",
      breaks: { rule: "required", hint: "A person with a log-in needs an e-mail address." },
    },
    people_birthday_agrees: {
      pointer: "/data/attributes/birth-month-day",
      breaks: notAllowedHere("Differs from the birthdate."),
    },
  },
});
