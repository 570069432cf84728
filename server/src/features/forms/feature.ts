import { forgetSender } from "./forget.ts";
import type { EventExamples, EventTypes } from "../../events/event-types.ts";
import type { Feature } from "../../jsonapi/definition/feature.ts";
import { linked, moved } from "../../jsonapi/sql/merge.ts";
import { findPublicForm, publicForms } from "./forms/public.ts";
import { senderSearches } from "./submissions/find-senders.ts";
import { submissionsOfVisitors } from "./submissions/of-visitors.ts";
import { formSubmissionChanges } from "./changes/definition.ts";
import { forms } from "./forms/definition.ts";
import { formChanges, formStatuses } from "./forms/statuses.ts";
import { formSubmissions } from "./submissions/definition.ts";
import { answersOf } from "./submissions/answers.ts";
import { processConfirmed } from "./submissions/process-confirmed.ts";
import { receiveSubmission } from "./submissions/receive-submission.ts";
import { submissionChanges, submissionStatuses } from "./submissions/statuses.ts";
import { sweepConsentHashes, sweepSubmissions } from "./submissions/sweep.ts";
import { formTotals } from "./totals/definition.ts";
import { formVersions } from "./versions/definition.ts";

const managed = [
  "forms:read",
  "forms:write",
  "form-submissions:read",
  "form-submissions:write",
] as const;

const permissions = [...managed, "forms:delete", "form-submissions:delete"] as const;

const readers = ["forms:read", "form-submissions:read"] as const;

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

declare module "../../jsonapi/definition/resource.ts" {
  interface Published {
    answersOf: typeof answersOf;
    findPublicForm: typeof findPublicForm;
    processConfirmed: typeof processConfirmed;
    receiveSubmission: typeof receiveSubmission;
  }
}

const events = {
  "form-submission.created": {
    description: "A form was submitted.",
    personal: "details",
    captured: true,
  },
  "form-submission.updated": {
    description: "A submission changed, for example because it was processed.",
    personal: "details",
    captured: true,
  },
} as const satisfies EventTypes;

const eventExamples: EventExamples = {
  "form-submission": {
    type: "form-submissions",
    attributes: {
      "submitted-at": "2026-03-01T09:30:00.000Z",
      "answers": { name: "Ana Souza", email: "ana.souza@graca.example" },
      "status": "new",
    },
    relationships: { form: "forms" },
    changed: ["status"],
  },
};

type DeclaredEvents = typeof events;
declare module "../../events/event-types.ts" {
  interface EventVocabulary extends DeclaredEvents {}
}

export const formsFeature: Feature = {
  types: [forms, formVersions, formSubmissions, formSubmissionChanges, formTotals],
  public: [publicForms],
  publicWrites: [submissionsOfVisitors],
  permissions,
  presets: {
    "administrator": permissions,
    "pastor": managed,
    "secretary": readers,
    "cell-supervisor": readers,
    "cell-leader": readers,
    "course-coordinator": managed,
    "form-manager": managed,
  },
  everyone: {
    // The forms that ask for a log-in, and those of the cells that the person is in.
    "forms:read": ["self", "public"],
    // One's own submissions.
    "form-submissions:write": "self",
    "form-submissions:read": "self",
  },
  events,
  eventExamples,
  states: [
    { type: "forms", statuses: formStatuses, changes: formChanges },
    { type: "form-submissions", statuses: submissionStatuses, changes: submissionChanges },
  ],
  jobs: [
    { name: "form-submissions", schedule: "50 3 * * *", run: sweepSubmissions },
    { name: "form-consent-hashes", schedule: "55 3 * * *", run: sweepConsentHashes },
  ],
  queues: [senderSearches],
  published: { answersOf, findPublicForm, processConfirmed, receiveSubmission },
  forget: forgetSender,
  personColumns: {
    "forms.owner_id": moved("forms"),
    "form_notified_people.person_id": linked("form_id"),
    "form_submissions.person_id": moved("form-submissions"),
    "form_submission_suggestions.person_id": linked("submission_id"),
  },
  tables: [
    "form_notified_people",
    "form_submission_change_submissions",
    "form_submission_suggestions",
  ],
};
