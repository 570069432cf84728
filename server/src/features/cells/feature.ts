import type { Feature } from "../../jsonapi/definition/feature.ts";
import { cellMemberships, cells } from "./definition.ts";
import { eventExamples, events } from "./events.ts";
import { linked } from "../../jsonapi/sql/merge.ts";
import { cellAttendances } from "./meetings/attendances.ts";
import { cellMeetings } from "./meetings/definition.ts";
import { planAllMeetings } from "./meetings/plan.ts";
import { mergeAttendances, mergeJoinRequests, mergeMemberships } from "./merge.ts";

const permissions = [
  "cells:read",
  "cell-memberships:read",
  "cell-meetings:read",
  "cell-meetings:write",
  "cell-meetings:report",
] as const;

const readingAll = ["cells:read", "cell-memberships:read", "cell-meetings:read"] as const;

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

export const cellsFeature: Feature = {
  types: [cells, cellMemberships, cellMeetings, cellAttendances],
  permissions,
  presets: {
    "administrator": permissions,
    "pastor": permissions,
    "secretary": readingAll,
    "cell-supervisor": permissions,
    "cell-leader": permissions,
    "cell-trainee": readingAll,
  },
  everyone: {
    "cell-memberships:read": "self",
    // One's own attendances. Meetings have no path from a person.
    "cell-meetings:read": "self",
  },
  events,
  eventExamples,
  jobs: [{ name: "cell-meetings", schedule: "30 3 * * *", run: planAllMeetings }],
  personColumns: {
    "cell_memberships.person_id": mergeMemberships,
    "cell_attendances.person_id": mergeAttendances,
    "cell_join_requests.person_id": mergeJoinRequests,
    "cell_multiplication_leaders.person_id": linked(
      "cell_multiplication_leaders",
      "multiplication_id",
    ),
    "cell_multiplication_members.person_id": linked(
      "cell_multiplication_members",
      "multiplication_id",
    ),
  },
  tables: [
    "cell_ancestors",
    "cell_attendances",
    "cell_closings",
    "cell_join_requests",
    "cell_meetings",
    "cell_multiplication_leaders",
    "cell_multiplication_members",
    "cell_multiplications",
    "cell_reopenings",
  ],
  demo: async (account) => (await import("./demo.ts")).addDemo(account),
  seed: async (account) => (await import("./seed.ts")).addSeed(account),
};
