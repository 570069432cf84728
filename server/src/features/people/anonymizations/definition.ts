import { administrator } from "../../../access/policy.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { isOneself, mayAnonymize } from "../may.ts";
import { createAnonymization } from "./create-anonymization.ts";
import { anonymizationFields } from "./fields.ts";

export const personAnonymizations = resource({
  type: "person-anonymizations",
  description: "The removal of a person's identity from a record that stays. It is final.",
  table: "person_anonymizations",
  ...anonymizationFields,
  filters: { person: { match: "id", column: "person_id" } },
  sorts: timeSorts,
  defaultSort: "-created-at",
  operations: {
    list: administrator,
    read: administrator,
    create: {
      allow: administrator,
      refuses: ["deleting-oneself", "last-full-administrator"],
      description:
        "Removes names, contacts, notes, answers and all other values. Memberships, attendances, enrollments and completions stay without a name. People who outrank the caller are refused (403).",
      idsAreLiteral: true,
      actsOn: {
        person: {
          anonymize: { allowedIf: mayAnonymize, refusedIf: { "deleting-oneself": isOneself } },
        },
      },
      run: createAnonymization,
    },
  },
});
