import type { Feature } from "../../jsonapi/definition/feature.ts";
import { cells } from "./cells/definition.ts";
import { publicCells } from "./cells/public.ts";
import { cellClosings, cellReopenings } from "./closings/definition.ts";
import { eventExamples, events } from "./events.ts";
import { forgetMember } from "./forget.ts";
import { linked } from "../../jsonapi/sql/merge.ts";
import { sweepContacts } from "../../jsonapi/sql/visitor-requests.ts";
import { cellMembershipImporter } from "./import/importer.ts";
import { cellLinker } from "./import/linker.ts";
import { lockCellsOf } from "./lock-cells-of.ts";
import { addParticipant } from "./join-requests/add-participant.ts";
import { cellJoinRequests } from "./join-requests/definition.ts";
import { joinRequestsOfVisitors } from "./join-requests/of-visitors.ts";
import { lockCell } from "./memberships/locks.ts";
import { cellMemberships } from "./memberships/definition.ts";
import { cellAttendances } from "./meetings/attendances.ts";
import { cellMeetings } from "./meetings/definition.ts";
import { cellReportSummaries, cellReportTotals } from "./meetings/summaries.ts";
import { planAllMeetings } from "./meetings/plan-meetings.ts";
import {
  leadershipGained,
  mergeAttendances,
  mergeJoinRequests,
  mergeMemberships,
} from "./merge.ts";
import { cellMultiplications } from "./multiplications/definition.ts";
import { requestChanges, requestStatuses } from "./join-requests/statuses.ts";
import { meetingChanges, meetingStatuses } from "./meetings/statuses.ts";
import { membershipChanges, membershipStatuses } from "./memberships/statuses.ts";
import { multiplicationChanges, multiplicationStatuses } from "./multiplications/statuses.ts";
import { cellsOfPeople } from "./on-people.ts";
import { cellTransfers } from "./transfers/definition.ts";
import { permissions, presets } from "./permissions.ts";

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

declare module "../../access/scopes.ts" {
  interface Scopes {
    "cell": true;
    "cell-tree": true;
  }
}

declare module "../../jsonapi/definition/resource.ts" {
  interface Published {
    addParticipant: typeof addParticipant;
    cellLinker: typeof cellLinker;
    lockCell: typeof lockCell;
    lockCellsOf: typeof lockCellsOf;
    cellMembershipImporter: typeof cellMembershipImporter;
    leadershipGained: typeof leadershipGained;
  }
}

export const cellsFeature: Feature = {
  types: [
    cells,
    cellClosings,
    cellReopenings,
    cellMemberships,
    cellTransfers,
    cellJoinRequests,
    cellMultiplications,
    cellMeetings,
    cellAttendances,
    cellReportSummaries,
    cellReportTotals,
  ],
  extends: { people: cellsOfPeople },
  public: [publicCells],
  publicWrites: [joinRequestsOfVisitors],
  permissions,
  scopes: {
    "cell": { type: "cells" },
    "cell-tree": {
      type: "cells",
      follows: { scope: "cell", table: "cell_ancestors", from: "ancestor_id", to: "cell_id" },
    },
  },
  presets,
  everyone: {
    // The public cells, and the cells that the person is in.
    "cells:read": ["self", "public"],
    // People end their own memberships, and create and cancel their own requests.
    "cell-memberships:write": "self",
    "cell-join-requests:write": "self",
    // One's own attendances. Meetings have no path from a person.
    "cell-meetings:read": "self",
  },
  events,
  eventExamples,
  states: [
    { type: "cell-memberships", statuses: membershipStatuses, changes: membershipChanges },
    { type: "cell-join-requests", statuses: requestStatuses, changes: requestChanges },
    { type: "cell-meetings", statuses: meetingStatuses, changes: meetingChanges },
    {
      type: "cell-multiplications",
      statuses: multiplicationStatuses,
      changes: multiplicationChanges,
    },
  ],
  jobs: [
    { name: "cell-meetings", schedule: "30 3 * * *", run: planAllMeetings },
    {
      name: "cell-join-request-contacts",
      schedule: "40 3 * * *",
      run: sweepContacts("cell_join_requests", ["contact"]),
    },
  ],
  keptColumns: ["cell_memberships.person_id", "cell_attendances.person_id"],
  forget: forgetMember,
  published: {
    addParticipant,
    cellLinker,
    cellMembershipImporter,
    leadershipGained,
    lockCell,
    lockCellsOf,
  },
  personColumns: {
    "cell_memberships.person_id": mergeMemberships,
    "cell_attendances.person_id": mergeAttendances,
    "cell_join_requests.person_id": mergeJoinRequests,
    "cell_multiplication_leaders.person_id": linked("multiplication_id"),
    "cell_multiplication_members.person_id": linked("multiplication_id"),
  },
  tables: [
    "cell_ancestors",
    "cell_attendances",
    "cell_meetings",
    "cell_multiplication_leaders",
    "cell_multiplication_members",
    "cell_transfer_memberships",
    "cell_trees",
  ],
};
