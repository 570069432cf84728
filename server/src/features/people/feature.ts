import type { Feature } from "../../jsonapi/definition/feature.ts";
import { createProspect } from "./create-prospect.ts";
import { people } from "./definition.ts";
import { moved } from "../../jsonapi/sql/merge.ts";
import { personDuplicates } from "./duplicates/definition.ts";
import { duplicatesQueue } from "./duplicates/find-duplicates.ts";
import { personAnonymizations } from "./anonymizations/definition.ts";
import { personMerges } from "./merges/definition.ts";
import { eventExamples, events } from "./events.ts";
import { peopleImporter } from "./import/importer.ts";
import { findKnownPerson } from "./known-person.ts";
import { findPeople } from "./import/match.ts";
import { newNames } from "./new-names.ts";
import { lockPersonOf } from "./person-of-address.ts";
import { acceptProposed, changesFor, createProposed, findLikePeople } from "./proposals.ts";

const permissions = [
  "people:read",
  "people:write",
  "people:merge",
  "person-details:read",
  "person-contacts:write",
  "prospects:write",
] as const;

const leader = ["people:read", "person-contacts:write", "prospects:write"] as const;

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

declare module "../../jsonapi/definition/resource.ts" {
  interface Published {
    acceptProposed: typeof acceptProposed;
    changesFor: typeof changesFor;
    createProposed: typeof createProposed;
    findLikePeople: typeof findLikePeople;
    createProspect: typeof createProspect;
    findKnownPerson: typeof findKnownPerson;
    findPeople: typeof findPeople;
    lockPersonOf: typeof lockPersonOf;
    newNames: typeof newNames;
    peopleImporter: typeof peopleImporter;
  }
}

export const peopleFeature: Feature = {
  types: [people, personMerges, personDuplicates, personAnonymizations],
  permissions,
  presets: {
    "administrator": permissions,
    "pastor": permissions,
    "secretary": ["people:read", "people:write", "people:merge", "person-details:read"],
    "cell-supervisor": leader,
    "cell-leader": leader,
    "course-coordinator": ["people:read"],
    "teacher": ["people:read"],
  },
  everyone: {
    "people:read": "self",
    "people:write": "self",
    "person-details:read": "self",
  },
  events,
  eventExamples,
  published: {
    acceptProposed,
    changesFor,
    createProposed,
    createProspect,
    findKnownPerson,
    findLikePeople,
    findPeople,
    lockPersonOf,
    newNames,
    peopleImporter,
  },
  personColumns: {
    "person_search.person_id": "deleted",
    "person_match_keys.person_id": "deleted",
    "person_duplicates.person_id": "deleted",
    "person_duplicates.other_id": "deleted",
    "person_merges.kept_id": moved("person-merges"),
    "person_anonymizations.person_id": "deleted",
  },
  keptColumns: ["person_anonymizations.person_id"],
  tables: ["person_search", "person_match_keys", "person_merge_removed"],
  queues: [duplicatesQueue],
};
