/** How much a snapshot tells about a person, for whoever decides which receiver may have it. */
export const personalDataLevels = {
  none: "Nobody.",
  ids: "Who it is about, by id alone.",
  details: "Name, contact and the like.",
} as const;

export interface EventTypeDefinition {
  description: string;
  personal: keyof typeof personalDataLevels;
  /** Some write tells it today. The others are there to be subscribed to, and come with what they are about. */
  captured?: true;
  /** The version of the service that first had it; the first of all unless said otherwise. */
  since?: string;
}

/**
 * Every kind of event there is. `webhook.verification` and `webhook.test` are control messages, not events: nobody
 * subscribes to them.
 */
export const eventTypes = {
  "person.created": { description: "A person was added.", personal: "details", captured: true },
  "person.updated": {
    description: "A person's record changed.",
    personal: "details",
    captured: true,
  },
  "person.merged": { description: "Records of one person became one.", personal: "details" },
  "person.deleted": {
    description: "A person was removed for good.",
    personal: "ids",
    captured: true,
  },
  "person.deactivated": {
    description: "A person can no longer log in or be active.",
    personal: "details",
    captured: true,
  },
  "person.reactivated": {
    description: "A deactivated person is active again.",
    personal: "details",
    captured: true,
  },
  "person.anonymized": { description: "A person's identity was erased.", personal: "ids" },
  "household.created": { description: "A household was added.", personal: "details" },
  "household.updated": { description: "A household changed.", personal: "details" },
  "household.deleted": { description: "A household was removed.", personal: "ids" },
  "cell.created": { description: "A cell was added.", personal: "ids" },
  "cell.updated": { description: "A cell changed.", personal: "ids" },
  "cell.deleted": { description: "A cell was removed.", personal: "none" },
  "cell.closed": { description: "A cell was closed.", personal: "ids" },
  "cell.reopened": { description: "A closed cell meets again.", personal: "ids" },
  "cell.multiplied": { description: "A cell became two.", personal: "ids" },
  "cell-membership.created": { description: "A person joined a cell.", personal: "ids" },
  "cell-membership.updated": { description: "A person's part in a cell changed.", personal: "ids" },
  "cell-membership.ended": { description: "A person left a cell.", personal: "ids" },
  "cell-join-request.created": {
    description: "Somebody asked to join a cell.",
    personal: "details",
  },
  "cell-join-request.decided": {
    description: "A request to join a cell was decided.",
    personal: "ids",
  },
  "cell-meeting.created": { description: "A meeting was planned.", personal: "none" },
  "cell-meeting.updated": { description: "A meeting changed.", personal: "none" },
  "cell-meeting.deleted": { description: "A meeting was removed.", personal: "none" },
  "cell-meeting.reported": { description: "A meeting's report came in.", personal: "ids" },
  "course.created": { description: "A course was added.", personal: "ids", captured: true },
  "course.updated": { description: "A course changed.", personal: "ids", captured: true },
  "course.deleted": {
    description: "A course was removed for good.",
    personal: "none",
    captured: true,
  },
  "course-lesson.created": { description: "A lesson was added.", personal: "none" },
  "course-lesson.updated": { description: "A lesson changed.", personal: "none" },
  "course-lesson.deleted": { description: "A lesson was removed.", personal: "none" },
  "course-class.created": { description: "A class was added.", personal: "ids" },
  "course-class.updated": { description: "A class changed.", personal: "ids" },
  "course-class.deleted": { description: "A class was removed.", personal: "none" },
  "course-class.started": { description: "A class began.", personal: "ids" },
  "course-class.finished": { description: "A class ended.", personal: "ids" },
  "course-enrollment.created": { description: "A person enrolled.", personal: "ids" },
  "course-enrollment.updated": { description: "An enrollment changed.", personal: "ids" },
  "course-enrollment.deleted": { description: "An enrollment was removed.", personal: "none" },
  "course-enrollment.completed": { description: "A person finished a course.", personal: "ids" },
  "course-enrollment.withdrawn": {
    description: "A person withdrew from a course.",
    personal: "ids",
  },
  "course-attendance.recorded": {
    description: "A class' attendance was recorded.",
    personal: "ids",
  },
  "course-material.created": { description: "A material was added.", personal: "none" },
  "course-material.updated": { description: "A material changed.", personal: "none" },
  "course-material.deleted": { description: "A material was removed.", personal: "none" },
  "course-task-completion.created": { description: "A task was handed in.", personal: "ids" },
  "course-task-completion.updated": {
    description: "A handed-in task was reviewed.",
    personal: "ids",
  },
  "certificate.issued": { description: "A certificate was issued.", personal: "details" },
  "certificate.revoked": { description: "A certificate was revoked.", personal: "details" },
  "form-submission.created": { description: "A form was filled in.", personal: "details" },
  "form-submission.updated": { description: "A submission was processed.", personal: "details" },
  "account.updated": {
    description: "The church's account changed.",
    personal: "none",
    captured: true,
  },
  "note.created": { description: "A note was written; its text is never sent.", personal: "ids" },
  "people-list.refreshed": {
    description: "A list of people was worked out anew.",
    personal: "none",
  },
  "import-job.completed": { description: "An import finished.", personal: "none" },
  "role-assignment.created": {
    description: "A person was given a role.",
    personal: "ids",
    captured: true,
  },
  "role-assignment.deleted": {
    description: "A role was taken from a person.",
    personal: "ids",
    captured: true,
  },
} as const satisfies Record<string, EventTypeDefinition>;

export type EventType = keyof typeof eventTypes;

/** Those that may be told: whoever begins to tell another has to mark it, and so the catalogue stays true. */
export type CapturedType = {
  [Type in EventType]: (typeof eventTypes)[Type] extends { captured: true } ? Type : never;
}[EventType];
