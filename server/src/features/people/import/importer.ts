import type { Importer } from "../../../jsonapi/definition/importer.ts";
import { linkers } from "./links.ts";
import { planPeople } from "./plan-people.ts";
import { undoPeople } from "./undo.ts";
import { writePeople } from "./write-people.ts";

/** Takes the people of a file. */
export const peopleImporter = {
  type: "people",
  needs: ["people:write"],
  // Attributes that affect log-ins, and lists of objects, which no cell can hold.
  excluded: ["administrative-status", "is-active", "identity-documents"],
  lists: {
    "phone": { attribute: "phones", member: "number" },
    "other-email": { attribute: "other-emails" },
  },
  daysOfYear: { birthdate: "birth-month-day" },
  columns: {},
  linkers,
  matches: {
    "email": ["email"],
    "phone": ["phone"],
    "external-id": ["external-ids."],
    "name-birthdate": ["full-name", "birthdate"],
  },
  plan: planPeople,
  write: writePeople,
  undo: undoPeople,
} satisfies Importer;
