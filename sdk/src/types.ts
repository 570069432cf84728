// `npm run generate` derives this file from the definitions of the service. Do not edit it.

/** A reference to a record. */
export interface Identifier<T extends ResourceType = ResourceType> {
  id: string;
  $type: T;
}

/** The members of every record. */
export interface Base<T extends ResourceType> extends Identifier<T> {
  /** The version. A change that sends it fails if somebody else has changed the record since. */
  $etag?: string;
  $meta?: Meta;
}

/** Facts about a record that are not part of it, such as a secret that is shown once. */
export interface Meta {
  may?: May;
  [name: string]: unknown;
}

/** The changes that the caller may make. Another value than `true` is the code of the error. */
export interface May {
  /** The attributes and relationships that the caller may change. */
  update?: string[];
  delete?: boolean | ErrorCode;
  actions?: Record<string, boolean | ErrorCode>;
}

/** A record in a request: the record itself, its identifier or its id. */
export type Reference<T extends ResourceType> = string | { readonly id: string; readonly $type?: T };

/** The subject of an event. A large snapshot omits members, which the event lists. */
export type Snapshot<T extends ResourceType> = Identifier<T> & Partial<Omit<Types[T]["record"], keyof Base<T>>>;

/** One value, or several of which any can match. */
export type AnyOf<V> = V | readonly V[];


export type ErrorCode =
  | "malformed-request"
  | "malformed-json"
  | "malformed-document"
  | "too-deep"
  | "invalid-parameter"
  | "unknown-parameter"
  | "invalid-header"
  | "idempotency-key-required"
  | "too-many-included"
  | "request-timeout"
  | "credentials-missing"
  | "credentials-invalid"
  | "other-person"
  | "client-token-missing"
  | "client-token-invalid"
  | "login-failed"
  | "cross-site-request"
  | "report-closed"
  | "link-invalid"
  | "church-not-approved"
  | "integration-not-allowed"
  | "account-inactive"
  | "forbidden"
  | "client-id-unsupported"
  | "client-token-unsupported"
  | "origin-not-allowed"
  | "not-found"
  | "person-found"
  | "person-anonymized"
  | "person-merged"
  | "method-not-allowed"
  | "not-acceptable"
  | "choose-account"
  | "conflict"
  | "type-mismatch"
  | "id-mismatch"
  | "stale-version"
  | "already-exists"
  | "idempotency-key-reused"
  | "secret-superseded"
  | "email-missing"
  | "address-unconfirmed"
  | "last-full-administrator"
  | "deleting-oneself"
  | "custom-property-in-use"
  | "invalid-transition"
  | "limit-reached"
  | "participant-elsewhere"
  | "cell-closed"
  | "cell-has-children"
  | "class-full"
  | "class-not-open"
  | "enrollment-closed"
  | "not-eligible-to-graduate"
  | "requests-closed"
  | "form-token-used"
  | "enrollment-not-active"
  | "session-cancelled"
  | "form-version-changed"
  | "still-referenced"
  | "duplicate-url"
  | "too-many-endpoints"
  | "endpoint-not-verified"
  | "endpoint-paused"
  | "endpoint-security-paused"
  | "endpoint-not-subscribed"
  | "endpoint-deleted"
  | "stale-secret-generation"
  | "secret-overlap-active"
  | "delivery-not-production"
  | "delivery-not-failed"
  | "event-expired"
  | "position-expired"
  | "reach-changed"
  | "form-closed"
  | "body-too-large"
  | "unsupported-media-type"
  | "range-not-satisfiable"
  | "expectation-failed"
  | "invalid-attribute"
  | "missing-attribute"
  | "unknown-attribute"
  | "read-only-attribute"
  | "invalid-relationship"
  | "unknown-relationship"
  | "missing-relationship"
  | "file-type-mismatch"
  | "requirements-unmet"
  | "token-invalid"
  | "form-token-invalid"
  | "proof-invalid"
  | "wrong-password"
  | "url-unresolvable"
  | "invalid-text"
  | "precondition-required"
  | "rate-limited"
  | "action-limit-exceeded"
  | "login-throttled"
  | "headers-too-large"
  | "internal"
  | "unavailable";

/** The rule that a value breaks, with the values of the rule. */
export type Rule =
  | { rule: "required" | "not-blank" | "unknown" | "read-only" | "repeated" | "not-found" | "not-allowed-here" }
  | { rule: "max-length" | "min-length" | "max-items" | "min-items" | "max" | "min"; limit: number }
  | { rule: "too-common"; part: "list" | "names" | "email" | "church" }
  | { rule: "type"; type: "array" | "boolean" | "integer" | "number" | "object" | "string" }
  | { rule: "format"; format: ErrorFormat }
  | { rule: "one-of"; allowed?: readonly string[] }
  | { rule: "in-the-future" | "too-late" | "too-early"; limit: string }
  | { rule: "after" | "not-below"; other: string };

export interface Types {
  "accounts": AccountType;
  "people": PersonType;
  "person-merges": PersonMergeType;
  "person-duplicates": PersonDuplicateType;
  "person-anonymizations": PersonAnonymizationType;
  "households": HouseholdType;
  "household-memberships": HouseholdMembershipType;
  "tags": TagType;
  "courses": CourseType;
  "course-lessons": CourseLessonType;
  "course-classes": CourseClassType;
  "course-sessions": CourseSessionType;
  "course-session-plans": CourseSessionPlanType;
  "course-materials": CourseMaterialType;
  "material-attachments": MaterialAttachmentType;
  "course-requirements": CourseRequirementType;
  "course-enrollments": CourseEnrollmentType;
  "course-enrollment-requests": CourseEnrollmentRequestType;
  "course-attendances": CourseAttendanceType;
  "course-attendance-sheets": CourseAttendanceSheetType;
  "course-tasks": CourseTaskType;
  "course-task-completions": CourseTaskCompletionType;
  "cells": CellType;
  "cell-closings": CellClosingType;
  "cell-reopenings": CellReopeningType;
  "cell-memberships": CellMembershipType;
  "cell-transfers": CellTransferType;
  "cell-join-requests": CellJoinRequestType;
  "cell-multiplications": CellMultiplicationType;
  "cell-meetings": CellMeetingType;
  "cell-attendances": CellAttendanceType;
  "cell-report-summaries": CellReportSummaryType;
  "cell-report-totals": CellReportTotalType;
  "forms": FormType;
  "form-versions": FormVersionType;
  "form-submissions": FormSubmissionType;
  "form-submission-changes": FormSubmissionChangeType;
  "form-totals": FormTotalType;
  "notes": NoteType;
  "import-jobs": ImportJobType;
  "import-rows": ImportRowType;
  "import-runs": ImportRunType;
  "import-undos": ImportUndoType;
  "roles": RoleType;
  "role-assignments": RoleAssignmentType;
  "person-invitations": PersonInvitationType;
  "audit-entries": AuditEntryType;
  "webhook-endpoints": WebhookEndpointType;
  "webhook-endpoint-changes": WebhookEndpointChangeType;
  "webhook-endpoint-secret-rotations": WebhookEndpointSecretRotationType;
  "webhook-replays": WebhookReplayType;
  "webhook-events": WebhookEventType;
  "webhook-deliveries": WebhookDeliveryType;
  "access-tokens": AccessTokenType;
  "webhook-event-types": WebhookEventTypeResourceType;
}

export type ResourceType = keyof Types;

/** An action that is requested by creating it. The answer is a record of another type. */
export interface Commands {
  "webhook-endpoint-verifications": { answers: "webhook-deliveries"; create: NewWebhookEndpointVerification };
  "webhook-test-deliveries": { answers: "webhook-deliveries"; create: NewWebhookTestDelivery };
  "webhook-redeliveries": { answers: "webhook-deliveries"; create: NewWebhookRedelivery };
}

/** An action without an answer. */
export interface Actions {
  "password-changes": { "current-password": string; "new-password": string };
  "password-resets": { "username": string; "account"?: string | undefined };
  "password-reset-confirmations": { "token": string; "new-password": string };
  "access-token-revocations": { "keep-current"?: boolean | undefined; "person": Reference<"people"> };
}

/** The types of events and the types of their subjects. */
export interface Events {
  /** The account changed. */
  "account.updated": Snapshot<"accounts">;
  /** A person was added. */
  "person.created": Snapshot<"people">;
  /** A person's record changed. */
  "person.updated": Snapshot<"people">;
  /** Duplicate records of a person were merged. */
  "person.merged": Snapshot<"people">;
  /** A person was deleted. */
  "person.deleted": Identifier<"people">;
  /** A person was deactivated. */
  "person.deactivated": Snapshot<"people">;
  /** A deactivated person was reactivated. */
  "person.reactivated": Snapshot<"people">;
  /** The identity of a person was removed. */
  "person.anonymized": Snapshot<"people">;
  /** A household was added. */
  "household.created": Snapshot<"households">;
  /** A household or one of its memberships changed. */
  "household.updated": Snapshot<"households">;
  /** A household was deleted. */
  "household.deleted": Identifier<"households">;
  /** A course was added. */
  "course.created": Snapshot<"courses">;
  /** A course changed. */
  "course.updated": Snapshot<"courses">;
  /** A course was deleted. */
  "course.deleted": Identifier<"courses">;
  /** A lesson was added. */
  "course-lesson.created": Snapshot<"course-lessons">;
  /** A lesson changed. */
  "course-lesson.updated": Snapshot<"course-lessons">;
  /** A lesson was deleted. */
  "course-lesson.deleted": Identifier<"course-lessons">;
  /** A class was added. */
  "course-class.created": Snapshot<"course-classes">;
  /** A class changed. */
  "course-class.updated": Snapshot<"course-classes">;
  /** A class was deleted. */
  "course-class.deleted": Identifier<"course-classes">;
  /** A class began. */
  "course-class.started": Snapshot<"course-classes">;
  /** A class ended. */
  "course-class.finished": Snapshot<"course-classes">;
  /** A person enrolled. */
  "course-enrollment.created": Snapshot<"course-enrollments">;
  /** An enrollment changed. */
  "course-enrollment.updated": Snapshot<"course-enrollments">;
  /** An enrollment was deleted. */
  "course-enrollment.deleted": Identifier<"course-enrollments">;
  /** A person finished a course. */
  "course-enrollment.completed": Snapshot<"course-enrollments">;
  /** A person withdrew from a course. */
  "course-enrollment.withdrawn": Snapshot<"course-enrollments">;
  /** The attendance of a session was recorded. */
  "course-attendance.recorded": Snapshot<"course-sessions">;
  /** A material was added. */
  "course-material.created": Snapshot<"course-materials">;
  /** A material changed. */
  "course-material.updated": Snapshot<"course-materials">;
  /** A material was deleted. */
  "course-material.deleted": Identifier<"course-materials">;
  /** The work for a task was handed in. */
  "course-task-completion.created": Snapshot<"course-task-completions">;
  /** The work for a task was reviewed, or handed in again. */
  "course-task-completion.updated": Snapshot<"course-task-completions">;
  /** A cell was added. */
  "cell.created": Snapshot<"cells">;
  /** A cell changed. */
  "cell.updated": Snapshot<"cells">;
  /** A cell was deleted. */
  "cell.deleted": Identifier<"cells">;
  /** A cell was closed. */
  "cell.closed": Snapshot<"cells">;
  /** A closed cell was reopened. */
  "cell.reopened": Snapshot<"cells">;
  /** A cell multiplied into two. */
  "cell.multiplied": Snapshot<"cells">;
  /** A person joined a cell. */
  "cell-membership.created": Snapshot<"cell-memberships">;
  /** A cell membership changed. */
  "cell-membership.updated": Snapshot<"cell-memberships">;
  /** A person left a cell. */
  "cell-membership.ended": Snapshot<"cell-memberships">;
  /** A person asked to join a cell. */
  "cell-join-request.created": Snapshot<"cell-join-requests">;
  /** A request to join a cell was decided. */
  "cell-join-request.decided": Snapshot<"cell-join-requests">;
  /** A meeting was planned. */
  "cell-meeting.created": Snapshot<"cell-meetings">;
  /** A meeting changed. */
  "cell-meeting.updated": Snapshot<"cell-meetings">;
  /** A meeting was deleted. */
  "cell-meeting.deleted": Identifier<"cell-meetings">;
  /** A meeting was reported. */
  "cell-meeting.reported": Snapshot<"cell-meetings">;
  /** A form was submitted. */
  "form-submission.created": Snapshot<"form-submissions">;
  /** A submission changed, for example because it was processed. */
  "form-submission.updated": Snapshot<"form-submissions">;
  /** A note was written. The event does not contain its text. */
  "note.created": Snapshot<"notes">;
  /** An import has written its rows. */
  "import-job.completed": Snapshot<"import-jobs">;
  /** A person was given a role. */
  "role-assignment.created": Snapshot<"role-assignments">;
  /** A role assignment of a person was removed. */
  "role-assignment.deleted": Identifier<"role-assignments">;
}

export interface AccountType {
  "record": Account;
  "links": AccountLinks;
  "filters": AccountFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": never;
  "change": AccountChanges;
  "does": "list" | "get" | "update";
  "linkable": never;
  "files": {};
}

/** An account of a church: its name, its settings and its custom fields. */
export interface Account extends Base<"accounts"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** One line of text that is not blank. */
  "church-name": string;
  /** An update changes only the members it names, and null removes one. */
  "settings": AccountSettings;
  /** Custom field definitions by resource type and field name. An update changes only the fields it names. Null archives a field and keeps its values. Only a full administrator can set it. */
  "custom-properties": AccountCustomProperties;
  "alias": string;
  "status": AccountStatus;
  "integration-approved": boolean;
  /** One line of text that is not blank. */
  "acronym": string | null;
  "email": Email | null;
  "phone": string | null;
  "website": WebAddress | null;
  "address": Address | null;
  "logo-url": WebAddress | null;
  "legal-acceptances": AccountLegalAcceptance[];
  "features": Record<string, boolean>;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
}

export interface AccountLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
}

export interface AccountFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
}

export interface AccountChanges {
  /** One line of text that is not blank. */
  "church-name"?: string | undefined;
  /** An update changes only the members it names, and null removes one. */
  "settings"?: AccountSettings | undefined;
  /** Custom field definitions by resource type and field name. An update changes only the fields it names. Null archives a field and keeps its values. Only a full administrator can set it. */
  "custom-properties"?: AccountCustomProperties | undefined;
  /** One line of text that is not blank. */
  "acronym"?: string | null | undefined;
  "email"?: Email | null | undefined;
  "phone"?: string | null | undefined;
  "website"?: WebAddress | null | undefined;
  "address"?: Address | null | undefined;
}

export interface PersonType {
  "record": Person;
  "links": PersonLinks;
  "filters": PersonFilters;
  "sorts": "id" | "full-name" | "created-at" | "modified-at" | "birthdate" | "birth-month-day" | "membership-status" | "last-attended-at";
  "create": NewPerson;
  "change": PersonChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": "tags";
  "files": { "photo": { creates: never; removable: true } };
}

/** A person in the account's records. A person can have a log-in. */
export interface Person extends Base<"people"> {
  "created-at"?: Timestamp;
  "modified-at"?: Timestamp;
  /** One line of text that is not blank. Callers with prospects:write can set it. A person can change their own. */
  "full-name": string;
  /** One line of text that is not blank. Defaults to the first word of the full name. Callers with prospects:write can set it. A person can change their own. */
  "first-name"?: string | null;
  /** One line of text that is not blank. Defaults to the last word of the full name. Callers with prospects:write can set it. A person can change their own. */
  "last-name"?: string | null;
  /** One line of text that is not blank. Callers with prospects:write can set it. A person can change their own. */
  "preferred-name": string | null;
  /** One line of text that is not blank. */
  "former-name"?: string | null;
  /** A person can change their own. */
  "sex"?: PersonSex | null;
  /** A person can change their own. */
  "birthdate"?: CalendarDate | null;
  /** A day of the year as MM-DD. `MM-DD`. Defaults to the birthdate. Set it alone if the year is unknown. Callers with prospects:write can set it. A person can change their own. */
  "birth-month-day"?: string | null;
  "age"?: number | null;
  "is-child"?: boolean | null;
  "deathdate"?: CalendarDate | null;
  /** A person can change their own. */
  "marital-status"?: PersonMaritalStatus | null;
  /** A person can change their own. */
  "wedding-date"?: CalendarDate | null;
  /** A person can change their own. */
  "occupation"?: string | null;
  /** A person can change their own. */
  "nationality"?: CountryCode | null;
  /** A signed link that stays the same for an hour. */
  "photo-url"?: WebAddress | null;
  /** The log-in name, unique in the account. Case is ignored. Callers with prospects:write or person-contacts:write can set it. */
  "email"?: Email | null;
  /** A person can change their own. */
  "other-emails"?: Email[];
  /** Telephone numbers as people type them, or in E.164. Numbers without a country code belong to `country` of the account's settings. Answers have E.164. Callers with prospects:write or person-contacts:write can set it. A person can change their own. */
  "phones"?: PersonPhone[];
  /** A person can change their own. */
  "address"?: Address | null;
  /** A person can change their own. */
  "emergency-contact"?: PersonEmergencyContact | null;
  /** Callers with prospects:write can set it. */
  "membership-status"?: PersonMembershipStatus;
  "membership-status-changed-at"?: Timestamp | null;
  "member-since"?: CalendarDate | null;
  "admission-method"?: PersonAdmissionMethod | null;
  "decision-date"?: CalendarDate | null;
  "is-baptized"?: boolean | null;
  "baptism-date"?: CalendarDate | null;
  /** One line of text that is not blank. */
  "previous-church"?: string | null;
  "left-at"?: CalendarDate | null;
  "left-reason"?: string | null;
  /** Visible only with `person-details:read` for the whole account, and to the person themselves. */
  "identity-documents"?: PersonIdentityDocument[];
  /** Visible only with `person-details:read` for the whole account, and to the person themselves. */
  "medical-notes"?: string | null;
  "is-active"?: boolean;
  "deactivated-at"?: Timestamp | null;
  /** An account keeps at least one active full administrator. Only a full administrator can set it. */
  "administrative-status"?: PersonAdministrativeStatus;
  /** The record has no identity any more. Lists leave it out, and nothing changes it. */
  "is-anonymized"?: boolean;
  "has-login"?: boolean;
  "last-login-at"?: Timestamp | null;
  /** A person can change their own. */
  "locale"?: LocaleTag | null;
  /** A person can change their own. */
  "communication-preferences"?: PersonCommunicationPreferences;
  /** A person can change their own. */
  "directory-visibility"?: PersonDirectoryVisibility;
  "consents"?: PersonConsent[];
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties"?: Record<string, unknown>;
  "external-ids"?: Record<string, string>;
  "merged-ids"?: string[];
  /** Attendance of cell meetings: the last date, the percentage of the last 90 days, and the consecutive absences. Returned only when `fields[people]` names it. */
  "attendance-summary"?: PersonAttendanceSummary;
  /** Visible only with `role-assignments:read` for the whole account, and to the person themselves. */
  "resource-scope"?: PersonResourceScope[];
  "created-by"?: Identifier<"people"> | null;
  "modified-by"?: Identifier<"people"> | null;
  "household"?: Identifier<"households"> | null;
  "households"?: Identifier<"households">[];
  "tags"?: Identifier<"tags">[];
  "course-enrollments"?: Identifier<"course-enrollments">[];
  "teaches"?: Identifier<"course-classes">[];
  "completed-courses"?: Identifier<"courses">[];
  "cell-memberships"?: Identifier<"cell-memberships">[];
  "cells"?: Identifier<"cells">[];
  "leads"?: Identifier<"cells">[];
  "roles"?: Identifier<"roles">[];
  "role-assignments"?: Identifier<"role-assignments">[];
}

export interface PersonLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "household": { to: "households"; count: "none or one"; gone: false };
  "households": { to: "households"; count: "many"; gone: false };
  "tags": { to: "tags"; count: "many"; gone: false };
  "course-enrollments": { to: "course-enrollments"; count: "many"; gone: false };
  "teaches": { to: "course-classes"; count: "many"; gone: false };
  "completed-courses": { to: "courses"; count: "many"; gone: false };
  "cell-memberships": { to: "cell-memberships"; count: "many"; gone: false };
  "cells": { to: "cells"; count: "many"; gone: false };
  "leads": { to: "cells"; count: "many"; gone: false };
  "roles": { to: "roles"; count: "many"; gone: false };
  "role-assignments": { to: "role-assignments"; count: "many"; gone: false };
}

export interface PersonFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "q"?: string | undefined;
  "name"?: string | undefined;
  "email"?: string | undefined;
  "phone"?: string | undefined;
  "membership-status"?: AnyOf<"prospect" | "visitor" | "attender" | "member" | "former-member" | "deceased"> | undefined;
  "is-active"?: AnyOf<boolean> | undefined;
  "sex"?: AnyOf<"female" | "male"> | undefined;
  "is-baptized"?: AnyOf<boolean> | undefined;
  "birth-month"?: AnyOf<number> | undefined;
  "birthday-from"?: string | undefined;
  "birthday-to"?: string | undefined;
  "age-min"?: number | undefined;
  "age-max"?: number | undefined;
  "administrative-status"?: AnyOf<"none" | "administrator" | "full-administrator"> | undefined;
  "has-login"?: AnyOf<boolean> | undefined;
  "is-anonymized"?: AnyOf<boolean> | undefined;
  "missing"?: AnyOf<"email" | "phone" | "birthdate" | "photo"> | undefined;
  "household"?: AnyOf<string> | undefined;
  "without-household"?: AnyOf<boolean> | undefined;
  "tag"?: AnyOf<string> | undefined;
  "course"?: AnyOf<string> | undefined;
  "course-class"?: AnyOf<string> | undefined;
  "cell"?: AnyOf<string> | undefined;
  "cell-tree"?: AnyOf<string> | undefined;
  "absent-streak-min"?: number | undefined;
  "without-cell"?: AnyOf<boolean> | undefined;
  "role"?: AnyOf<string> | undefined;
  [field: `custom-properties.${string}`]: AnyOf<string | number | boolean> | undefined;
}

export interface NewPerson {
  /** One line of text that is not blank. Callers with prospects:write can set it. A person can change their own. */
  "full-name": string;
  /** One line of text that is not blank. Defaults to the first word of the full name. Callers with prospects:write can set it. A person can change their own. */
  "first-name"?: string | null | undefined;
  /** One line of text that is not blank. Defaults to the last word of the full name. Callers with prospects:write can set it. A person can change their own. */
  "last-name"?: string | null | undefined;
  /** One line of text that is not blank. Callers with prospects:write can set it. A person can change their own. */
  "preferred-name"?: string | null | undefined;
  /** One line of text that is not blank. */
  "former-name"?: string | null | undefined;
  /** A person can change their own. */
  "sex"?: PersonSex | null | undefined;
  /** A person can change their own. */
  "birthdate"?: CalendarDate | null | undefined;
  /** A day of the year as MM-DD. `MM-DD`. Defaults to the birthdate. Set it alone if the year is unknown. Callers with prospects:write can set it. A person can change their own. */
  "birth-month-day"?: string | null | undefined;
  "deathdate"?: CalendarDate | null | undefined;
  /** A person can change their own. */
  "marital-status"?: PersonMaritalStatus | null | undefined;
  /** A person can change their own. */
  "wedding-date"?: CalendarDate | null | undefined;
  /** A person can change their own. */
  "occupation"?: string | null | undefined;
  /** A person can change their own. */
  "nationality"?: CountryCode | null | undefined;
  /** The log-in name, unique in the account. Case is ignored. Callers with prospects:write or person-contacts:write can set it. */
  "email"?: Email | null | undefined;
  /** A person can change their own. */
  "other-emails"?: Email[] | undefined;
  /** Telephone numbers as people type them, or in E.164. Numbers without a country code belong to `country` of the account's settings. Answers have E.164. Callers with prospects:write or person-contacts:write can set it. A person can change their own. */
  "phones"?: PersonPhone[] | undefined;
  /** A person can change their own. */
  "address"?: Address | null | undefined;
  /** A person can change their own. */
  "emergency-contact"?: PersonEmergencyContact | null | undefined;
  /** Callers with prospects:write can set it. */
  "membership-status"?: PersonMembershipStatus | undefined;
  "member-since"?: CalendarDate | null | undefined;
  "admission-method"?: PersonAdmissionMethod | null | undefined;
  "decision-date"?: CalendarDate | null | undefined;
  "is-baptized"?: boolean | null | undefined;
  "baptism-date"?: CalendarDate | null | undefined;
  /** One line of text that is not blank. */
  "previous-church"?: string | null | undefined;
  "left-at"?: CalendarDate | null | undefined;
  "left-reason"?: string | null | undefined;
  /** Visible only with `person-details:read` for the whole account, and to the person themselves. */
  "identity-documents"?: PersonIdentityDocument[] | undefined;
  /** Visible only with `person-details:read` for the whole account, and to the person themselves. */
  "medical-notes"?: string | null | undefined;
  "is-active"?: boolean | undefined;
  /** An account keeps at least one active full administrator. Only a full administrator can set it. */
  "administrative-status"?: PersonAdministrativeStatus | undefined;
  /** A person can change their own. */
  "locale"?: LocaleTag | null | undefined;
  /** A person can change their own. */
  "communication-preferences"?: PersonCommunicationPreferences | undefined;
  /** A person can change their own. */
  "directory-visibility"?: PersonDirectoryVisibility | undefined;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties"?: Record<string, unknown> | undefined;
  "external-ids"?: Record<string, string> | undefined;
  "tags"?: readonly Reference<"tags">[] | undefined;
}

export interface PersonChanges {
  /** One line of text that is not blank. Callers with prospects:write can set it. A person can change their own. */
  "full-name"?: string | undefined;
  /** One line of text that is not blank. Defaults to the first word of the full name. Callers with prospects:write can set it. A person can change their own. */
  "first-name"?: string | null | undefined;
  /** One line of text that is not blank. Defaults to the last word of the full name. Callers with prospects:write can set it. A person can change their own. */
  "last-name"?: string | null | undefined;
  /** One line of text that is not blank. Callers with prospects:write can set it. A person can change their own. */
  "preferred-name"?: string | null | undefined;
  /** One line of text that is not blank. */
  "former-name"?: string | null | undefined;
  /** A person can change their own. */
  "sex"?: PersonSex | null | undefined;
  /** A person can change their own. */
  "birthdate"?: CalendarDate | null | undefined;
  /** A day of the year as MM-DD. `MM-DD`. Defaults to the birthdate. Set it alone if the year is unknown. Callers with prospects:write can set it. A person can change their own. */
  "birth-month-day"?: string | null | undefined;
  "deathdate"?: CalendarDate | null | undefined;
  /** A person can change their own. */
  "marital-status"?: PersonMaritalStatus | null | undefined;
  /** A person can change their own. */
  "wedding-date"?: CalendarDate | null | undefined;
  /** A person can change their own. */
  "occupation"?: string | null | undefined;
  /** A person can change their own. */
  "nationality"?: CountryCode | null | undefined;
  /** The log-in name, unique in the account. Case is ignored. Callers with prospects:write or person-contacts:write can set it. */
  "email"?: Email | null | undefined;
  /** A person can change their own. */
  "other-emails"?: Email[] | undefined;
  /** Telephone numbers as people type them, or in E.164. Numbers without a country code belong to `country` of the account's settings. Answers have E.164. Callers with prospects:write or person-contacts:write can set it. A person can change their own. */
  "phones"?: PersonPhone[] | undefined;
  /** A person can change their own. */
  "address"?: Address | null | undefined;
  /** A person can change their own. */
  "emergency-contact"?: PersonEmergencyContact | null | undefined;
  /** Callers with prospects:write can set it. */
  "membership-status"?: PersonMembershipStatus | undefined;
  "member-since"?: CalendarDate | null | undefined;
  "admission-method"?: PersonAdmissionMethod | null | undefined;
  "decision-date"?: CalendarDate | null | undefined;
  "is-baptized"?: boolean | null | undefined;
  "baptism-date"?: CalendarDate | null | undefined;
  /** One line of text that is not blank. */
  "previous-church"?: string | null | undefined;
  "left-at"?: CalendarDate | null | undefined;
  "left-reason"?: string | null | undefined;
  /** Visible only with `person-details:read` for the whole account, and to the person themselves. */
  "identity-documents"?: PersonIdentityDocument[] | undefined;
  /** Visible only with `person-details:read` for the whole account, and to the person themselves. */
  "medical-notes"?: string | null | undefined;
  "is-active"?: boolean | undefined;
  /** An account keeps at least one active full administrator. Only a full administrator can set it. */
  "administrative-status"?: PersonAdministrativeStatus | undefined;
  /** A person can change their own. */
  "locale"?: LocaleTag | null | undefined;
  /** A person can change their own. */
  "communication-preferences"?: PersonCommunicationPreferences | undefined;
  /** A person can change their own. */
  "directory-visibility"?: PersonDirectoryVisibility | undefined;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties"?: Record<string, unknown> | undefined;
  "external-ids"?: Record<string, string> | undefined;
  "tags"?: readonly Reference<"tags">[] | undefined;
}

export interface PersonMergeType {
  "record": PersonMerge;
  "links": PersonMergeLinks;
  "filters": PersonMergeFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": NewPersonMerge;
  "change": never;
  "does": "list" | "get" | "create";
  "linkable": never;
  "files": {};
}

/** A merge of duplicate people into the one who is kept. It is final. */
export interface PersonMerge extends Base<"person-merges"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** Attributes, or custom fields as `custom-properties.<field>`, and the id of the person whose value remains. */
  "field-choices": Record<string, string>;
  /** The kept person also joins the households of the removed people. */
  "keep-households": boolean;
  "note": string | null;
  /** The number of resources that passed to the kept person, by type. */
  "moved-counts": Record<string, number>;
  /** The values and resources that were dropped. Values of custom fields that only some callers see are null. Visible only with `person-details:read` for the whole account. */
  "conflicts"?: PersonMergeConflict[];
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "kept": Identifier<"people">;
  "removed"?: Identifier<"people">[];
}

export interface PersonMergeLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "kept": { to: "people"; count: "one"; gone: false };
  "removed": { to: "people"; count: "many"; gone: true };
}

export interface PersonMergeFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "kept"?: AnyOf<string> | undefined;
  "removed"?: AnyOf<string> | undefined;
}

export interface NewPersonMerge {
  /** Attributes, or custom fields as `custom-properties.<field>`, and the id of the person whose value remains. */
  "field-choices"?: Record<string, string> | undefined;
  /** The kept person also joins the households of the removed people. */
  "keep-households"?: boolean | undefined;
  "note"?: string | null | undefined;
  "kept": Reference<"people">;
  "removed": readonly Reference<"people">[];
}

export interface PersonDuplicateType {
  "record": PersonDuplicate;
  "links": PersonDuplicateLinks;
  "filters": PersonDuplicateFilters;
  "sorts": "id" | "score" | "created-at";
  "create": never;
  "change": PersonDuplicateChanges;
  "does": "list" | "get" | "update";
  "linkable": never;
  "files": {};
}

/** Two people who may be one. The service finds them, and staff merge or dismiss them. */
export interface PersonDuplicate extends Base<"person-duplicates"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "status": PersonDuplicateStatus;
  "score": number;
  "reasons": PersonDuplicateReason[];
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "people"?: Identifier<"people">[];
}

export interface PersonDuplicateLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "people": { to: "people"; count: "many"; gone: false };
}

export interface PersonDuplicateFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "status"?: AnyOf<"open" | "dismissed"> | undefined;
  "person"?: AnyOf<string> | undefined;
  "score-min"?: number | undefined;
  "reason"?: AnyOf<"same-email" | "same-phone" | "name-birthdate" | "name-address"> | undefined;
}

export interface PersonDuplicateChanges {
  "status"?: PersonDuplicateStatus | undefined;
}

export interface PersonAnonymizationType {
  "record": PersonAnonymization;
  "links": PersonAnonymizationLinks;
  "filters": PersonAnonymizationFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": NewPersonAnonymization;
  "change": never;
  "does": "list" | "get" | "create";
  "linkable": never;
  "files": {};
}

/** The removal of a person's identity from a record that stays. It is final. */
export interface PersonAnonymization extends Base<"person-anonymizations"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "person": Identifier<"people">;
}

export interface PersonAnonymizationLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "person": { to: "people"; count: "one"; gone: false };
}

export interface PersonAnonymizationFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "person"?: AnyOf<string> | undefined;
}

export interface NewPersonAnonymization {
  "person": Reference<"people">;
}

export interface HouseholdType {
  "record": Household;
  "links": HouseholdLinks;
  "filters": HouseholdFilters;
  "sorts": "id" | "created-at" | "modified-at" | "name";
  "create": NewHousehold;
  "change": HouseholdChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** A family or another group of people who live together. */
export interface Household extends Base<"households"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** One line of text that is not blank. */
  "name": string;
  "phone"?: PhoneNumber | null;
  /** The number in the international grouping of its country. Writes ignore it. `phone` in the international grouping of its country. */
  "phone-display"?: string | null;
  "address"?: Address | null;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties"?: Record<string, unknown>;
  "created-by"?: Identifier<"people"> | null;
  "modified-by"?: Identifier<"people"> | null;
  "primary-contact": Identifier<"people"> | null;
  "members"?: Identifier<"people">[];
  "memberships"?: Identifier<"household-memberships">[];
}

export interface HouseholdLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "primary-contact": { to: "people"; count: "none or one"; gone: false };
  "members": { to: "people"; count: "many"; gone: false };
  "memberships": { to: "household-memberships"; count: "many"; gone: false };
}

export interface HouseholdFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "q"?: string | undefined;
  "person"?: AnyOf<string> | undefined;
  "city"?: string | undefined;
  "without-members"?: AnyOf<boolean> | undefined;
  [field: `custom-properties.${string}`]: AnyOf<string | number | boolean> | undefined;
}

export interface NewHousehold {
  /** One line of text that is not blank. */
  "name": string;
  "phone"?: PhoneNumber | null | undefined;
  "address"?: Address | null | undefined;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties"?: Record<string, unknown> | undefined;
  "primary-contact"?: Reference<"people"> | null | undefined;
}

export interface HouseholdChanges {
  /** One line of text that is not blank. */
  "name"?: string | undefined;
  "phone"?: PhoneNumber | null | undefined;
  "address"?: Address | null | undefined;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties"?: Record<string, unknown> | undefined;
  "primary-contact"?: Reference<"people"> | null | undefined;
}

export interface HouseholdMembershipType {
  "record": HouseholdMembership;
  "links": HouseholdMembershipLinks;
  "filters": HouseholdMembershipFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": NewHouseholdMembership;
  "change": HouseholdMembershipChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** A person in a household, and the role there. */
export interface HouseholdMembership extends Base<"household-memberships"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "household-role": HouseholdMembershipHouseholdRole;
  /** Whether this is the person's `household`. A person has at most one. The first household of a person is primary unless the request says otherwise. */
  "is-primary": boolean;
  /** Whether the person may pick up the children of the household. */
  "may-pick-up": HouseholdMembershipMayPickUp | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "household": Identifier<"households">;
  "person": Identifier<"people">;
}

export interface HouseholdMembershipLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "household": { to: "households"; count: "one"; gone: false };
  "person": { to: "people"; count: "one"; gone: false };
}

export interface HouseholdMembershipFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "household"?: AnyOf<string> | undefined;
  "person"?: AnyOf<string> | undefined;
  "household-role"?: AnyOf<"head" | "spouse" | "child" | "dependent" | "other"> | undefined;
  "is-primary"?: AnyOf<boolean> | undefined;
}

export interface NewHouseholdMembership {
  "household-role"?: HouseholdMembershipHouseholdRole | undefined;
  /** Whether this is the person's `household`. A person has at most one. The first household of a person is primary unless the request says otherwise. */
  "is-primary"?: boolean | undefined;
  /** Whether the person may pick up the children of the household. */
  "may-pick-up"?: HouseholdMembershipMayPickUp | null | undefined;
  "household": Reference<"households">;
  "person": Reference<"people">;
}

export interface HouseholdMembershipChanges {
  "household-role"?: HouseholdMembershipHouseholdRole | undefined;
  /** Whether this is the person's `household`. A person has at most one. The first household of a person is primary unless the request says otherwise. */
  "is-primary"?: boolean | undefined;
  /** Whether the person may pick up the children of the household. */
  "may-pick-up"?: HouseholdMembershipMayPickUp | null | undefined;
}

export interface TagType {
  "record": Tag;
  "links": TagLinks;
  "filters": TagFilters;
  "sorts": "id" | "name" | "created-at" | "modified-at";
  "create": NewTag;
  "change": TagChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** A word that marks people, cells or courses. */
export interface Tag extends Base<"tags"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** One line of text that is not blank. */
  "name": string;
  /** A color as #rrggbb. */
  "color": string | null;
  /** The types whose records can have the tag; all by default. Records that have it already keep it. */
  "applies-to": TagAppliesTo[];
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
}

export interface TagLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
}

export interface TagFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "name"?: string | undefined;
}

export interface NewTag {
  /** One line of text that is not blank. */
  "name": string;
  /** A color as #rrggbb. */
  "color"?: string | null | undefined;
  /** The types whose records can have the tag; all by default. Records that have it already keep it. */
  "applies-to"?: TagAppliesTo[] | undefined;
}

export interface TagChanges {
  /** One line of text that is not blank. */
  "name"?: string | undefined;
  /** A color as #rrggbb. */
  "color"?: string | null | undefined;
  /** The types whose records can have the tag; all by default. Records that have it already keep it. */
  "applies-to"?: TagAppliesTo[] | undefined;
}

export interface CourseType {
  "record": Course;
  "links": CourseLinks;
  "filters": CourseFilters;
  "sorts": "id" | "name" | "order" | "created-at" | "modified-at";
  "create": NewCourse;
  "change": CourseChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": "teachers" | "tags";
  "files": { "image": { creates: never; removable: true } };
}

/** A course: its price, its teachers and the conditions of graduation. */
export interface Course extends Base<"courses"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** One line of text that is not blank. */
  "name": string;
  "description": string | null;
  /** In minor units of `price-currency`. 0 means free, null means not stated. */
  "price": number | null;
  /** A price without a currency takes that of the account. */
  "price-currency": CurrencyCode | null;
  /** 0 or null means all lessons. */
  "lessons-to-graduate": number | null;
  "is-active": boolean;
  /** One line of text that is not blank. */
  "code": string | null;
  "summary": string | null;
  /** A signed link that stays the same for an hour, of a public course for a day. */
  "image-url": WebAddress | null;
  /** Setting it needs `courses:write` for the whole account. */
  "is-public": boolean;
  "enrollment-policy": CourseEnrollmentPolicy;
  "graduation-mode": CourseGraduationMode;
  "excused-counts": boolean;
  "has-certificate": boolean;
  "certificate-valid-months": number | null;
  /** One line of text that is not blank. */
  "category": string | null;
  "order": number | null;
  "position-in-path": number | null;
  "lessons-count": number;
  "open-classes-count": number;
  "enrolled-count": number;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties": Record<string, unknown>;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "teachers"?: Identifier<"people">[];
  "lessons"?: Identifier<"course-lessons">[];
  "classes"?: Identifier<"course-classes">[];
  "student-materials"?: Identifier<"course-materials">[];
  "teacher-materials"?: Identifier<"course-materials">[];
  "enrollments"?: Identifier<"course-enrollments">[];
  "requirements"?: Identifier<"course-requirements">[];
  "completed-by"?: Identifier<"people">[];
  "tags"?: Identifier<"tags">[];
}

export interface CourseLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "teachers": { to: "people"; count: "many"; gone: false };
  "lessons": { to: "course-lessons"; count: "many"; gone: false };
  "classes": { to: "course-classes"; count: "many"; gone: false };
  "student-materials": { to: "course-materials"; count: "many"; gone: false };
  "teacher-materials": { to: "course-materials"; count: "many"; gone: false };
  "enrollments": { to: "course-enrollments"; count: "many"; gone: false };
  "requirements": { to: "course-requirements"; count: "many"; gone: false };
  "completed-by": { to: "people"; count: "many"; gone: false };
  "tags": { to: "tags"; count: "many"; gone: false };
}

export interface CourseFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "q"?: string | undefined;
  "name"?: string | undefined;
  "is-active"?: AnyOf<boolean> | undefined;
  "is-public"?: AnyOf<boolean> | undefined;
  "category"?: string | undefined;
  "teacher"?: AnyOf<string> | undefined;
  "has-open-classes"?: AnyOf<boolean> | undefined;
  "tag"?: AnyOf<string> | undefined;
  [field: `custom-properties.${string}`]: AnyOf<string | number | boolean> | undefined;
}

export interface NewCourse {
  /** One line of text that is not blank. */
  "name": string;
  "description"?: string | null | undefined;
  /** In minor units of `price-currency`. 0 means free, null means not stated. */
  "price"?: number | null | undefined;
  /** A price without a currency takes that of the account. */
  "price-currency"?: CurrencyCode | null | undefined;
  /** 0 or null means all lessons. */
  "lessons-to-graduate"?: number | null | undefined;
  "is-active"?: boolean | undefined;
  /** One line of text that is not blank. */
  "code"?: string | null | undefined;
  "summary"?: string | null | undefined;
  /** Setting it needs `courses:write` for the whole account. */
  "is-public"?: boolean | undefined;
  "enrollment-policy"?: CourseEnrollmentPolicy | undefined;
  "graduation-mode"?: CourseGraduationMode | undefined;
  "excused-counts"?: boolean | undefined;
  "has-certificate"?: boolean | undefined;
  "certificate-valid-months"?: number | null | undefined;
  /** One line of text that is not blank. */
  "category"?: string | null | undefined;
  "order"?: number | null | undefined;
  "position-in-path"?: number | null | undefined;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties"?: Record<string, unknown> | undefined;
  "teachers"?: readonly Reference<"people">[] | undefined;
  "tags"?: readonly Reference<"tags">[] | undefined;
}

export interface CourseChanges {
  /** One line of text that is not blank. */
  "name"?: string | undefined;
  "description"?: string | null | undefined;
  /** In minor units of `price-currency`. 0 means free, null means not stated. */
  "price"?: number | null | undefined;
  /** A price without a currency takes that of the account. */
  "price-currency"?: CurrencyCode | null | undefined;
  /** 0 or null means all lessons. */
  "lessons-to-graduate"?: number | null | undefined;
  "is-active"?: boolean | undefined;
  /** One line of text that is not blank. */
  "code"?: string | null | undefined;
  "summary"?: string | null | undefined;
  /** Setting it needs `courses:write` for the whole account. */
  "is-public"?: boolean | undefined;
  "enrollment-policy"?: CourseEnrollmentPolicy | undefined;
  "graduation-mode"?: CourseGraduationMode | undefined;
  "excused-counts"?: boolean | undefined;
  "has-certificate"?: boolean | undefined;
  "certificate-valid-months"?: number | null | undefined;
  /** One line of text that is not blank. */
  "category"?: string | null | undefined;
  "order"?: number | null | undefined;
  "position-in-path"?: number | null | undefined;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties"?: Record<string, unknown> | undefined;
  "teachers"?: readonly Reference<"people">[] | undefined;
  "tags"?: readonly Reference<"tags">[] | undefined;
}

export interface CourseLessonType {
  "record": CourseLesson;
  "links": CourseLessonLinks;
  "filters": CourseLessonFilters;
  "sorts": "id" | "created-at" | "modified-at" | "number" | "name";
  "create": NewCourseLesson;
  "change": CourseLessonChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** A lesson of a course. */
export interface CourseLesson extends Base<"course-lessons"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** One line of text that is not blank. */
  "name": string;
  /** Unique in the course. */
  "number": number;
  "description": string | null;
  /** A student graduates after attending all mandatory lessons. */
  "is-mandatory": boolean;
  /** Only active lessons count for graduation. */
  "is-active": boolean;
  "duration-minutes": number | null;
  "content-url": WebAddress | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "course": Identifier<"courses">;
  "materials"?: Identifier<"course-materials">[];
  "tasks"?: Identifier<"course-tasks">[];
}

export interface CourseLessonLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "course": { to: "courses"; count: "one"; gone: false };
  "materials": { to: "course-materials"; count: "many"; gone: false };
  "tasks": { to: "course-tasks"; count: "many"; gone: false };
}

export interface CourseLessonFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "course"?: AnyOf<string> | undefined;
  "is-active"?: AnyOf<boolean> | undefined;
  "is-mandatory"?: AnyOf<boolean> | undefined;
}

export interface NewCourseLesson {
  /** One line of text that is not blank. */
  "name": string;
  /** Unique in the course. */
  "number": number;
  "description"?: string | null | undefined;
  /** A student graduates after attending all mandatory lessons. */
  "is-mandatory"?: boolean | undefined;
  /** Only active lessons count for graduation. */
  "is-active"?: boolean | undefined;
  "duration-minutes"?: number | null | undefined;
  "content-url"?: WebAddress | null | undefined;
  "course": Reference<"courses">;
}

export interface CourseLessonChanges {
  /** One line of text that is not blank. */
  "name"?: string | undefined;
  /** Unique in the course. */
  "number"?: number | undefined;
  "description"?: string | null | undefined;
  /** A student graduates after attending all mandatory lessons. */
  "is-mandatory"?: boolean | undefined;
  /** Only active lessons count for graduation. */
  "is-active"?: boolean | undefined;
  "duration-minutes"?: number | null | undefined;
  "content-url"?: WebAddress | null | undefined;
}

export interface CourseClassType {
  "record": CourseClass;
  "links": CourseClassLinks;
  "filters": CourseClassFilters;
  "sorts": "id" | "starts" | "name" | "created-at" | "modified-at";
  "create": NewCourseClass;
  "change": CourseClassChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": "teachers";
  "files": {};
}

/** A class of a course, with its teachers and its students. */
export interface CourseClass extends Base<"course-classes"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** One line of text that is not blank. */
  "name": string;
  "status": CourseClassStatus;
  /** Null means that there is no limit. */
  "seats": number | null;
  "waitlist-enabled": boolean;
  "starts": Timestamp | null;
  "ends": Timestamp | null;
  /** Weekly times in the time zone of the class. Weekday 0 is Sunday, times are minutes since midnight. */
  "schedule": ClassSlot[];
  "enrollment-opens-at": Timestamp | null;
  "enrollment-closes-at": Timestamp | null;
  "mode": CourseClassMode;
  "location": string | null;
  "online-url": WebAddress | null;
  /** Defaults to the time zone of the account. */
  "time-zone": TimeZone;
  "is-public": boolean;
  "show-teachers": boolean;
  "has-started": boolean;
  "has-finished": boolean;
  /** Enrollments that are `active`, `completed` or `failed`. */
  "seats-taken": number;
  "waitlist-count": number;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties": Record<string, unknown>;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "course": Identifier<"courses">;
  "teachers"?: Identifier<"people">[];
  "students"?: Identifier<"people">[];
  "enrollments"?: Identifier<"course-enrollments">[];
  "sessions"?: Identifier<"course-sessions">[];
  "lessons-completed"?: Identifier<"course-lessons">[];
}

export interface CourseClassLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "course": { to: "courses"; count: "one"; gone: false };
  "teachers": { to: "people"; count: "many"; gone: false };
  "students": { to: "people"; count: "many"; gone: false };
  "enrollments": { to: "course-enrollments"; count: "many"; gone: false };
  "sessions": { to: "course-sessions"; count: "many"; gone: false };
  "lessons-completed": { to: "course-lessons"; count: "many"; gone: false };
}

export interface CourseClassFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "q"?: string | undefined;
  "course"?: AnyOf<string> | undefined;
  "teacher"?: AnyOf<string> | undefined;
  "status"?: AnyOf<"draft" | "open" | "in-progress" | "finished" | "cancelled"> | undefined;
  "starts-from"?: string | undefined;
  "starts-to"?: string | undefined;
  "is-public"?: AnyOf<boolean> | undefined;
  "has-seats"?: AnyOf<boolean> | undefined;
  [field: `custom-properties.${string}`]: AnyOf<string | number | boolean> | undefined;
}

export interface NewCourseClass {
  /** One line of text that is not blank. */
  "name": string;
  "status"?: CourseClassStatus | undefined;
  /** Null means that there is no limit. */
  "seats"?: number | null | undefined;
  "waitlist-enabled"?: boolean | undefined;
  "starts"?: Timestamp | null | undefined;
  "ends"?: Timestamp | null | undefined;
  /** Weekly times in the time zone of the class. Weekday 0 is Sunday, times are minutes since midnight. */
  "schedule"?: ClassSlot[] | undefined;
  "enrollment-opens-at"?: Timestamp | null | undefined;
  "enrollment-closes-at"?: Timestamp | null | undefined;
  "mode"?: CourseClassMode | undefined;
  "location"?: string | null | undefined;
  "online-url"?: WebAddress | null | undefined;
  /** Defaults to the time zone of the account. */
  "time-zone"?: TimeZone | undefined;
  "is-public"?: boolean | undefined;
  "show-teachers"?: boolean | undefined;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties"?: Record<string, unknown> | undefined;
  "course": Reference<"courses">;
  "teachers"?: readonly Reference<"people">[] | undefined;
}

export interface CourseClassChanges {
  /** One line of text that is not blank. */
  "name"?: string | undefined;
  "status"?: CourseClassStatus | undefined;
  /** Null means that there is no limit. */
  "seats"?: number | null | undefined;
  "waitlist-enabled"?: boolean | undefined;
  "starts"?: Timestamp | null | undefined;
  "ends"?: Timestamp | null | undefined;
  /** Weekly times in the time zone of the class. Weekday 0 is Sunday, times are minutes since midnight. */
  "schedule"?: ClassSlot[] | undefined;
  "enrollment-opens-at"?: Timestamp | null | undefined;
  "enrollment-closes-at"?: Timestamp | null | undefined;
  "mode"?: CourseClassMode | undefined;
  "location"?: string | null | undefined;
  "online-url"?: WebAddress | null | undefined;
  /** Defaults to the time zone of the account. */
  "time-zone"?: TimeZone | undefined;
  "is-public"?: boolean | undefined;
  "show-teachers"?: boolean | undefined;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties"?: Record<string, unknown> | undefined;
  "teachers"?: readonly Reference<"people">[] | undefined;
}

export interface CourseSessionType {
  "record": CourseSession;
  "links": CourseSessionLinks;
  "filters": CourseSessionFilters;
  "sorts": "id" | "created-at" | "modified-at" | "date";
  "create": NewCourseSession;
  "change": CourseSessionChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** A day on which a class meets. */
export interface CourseSession extends Base<"course-sessions"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "date": CalendarDate;
  /** Minutes since midnight, in the time zone of the class. */
  "starts-at": number | null;
  "ends-at": number | null;
  /** The first attendance sets it to `held`. */
  "status": CourseSessionStatus;
  "attendance-counts": SessionAttendanceCounts;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "class": Identifier<"course-classes">;
  "course": Identifier<"courses"> | null;
  "lesson": Identifier<"course-lessons"> | null;
  "teacher": Identifier<"people"> | null;
}

export interface CourseSessionLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "class": { to: "course-classes"; count: "one"; gone: false };
  "course": { to: "courses"; count: "none or one"; gone: false };
  "lesson": { to: "course-lessons"; count: "none or one"; gone: false };
  "teacher": { to: "people"; count: "none or one"; gone: false };
}

export interface CourseSessionFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "class"?: AnyOf<string> | undefined;
  "course"?: AnyOf<string> | undefined;
  "lesson"?: AnyOf<string> | undefined;
  "teacher"?: AnyOf<string> | undefined;
  "status"?: AnyOf<"planned" | "held" | "cancelled"> | undefined;
  "from"?: string | undefined;
  "to"?: string | undefined;
}

export interface NewCourseSession {
  "date": CalendarDate;
  /** Minutes since midnight, in the time zone of the class. */
  "starts-at"?: number | null | undefined;
  "ends-at"?: number | null | undefined;
  /** The first attendance sets it to `held`. */
  "status"?: CourseSessionStatus | undefined;
  "class": Reference<"course-classes">;
  "lesson"?: Reference<"course-lessons"> | null | undefined;
  "teacher"?: Reference<"people"> | null | undefined;
}

export interface CourseSessionChanges {
  "date"?: CalendarDate | undefined;
  /** Minutes since midnight, in the time zone of the class. */
  "starts-at"?: number | null | undefined;
  "ends-at"?: number | null | undefined;
  /** The first attendance sets it to `held`. */
  "status"?: CourseSessionStatus | undefined;
  "lesson"?: Reference<"course-lessons"> | null | undefined;
  "teacher"?: Reference<"people"> | null | undefined;
}

export interface CourseSessionPlanType {
  "record": CourseSessionPlan;
  "links": CourseSessionPlanLinks;
  "filters": CourseSessionPlanFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": NewCourseSessionPlan;
  "change": never;
  "does": "list" | "get" | "create";
  "linkable": never;
  "files": {};
}

/** The creation of the sessions of a whole class, by its schedule. */
export interface CourseSessionPlan extends Base<"course-session-plans"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "created-count": number;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "class": Identifier<"course-classes">;
  "course": Identifier<"courses"> | null;
}

export interface CourseSessionPlanLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "class": { to: "course-classes"; count: "one"; gone: false };
  "course": { to: "courses"; count: "none or one"; gone: false };
}

export interface CourseSessionPlanFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "class"?: AnyOf<string> | undefined;
}

export interface NewCourseSessionPlan {
  "class": Reference<"course-classes">;
}

export interface CourseMaterialType {
  "record": CourseMaterial;
  "links": CourseMaterialLinks;
  "filters": CourseMaterialFilters;
  "sorts": "id" | "order" | "created-at" | "modified-at";
  "create": NewCourseMaterial;
  "change": CourseMaterialChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": { "attachments": { creates: "material-attachments"; removable: false } };
}

/** Course material for students or for teachers. */
export interface CourseMaterial extends Base<"course-materials"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** One line of text that is not blank. */
  "title": string;
  "description": string | null;
  /** GitHub Flavored Markdown. The service removes raw HTML, and links other than http, https and mailto. Returned for a single resource, not in lists. */
  "content"?: string | null;
  "material-type": CourseMaterialMaterialType;
  "audience": CourseMaterialAudience;
  /** Only staff see a `draft`. Students see `unlisted` and `public` materials with the `audience` `student`. Every person in the account sees those that are `public`. */
  "publish-status": CourseMaterialPublishStatus;
  /** When the material first left `draft`. */
  "published-at": Timestamp | null;
  /** Days after `starts` of the student's class, negative before it. Null means at once. It does not hide `public` materials. */
  "available-from": number | null;
  "url": WebAddress | null;
  "order": number | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "course": Identifier<"courses">;
  "class": Identifier<"course-classes"> | null;
  "lesson": Identifier<"course-lessons"> | null;
  "attachments"?: Identifier<"material-attachments">[];
}

export interface CourseMaterialLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "course": { to: "courses"; count: "one"; gone: false };
  "class": { to: "course-classes"; count: "none or one"; gone: false };
  "lesson": { to: "course-lessons"; count: "none or one"; gone: false };
  "attachments": { to: "material-attachments"; count: "many"; gone: false };
}

export interface CourseMaterialFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "course"?: AnyOf<string> | undefined;
  "class"?: AnyOf<string> | undefined;
  "lesson"?: AnyOf<string> | undefined;
  "audience"?: AnyOf<"student" | "teacher"> | undefined;
  "publish-status"?: AnyOf<"draft" | "unlisted" | "public"> | undefined;
}

export interface NewCourseMaterial {
  /** One line of text that is not blank. */
  "title": string;
  "description"?: string | null | undefined;
  /** GitHub Flavored Markdown. The service removes raw HTML, and links other than http, https and mailto. Returned for a single resource, not in lists. */
  "content"?: string | null | undefined;
  "material-type": CourseMaterialMaterialType;
  "audience"?: CourseMaterialAudience | undefined;
  /** Only staff see a `draft`. Students see `unlisted` and `public` materials with the `audience` `student`. Every person in the account sees those that are `public`. */
  "publish-status"?: CourseMaterialPublishStatus | undefined;
  /** Days after `starts` of the student's class, negative before it. Null means at once. It does not hide `public` materials. */
  "available-from"?: number | null | undefined;
  "url"?: WebAddress | null | undefined;
  "order"?: number | null | undefined;
  "course": Reference<"courses">;
  "class"?: Reference<"course-classes"> | null | undefined;
  "lesson"?: Reference<"course-lessons"> | null | undefined;
}

export interface CourseMaterialChanges {
  /** One line of text that is not blank. */
  "title"?: string | undefined;
  "description"?: string | null | undefined;
  /** GitHub Flavored Markdown. The service removes raw HTML, and links other than http, https and mailto. Returned for a single resource, not in lists. */
  "content"?: string | null | undefined;
  "material-type"?: CourseMaterialMaterialType | undefined;
  "audience"?: CourseMaterialAudience | undefined;
  /** Only staff see a `draft`. Students see `unlisted` and `public` materials with the `audience` `student`. Every person in the account sees those that are `public`. */
  "publish-status"?: CourseMaterialPublishStatus | undefined;
  /** Days after `starts` of the student's class, negative before it. Null means at once. It does not hide `public` materials. */
  "available-from"?: number | null | undefined;
  "url"?: WebAddress | null | undefined;
  "order"?: number | null | undefined;
  "lesson"?: Reference<"course-lessons"> | null | undefined;
}

export interface MaterialAttachmentType {
  "record": MaterialAttachment;
  "links": MaterialAttachmentLinks;
  "filters": MaterialAttachmentFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": never;
  "change": never;
  "does": "list" | "get" | "delete";
  "linkable": never;
  "files": {};
}

/** A file of a course material. */
export interface MaterialAttachment extends Base<"material-attachments"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "name": string;
  "media-type": string;
  "bytes": number;
  "url": WebAddress;
  "url-expires-at": Timestamp;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "material": Identifier<"course-materials">;
}

export interface MaterialAttachmentLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "material": { to: "course-materials"; count: "one"; gone: false };
}

export interface MaterialAttachmentFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "material"?: AnyOf<string> | undefined;
}

export interface CourseRequirementType {
  "record": CourseRequirement;
  "links": CourseRequirementLinks;
  "filters": CourseRequirementFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": NewCourseRequirement;
  "change": CourseRequirementChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** A condition for enrolling in a course. */
export interface CourseRequirement extends Base<"course-requirements"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "kind": CourseRequirementKind;
  /** An unmet requirement prevents the enrollment, or only warns. */
  "enforcement": CourseRequirementEnforcement;
  /** A `corequisite` is also met while the person is active in the course. */
  "relation": CourseRequirementRelation;
  /** A list of statuses for `membership-status`, a number of years from 1 to 120 for `minimum-age`, null for the other kinds. */
  "value": unknown;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "course": Identifier<"courses">;
  "required-course": Identifier<"courses"> | null;
}

export interface CourseRequirementLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "course": { to: "courses"; count: "one"; gone: false };
  "required-course": { to: "courses"; count: "none or one"; gone: false };
}

export interface CourseRequirementFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "course"?: AnyOf<string> | undefined;
  "kind"?: AnyOf<"course" | "membership-status" | "baptized" | "minimum-age" | "cell-member"> | undefined;
}

export interface NewCourseRequirement {
  "kind": CourseRequirementKind;
  /** An unmet requirement prevents the enrollment, or only warns. */
  "enforcement"?: CourseRequirementEnforcement | undefined;
  /** A `corequisite` is also met while the person is active in the course. */
  "relation"?: CourseRequirementRelation | undefined;
  /** A list of statuses for `membership-status`, a number of years from 1 to 120 for `minimum-age`, null for the other kinds. */
  "value"?: unknown;
  "course": Reference<"courses">;
  "required-course"?: Reference<"courses"> | null | undefined;
}

export interface CourseRequirementChanges {
  /** An unmet requirement prevents the enrollment, or only warns. */
  "enforcement"?: CourseRequirementEnforcement | undefined;
  /** A `corequisite` is also met while the person is active in the course. */
  "relation"?: CourseRequirementRelation | undefined;
  /** A list of statuses for `membership-status`, a number of years from 1 to 120 for `minimum-age`, null for the other kinds. */
  "value"?: unknown;
}

export interface CourseEnrollmentType {
  "record": CourseEnrollment;
  "links": CourseEnrollmentLinks;
  "filters": CourseEnrollmentFilters;
  "sorts": "id" | "created-at" | "modified-at" | "enrolled-at" | "person" | "progress";
  "create": NewCourseEnrollment;
  "change": CourseEnrollmentChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** The enrollment of a person in a class, with the progress towards graduation. */
export interface CourseEnrollment extends Base<"course-enrollments"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** A create by staff accepts `active` (the default) and `requested`. A full class turns `active` into `waitlisted`. Callers with course-enrollments:approve can set it. A person can change their own. */
  "status": CourseEnrollmentStatus;
  /** Defaults to now. */
  "enrolled-at": Timestamp;
  "status-changed-at": Timestamp;
  "completed-at": Timestamp | null;
  /** 1 is the next to get a seat. Null unless the enrollment is waiting. */
  "waitlist-position": number | null;
  "lessons-attended": number;
  "lessons-required": number;
  /** The lessons of planned sessions of the class that the person has not attended. */
  "lessons-left": number;
  /** Percent of the required lessons. */
  "progress": number;
  "is-eligible-to-graduate": boolean;
  /** Defaults to `pending` if the course has a price, otherwise to `not-required`. */
  "payment-status": CourseEnrollmentPaymentStatus;
  /** In minor units of the currency of the course. */
  "paid-amount": number | null;
  /** Requires `course-enrollments:approve` and a `waiver-note`. Callers with course-enrollments:approve can set it. */
  "requirements-waived": boolean;
  /** Requires `course-enrollments:approve` and a `waiver-note`. Callers with course-enrollments:approve can set it. */
  "graduation-waived": boolean;
  /** Callers with course-enrollments:approve can set it. */
  "waiver-note": string | null;
  /** Only of a withdrawn enrollment. A person can change their own. */
  "withdrawn-reason": string | null;
  /** False after a caller enrolled a person outside their scope. Class staff then see the names of the person and nothing else. The person and holders of `course-enrollments:write` for the account set it to true. A person can change their own. */
  "is-accepted": boolean;
  "source": CourseEnrollmentSource;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties": Record<string, unknown>;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "course": Identifier<"courses"> | null;
  "class": Identifier<"course-classes">;
  "person": Identifier<"people"> | null;
  "attendances"?: Identifier<"course-attendances">[];
  "task-completions"?: Identifier<"course-task-completions">[];
}

export interface CourseEnrollmentLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "course": { to: "courses"; count: "none or one"; gone: false };
  "class": { to: "course-classes"; count: "one"; gone: false };
  "person": { to: "people"; count: "none or one"; gone: false };
  "attendances": { to: "course-attendances"; count: "many"; gone: false };
  "task-completions": { to: "course-task-completions"; count: "many"; gone: false };
}

export interface CourseEnrollmentFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "course"?: AnyOf<string> | undefined;
  "class"?: AnyOf<string> | undefined;
  "person"?: AnyOf<string> | undefined;
  "status"?: AnyOf<"requested" | "waitlisted" | "active" | "completed" | "failed" | "withdrawn" | "cancelled"> | undefined;
  "eligible"?: AnyOf<boolean> | undefined;
  "enrolled-since"?: string | undefined;
  "payment-status"?: AnyOf<"not-required" | "pending" | "paid" | "waived" | "refunded"> | undefined;
  [field: `custom-properties.${string}`]: AnyOf<string | number | boolean> | undefined;
}

export interface NewCourseEnrollment {
  /** A create by staff accepts `active` (the default) and `requested`. A full class turns `active` into `waitlisted`. Callers with course-enrollments:approve can set it. A person can change their own. */
  "status"?: CourseEnrollmentStatus | undefined;
  /** Defaults to now. */
  "enrolled-at"?: Timestamp | undefined;
  /** Defaults to `pending` if the course has a price, otherwise to `not-required`. */
  "payment-status"?: CourseEnrollmentPaymentStatus | undefined;
  /** In minor units of the currency of the course. */
  "paid-amount"?: number | null | undefined;
  /** Requires `course-enrollments:approve` and a `waiver-note`. Callers with course-enrollments:approve can set it. */
  "requirements-waived"?: boolean | undefined;
  /** Requires `course-enrollments:approve` and a `waiver-note`. Callers with course-enrollments:approve can set it. */
  "graduation-waived"?: boolean | undefined;
  /** Callers with course-enrollments:approve can set it. */
  "waiver-note"?: string | null | undefined;
  /** Instead of `person`: the one active person with this name and this address or number, or else a new prospect. */
  "new-person"?: CourseEnrollmentNewPerson | null | undefined;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties"?: Record<string, unknown> | undefined;
  "class": Reference<"course-classes">;
  "person"?: Reference<"people"> | null | undefined;
}

export interface CourseEnrollmentChanges {
  /** A create by staff accepts `active` (the default) and `requested`. A full class turns `active` into `waitlisted`. Callers with course-enrollments:approve can set it. A person can change their own. */
  "status"?: CourseEnrollmentStatus | undefined;
  /** Defaults to now. */
  "enrolled-at"?: Timestamp | undefined;
  /** Defaults to `pending` if the course has a price, otherwise to `not-required`. */
  "payment-status"?: CourseEnrollmentPaymentStatus | undefined;
  /** In minor units of the currency of the course. */
  "paid-amount"?: number | null | undefined;
  /** Requires `course-enrollments:approve` and a `waiver-note`. Callers with course-enrollments:approve can set it. */
  "requirements-waived"?: boolean | undefined;
  /** Requires `course-enrollments:approve` and a `waiver-note`. Callers with course-enrollments:approve can set it. */
  "graduation-waived"?: boolean | undefined;
  /** Callers with course-enrollments:approve can set it. */
  "waiver-note"?: string | null | undefined;
  /** Only of a withdrawn enrollment. A person can change their own. */
  "withdrawn-reason"?: string | null | undefined;
  /** False after a caller enrolled a person outside their scope. Class staff then see the names of the person and nothing else. The person and holders of `course-enrollments:write` for the account set it to true. A person can change their own. */
  "is-accepted"?: boolean | undefined;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties"?: Record<string, unknown> | undefined;
}

export interface CourseEnrollmentRequestType {
  "record": CourseEnrollmentRequest;
  "links": CourseEnrollmentRequestLinks;
  "filters": CourseEnrollmentRequestFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": never;
  "change": CourseEnrollmentRequestChanges;
  "does": "list" | "get" | "update";
  "linkable": never;
  "files": {};
}

/** A request of a visitor of a website to enroll in a class. */
export interface CourseEnrollmentRequest extends Base<"course-enrollment-requests"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "message": string | null;
  /** Deleted 90 days after the decision. */
  "contact": CourseEnrollmentNewPerson | null;
  /** `approved` enrolls the person under the conditions of every enrollment. */
  "status": CourseEnrollmentRequestStatus;
  /** Only of a declined request. */
  "decline-reason": string | null;
  /** Always `public`. */
  "source": string;
  /** Whether the owner of the e-mail address confirmed the request. */
  "is-confirmed": boolean;
  "decided-at": Timestamp | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "class": Identifier<"course-classes"> | null;
  "course": Identifier<"courses"> | null;
  "person": Identifier<"people"> | null;
  "decided-by": Identifier<"people"> | null;
}

export interface CourseEnrollmentRequestLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "class": { to: "course-classes"; count: "none or one"; gone: false };
  "course": { to: "courses"; count: "none or one"; gone: false };
  "person": { to: "people"; count: "none or one"; gone: false };
  "decided-by": { to: "people"; count: "none or one"; gone: true };
}

export interface CourseEnrollmentRequestFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "class"?: AnyOf<string> | undefined;
  "course"?: AnyOf<string> | undefined;
  "status"?: AnyOf<"pending" | "approved" | "declined" | "cancelled"> | undefined;
}

export interface CourseEnrollmentRequestChanges {
  /** `approved` enrolls the person under the conditions of every enrollment. */
  "status"?: CourseEnrollmentRequestStatus | undefined;
  /** Only of a declined request. */
  "decline-reason"?: string | null | undefined;
  "person"?: Reference<"people"> | null | undefined;
}

export interface CourseAttendanceType {
  "record": CourseAttendance;
  "links": CourseAttendanceLinks;
  "filters": CourseAttendanceFilters;
  "sorts": "id" | "date" | "person" | "created-at" | "modified-at";
  "create": NewCourseAttendance;
  "change": CourseAttendanceChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** The attendance of a student at a session of a class. */
export interface CourseAttendance extends Base<"course-attendances"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "status": CourseAttendanceStatus;
  "note": string | null;
  "minutes": number | null;
  /** The date of the session. */
  "date": CalendarDate;
  /** The time at which the status, the note or the minutes were last recorded. */
  "recorded-at": Timestamp;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "session": Identifier<"course-sessions">;
  "enrollment": Identifier<"course-enrollments">;
  "person": Identifier<"people"> | null;
  "lesson": Identifier<"course-lessons"> | null;
  "class": Identifier<"course-classes"> | null;
  "course": Identifier<"courses"> | null;
  "recorded-by": Identifier<"people"> | null;
}

export interface CourseAttendanceLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "session": { to: "course-sessions"; count: "one"; gone: false };
  "enrollment": { to: "course-enrollments"; count: "one"; gone: true };
  "person": { to: "people"; count: "none or one"; gone: false };
  "lesson": { to: "course-lessons"; count: "none or one"; gone: false };
  "class": { to: "course-classes"; count: "none or one"; gone: false };
  "course": { to: "courses"; count: "none or one"; gone: false };
  "recorded-by": { to: "people"; count: "none or one"; gone: true };
}

export interface CourseAttendanceFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "course"?: AnyOf<string> | undefined;
  "class"?: AnyOf<string> | undefined;
  "lesson"?: AnyOf<string> | undefined;
  "session"?: AnyOf<string> | undefined;
  "enrollment"?: AnyOf<string> | undefined;
  "person"?: AnyOf<string> | undefined;
  "status"?: AnyOf<"present" | "late" | "excused" | "absent" | "online" | "not-applicable"> | undefined;
  "from"?: string | undefined;
  "to"?: string | undefined;
}

export interface NewCourseAttendance {
  "status": CourseAttendanceStatus;
  "note"?: string | null | undefined;
  "minutes"?: number | null | undefined;
  "session": Reference<"course-sessions">;
  "enrollment": Reference<"course-enrollments">;
}

export interface CourseAttendanceChanges {
  "status"?: CourseAttendanceStatus | undefined;
  "note"?: string | null | undefined;
  "minutes"?: number | null | undefined;
}

export interface CourseAttendanceSheetType {
  "record": CourseAttendanceSheet;
  "links": CourseAttendanceSheetLinks;
  "filters": CourseAttendanceSheetFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": NewCourseAttendanceSheet;
  "change": never;
  "does": "list" | "get" | "create";
  "linkable": never;
  "files": {};
}

/** The attendance of a class at a session, recorded at once. */
export interface CourseAttendanceSheet extends Base<"course-attendance-sheets"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** The number of entries. */
  "recorded-count": number;
  /** The number of attendances that the sheet created or changed. */
  "changed-count": number;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "session": Identifier<"course-sessions">;
  "class": Identifier<"course-classes"> | null;
  "course": Identifier<"courses"> | null;
}

export interface CourseAttendanceSheetLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "session": { to: "course-sessions"; count: "one"; gone: false };
  "class": { to: "course-classes"; count: "none or one"; gone: false };
  "course": { to: "courses"; count: "none or one"; gone: false };
}

export interface CourseAttendanceSheetFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "session"?: AnyOf<string> | undefined;
  "class"?: AnyOf<string> | undefined;
  "course"?: AnyOf<string> | undefined;
}

export interface NewCourseAttendanceSheet {
  /** Each entry sets the attendance of its enrollment. A `note` and `minutes` that are not sent keep their values. Either all entries are written or none. */
  "entries": SheetEntry[];
  "session": Reference<"course-sessions">;
}

export interface CourseTaskType {
  "record": CourseTask;
  "links": CourseTaskLinks;
  "filters": CourseTaskFilters;
  "sorts": "id" | "order" | "name" | "created-at" | "modified-at";
  "create": NewCourseTask;
  "change": CourseTaskChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** A task of a course, for its students or its teachers. */
export interface CourseTask extends Base<"course-tasks"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** One line of text that is not blank. */
  "name": string;
  "instructions": string | null;
  /** A student graduates after all mandatory tasks for students are accepted. */
  "is-mandatory": boolean;
  "assigned-to": CourseMaterialAudience;
  "submission-type": CourseTaskSubmissionType;
  /** The last day on which the work is on time. Offsets count from the start of the class, or from the day of the enrollment. */
  "due": TaskDue;
  "points": number | null;
  "order": number | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "course": Identifier<"courses">;
  "lesson": Identifier<"course-lessons"> | null;
}

export interface CourseTaskLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "course": { to: "courses"; count: "one"; gone: false };
  "lesson": { to: "course-lessons"; count: "none or one"; gone: false };
}

export interface CourseTaskFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "course"?: AnyOf<string> | undefined;
  "lesson"?: AnyOf<string> | undefined;
  "assigned-to"?: AnyOf<"student" | "teacher"> | undefined;
}

export interface NewCourseTask {
  /** One line of text that is not blank. */
  "name": string;
  "instructions"?: string | null | undefined;
  /** A student graduates after all mandatory tasks for students are accepted. */
  "is-mandatory"?: boolean | undefined;
  "assigned-to"?: CourseMaterialAudience | undefined;
  "submission-type"?: CourseTaskSubmissionType | undefined;
  /** The last day on which the work is on time. Offsets count from the start of the class, or from the day of the enrollment. */
  "due"?: TaskDue | undefined;
  "points"?: number | null | undefined;
  "order"?: number | null | undefined;
  "course": Reference<"courses">;
  "lesson"?: Reference<"course-lessons"> | null | undefined;
}

export interface CourseTaskChanges {
  /** One line of text that is not blank. */
  "name"?: string | undefined;
  "instructions"?: string | null | undefined;
  /** A student graduates after all mandatory tasks for students are accepted. */
  "is-mandatory"?: boolean | undefined;
  "assigned-to"?: CourseMaterialAudience | undefined;
  "submission-type"?: CourseTaskSubmissionType | undefined;
  /** The last day on which the work is on time. Offsets count from the start of the class, or from the day of the enrollment. */
  "due"?: TaskDue | undefined;
  "points"?: number | null | undefined;
  "order"?: number | null | undefined;
  "lesson"?: Reference<"course-lessons"> | null | undefined;
}

export interface CourseTaskCompletionType {
  "record": CourseTaskCompletion;
  "links": CourseTaskCompletionLinks;
  "filters": CourseTaskCompletionFilters;
  "sorts": "id" | "submitted-at" | "created-at" | "modified-at";
  "create": NewCourseTaskCompletion;
  "change": CourseTaskCompletionChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": { "file": { creates: never; removable: false } };
}

/** The work that a student hands in for a task, and its review. */
export interface CourseTaskCompletion extends Base<"course-task-completions"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** Text that is not blank. Required for a task whose `submission-type` is `text`. A person can change their own. */
  "text": string | null;
  /** Required for a task whose `submission-type` is `url`. A person can change their own. */
  "url": WebAddress | null;
  "file": StoredFile | null;
  /** A person can change their own. */
  "student-comment": string | null;
  /** A reviewer sets `accepted`, `rejected` or `returned`. Work that was rejected or returned is `submitted` after the student changes `text`, `url` or the file. */
  "status": CourseTaskCompletionStatus;
  "teacher-comment": string | null;
  /** At most the `points` of the task. */
  "points-earned": number | null;
  /** Null if the task has no last day. */
  "was-on-time": boolean | null;
  "attempt-count": number;
  "submitted-at": Timestamp;
  "reviewed-at": Timestamp | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "task": Identifier<"course-tasks">;
  "enrollment": Identifier<"course-enrollments">;
  "person": Identifier<"people"> | null;
  "class": Identifier<"course-classes"> | null;
  "course": Identifier<"courses"> | null;
  "reviewed-by": Identifier<"people"> | null;
}

export interface CourseTaskCompletionLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "task": { to: "course-tasks"; count: "one"; gone: false };
  "enrollment": { to: "course-enrollments"; count: "one"; gone: false };
  "person": { to: "people"; count: "none or one"; gone: false };
  "class": { to: "course-classes"; count: "none or one"; gone: false };
  "course": { to: "courses"; count: "none or one"; gone: false };
  "reviewed-by": { to: "people"; count: "none or one"; gone: true };
}

export interface CourseTaskCompletionFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "task"?: AnyOf<string> | undefined;
  "course"?: AnyOf<string> | undefined;
  "class"?: AnyOf<string> | undefined;
  "enrollment"?: AnyOf<string> | undefined;
  "person"?: AnyOf<string> | undefined;
  "status"?: AnyOf<"submitted" | "accepted" | "rejected" | "returned"> | undefined;
}

export interface NewCourseTaskCompletion {
  /** Text that is not blank. Required for a task whose `submission-type` is `text`. A person can change their own. */
  "text"?: string | null | undefined;
  /** Required for a task whose `submission-type` is `url`. A person can change their own. */
  "url"?: WebAddress | null | undefined;
  /** A person can change their own. */
  "student-comment"?: string | null | undefined;
  /** A reviewer sets `accepted`, `rejected` or `returned`. Work that was rejected or returned is `submitted` after the student changes `text`, `url` or the file. */
  "status"?: CourseTaskCompletionStatus | undefined;
  "teacher-comment"?: string | null | undefined;
  /** At most the `points` of the task. */
  "points-earned"?: number | null | undefined;
  "task": Reference<"course-tasks">;
  "enrollment": Reference<"course-enrollments">;
}

export interface CourseTaskCompletionChanges {
  /** Text that is not blank. Required for a task whose `submission-type` is `text`. A person can change their own. */
  "text"?: string | null | undefined;
  /** Required for a task whose `submission-type` is `url`. A person can change their own. */
  "url"?: WebAddress | null | undefined;
  /** A person can change their own. */
  "student-comment"?: string | null | undefined;
  /** A reviewer sets `accepted`, `rejected` or `returned`. Work that was rejected or returned is `submitted` after the student changes `text`, `url` or the file. */
  "status"?: CourseTaskCompletionStatus | undefined;
  "teacher-comment"?: string | null | undefined;
  /** At most the `points` of the task. */
  "points-earned"?: number | null | undefined;
}

export interface CellType {
  "record": Cell;
  "links": CellLinks;
  "filters": CellFilters;
  "sorts": "id" | "name" | "weekday" | "members-count" | "last-meeting-on" | "created-at" | "modified-at";
  "create": NewCell;
  "change": CellChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": "tags";
  "files": {};
}

/** A small group, or a supervision of several. */
export interface Cell extends Base<"cells"> {
  "created-at"?: Timestamp;
  "modified-at"?: Timestamp;
  /** One line of text that is not blank. */
  "name": string;
  "cell-type"?: CellCellType;
  /** 0 for a cell, 1 to 5 for a supervision. A parent has a higher level than its children. */
  "level"?: number;
  "status": CellStatus;
  /** Callers with cell-texts:write can set it. */
  "description": string | null;
  "category": string | null;
  "gender-category": CellGenderCategory;
  "age-min": number | null;
  "age-max": number | null;
  /** 0 is Sunday. */
  "weekday": number | null;
  /** Minutes since midnight. */
  "starts-at": number | null;
  "ends-at": number | null;
  "frequency": CellFrequency;
  "is-online": boolean;
  /** Callers with cell-texts:write can set it. */
  "online-url"?: WebAddress | null;
  "address"?: Address | null;
  /** Setting it requires `cells:write` for the account. Setting it needs `cells:write` for the whole account. */
  "is-public"?: boolean;
  /** Setting it requires `cells:write` for the account. Setting it needs `cells:write` for the whole account. */
  "public-settings"?: CellPublicSettings;
  "join-policy": CourseEnrollmentPolicy;
  "capacity"?: number | null;
  "ideal-size"?: number | null;
  "multiplication-goal-date"?: CalendarDate | null;
  /** The first day of a recess. Without `recess-to`, the recess has no end yet. */
  "recess-from"?: CalendarDate | null;
  /** The last day of the recess. */
  "recess-to"?: CalendarDate | null;
  "opened-at"?: Timestamp;
  "closed-at"?: Timestamp | null;
  "closing-reason"?: string | null;
  /** Active memberships other than `visitor`. */
  "members-count"?: number;
  "last-meeting-on"?: CalendarDate | null;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties"?: Record<string, unknown>;
  "created-by"?: Identifier<"people"> | null;
  "modified-by"?: Identifier<"people"> | null;
  "parent"?: Identifier<"cells"> | null;
  "children"?: Identifier<"cells">[];
  "multiplied-from"?: Identifier<"cells"> | null;
  "memberships"?: Identifier<"cell-memberships">[];
  "meetings"?: Identifier<"cell-meetings">[];
  "leaders"?: Identifier<"people">[];
  "co-leaders"?: Identifier<"people">[];
  "trainees"?: Identifier<"people">[];
  "host"?: Identifier<"people"> | null;
  "supervisors"?: Identifier<"people">[];
  "tags"?: Identifier<"tags">[];
}

export interface CellLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "parent": { to: "cells"; count: "none or one"; gone: false };
  "children": { to: "cells"; count: "many"; gone: false };
  "multiplied-from": { to: "cells"; count: "none or one"; gone: false };
  "memberships": { to: "cell-memberships"; count: "many"; gone: false };
  "meetings": { to: "cell-meetings"; count: "many"; gone: false };
  "leaders": { to: "people"; count: "many"; gone: false };
  "co-leaders": { to: "people"; count: "many"; gone: false };
  "trainees": { to: "people"; count: "many"; gone: false };
  "host": { to: "people"; count: "none or one"; gone: false };
  "supervisors": { to: "people"; count: "many"; gone: false };
  "tags": { to: "tags"; count: "many"; gone: false };
}

export interface CellFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "q"?: string | undefined;
  "name"?: string | undefined;
  "status"?: AnyOf<"planned" | "active" | "in-recess" | "closed"> | undefined;
  "is-active"?: AnyOf<boolean> | undefined;
  "cell-type"?: AnyOf<"cell" | "supervision"> | undefined;
  "level"?: AnyOf<number> | undefined;
  "parent"?: AnyOf<string> | undefined;
  "tree"?: AnyOf<string> | undefined;
  "leader"?: AnyOf<string> | undefined;
  "weekday"?: AnyOf<number> | undefined;
  "category"?: string | undefined;
  "city"?: string | undefined;
  "neighborhood"?: string | undefined;
  "is-public"?: AnyOf<boolean> | undefined;
  "near"?: string | undefined;
  "without-leader"?: AnyOf<boolean> | undefined;
  "report-overdue"?: AnyOf<boolean> | undefined;
  "tag"?: AnyOf<string> | undefined;
  [field: `custom-properties.${string}`]: AnyOf<string | number | boolean> | undefined;
}

export interface NewCell {
  /** One line of text that is not blank. */
  "name": string;
  "cell-type"?: CellCellType | undefined;
  /** 0 for a cell, 1 to 5 for a supervision. A parent has a higher level than its children. */
  "level"?: number | undefined;
  /** Callers with cell-texts:write can set it. */
  "description"?: string | null | undefined;
  "category"?: string | null | undefined;
  "gender-category"?: CellGenderCategory | undefined;
  "age-min"?: number | null | undefined;
  "age-max"?: number | null | undefined;
  /** 0 is Sunday. */
  "weekday"?: number | null | undefined;
  /** Minutes since midnight. */
  "starts-at"?: number | null | undefined;
  "ends-at"?: number | null | undefined;
  "frequency"?: CellFrequency | undefined;
  "is-online"?: boolean | undefined;
  /** Callers with cell-texts:write can set it. */
  "online-url"?: WebAddress | null | undefined;
  "address"?: Address | null | undefined;
  /** Setting it requires `cells:write` for the account. Setting it needs `cells:write` for the whole account. */
  "is-public"?: boolean | undefined;
  /** Setting it requires `cells:write` for the account. Setting it needs `cells:write` for the whole account. */
  "public-settings"?: CellPublicSettings | undefined;
  "join-policy"?: CourseEnrollmentPolicy | undefined;
  "capacity"?: number | null | undefined;
  "ideal-size"?: number | null | undefined;
  "multiplication-goal-date"?: CalendarDate | null | undefined;
  /** The first day of a recess. Without `recess-to`, the recess has no end yet. */
  "recess-from"?: CalendarDate | null | undefined;
  /** The last day of the recess. */
  "recess-to"?: CalendarDate | null | undefined;
  "opened-at"?: Timestamp | undefined;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties"?: Record<string, unknown> | undefined;
  "parent"?: Reference<"cells"> | null | undefined;
  "tags"?: readonly Reference<"tags">[] | undefined;
}

export interface CellChanges {
  /** One line of text that is not blank. */
  "name"?: string | undefined;
  "cell-type"?: CellCellType | undefined;
  /** 0 for a cell, 1 to 5 for a supervision. A parent has a higher level than its children. */
  "level"?: number | undefined;
  /** Callers with cell-texts:write can set it. */
  "description"?: string | null | undefined;
  "category"?: string | null | undefined;
  "gender-category"?: CellGenderCategory | undefined;
  "age-min"?: number | null | undefined;
  "age-max"?: number | null | undefined;
  /** 0 is Sunday. */
  "weekday"?: number | null | undefined;
  /** Minutes since midnight. */
  "starts-at"?: number | null | undefined;
  "ends-at"?: number | null | undefined;
  "frequency"?: CellFrequency | undefined;
  "is-online"?: boolean | undefined;
  /** Callers with cell-texts:write can set it. */
  "online-url"?: WebAddress | null | undefined;
  "address"?: Address | null | undefined;
  /** Setting it requires `cells:write` for the account. Setting it needs `cells:write` for the whole account. */
  "is-public"?: boolean | undefined;
  /** Setting it requires `cells:write` for the account. Setting it needs `cells:write` for the whole account. */
  "public-settings"?: CellPublicSettings | undefined;
  "join-policy"?: CourseEnrollmentPolicy | undefined;
  "capacity"?: number | null | undefined;
  "ideal-size"?: number | null | undefined;
  "multiplication-goal-date"?: CalendarDate | null | undefined;
  /** The first day of a recess. Without `recess-to`, the recess has no end yet. */
  "recess-from"?: CalendarDate | null | undefined;
  /** The last day of the recess. */
  "recess-to"?: CalendarDate | null | undefined;
  "opened-at"?: Timestamp | undefined;
  /** The custom fields that the account defines. An update changes only the fields it names, and null removes a value. */
  "custom-properties"?: Record<string, unknown> | undefined;
  "parent"?: Reference<"cells"> | null | undefined;
  "tags"?: readonly Reference<"tags">[] | undefined;
}

export interface CellClosingType {
  "record": CellClosing;
  "links": CellClosingLinks;
  "filters": CellClosingFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": NewCellClosing;
  "change": never;
  "does": "list" | "get" | "create";
  "linkable": never;
  "files": {};
}

/** The closing of a cell. All of its effects happen together. */
export interface CellClosing extends Base<"cell-closings"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "closing-reason": string | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "cell": Identifier<"cells">;
  "moved-to": Identifier<"cells"> | null;
}

export interface CellClosingLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "cell": { to: "cells"; count: "one"; gone: false };
  "moved-to": { to: "cells"; count: "none or one"; gone: false };
}

export interface CellClosingFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "cell"?: AnyOf<string> | undefined;
}

export interface NewCellClosing {
  "closing-reason"?: string | null | undefined;
  "cell": Reference<"cells">;
  "moved-to"?: Reference<"cells"> | null | undefined;
}

export interface CellReopeningType {
  "record": CellReopening;
  "links": CellReopeningLinks;
  "filters": CellReopeningFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": NewCellReopening;
  "change": never;
  "does": "list" | "get" | "create";
  "linkable": never;
  "files": {};
}

/** The reopening of a closed cell. The cell has no members. */
export interface CellReopening extends Base<"cell-reopenings"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "cell": Identifier<"cells">;
}

export interface CellReopeningLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "cell": { to: "cells"; count: "one"; gone: false };
}

export interface CellReopeningFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "cell"?: AnyOf<string> | undefined;
}

export interface NewCellReopening {
  "cell": Reference<"cells">;
}

export interface CellMembershipType {
  "record": CellMembership;
  "links": CellMembershipLinks;
  "filters": CellMembershipFilters;
  "sorts": "id" | "created-at" | "modified-at" | "joined-on";
  "create": NewCellMembership;
  "change": CellMembershipChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** The membership of a person in a cell. Past memberships are kept. */
export interface CellMembership extends Base<"cell-memberships"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "cell-role": CellMembershipCellRole;
  /** A person can change their own. */
  "status": CellMembershipStatus;
  /** Defaults to today. */
  "joined-on": CalendarDate;
  /** The last day. Defaults to today when the membership ends. A person can change their own. */
  "left-on": CalendarDate | null;
  /** Defaults to `other` when the membership ends. A person can change their own. */
  "left-reason": CellMembershipLeftReason | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "cell": Identifier<"cells">;
  "person": Identifier<"people"> | null;
}

export interface CellMembershipLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "cell": { to: "cells"; count: "one"; gone: false };
  "person": { to: "people"; count: "one until deleted"; gone: false };
}

export interface CellMembershipFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "cell"?: AnyOf<string> | undefined;
  "tree"?: AnyOf<string> | undefined;
  "person"?: AnyOf<string> | undefined;
  "cell-role"?: AnyOf<"leader" | "co-leader" | "trainee" | "host" | "secretary" | "participant" | "visitor"> | undefined;
  "status"?: AnyOf<"active" | "left"> | undefined;
  "joined-since"?: string | undefined;
}

export interface NewCellMembership {
  "cell-role": CellMembershipCellRole;
  /** A person can change their own. */
  "status"?: CellMembershipStatus | undefined;
  /** Defaults to today. */
  "joined-on"?: CalendarDate | undefined;
  /** The last day. Defaults to today when the membership ends. A person can change their own. */
  "left-on"?: CalendarDate | null | undefined;
  /** Defaults to `other` when the membership ends. A person can change their own. */
  "left-reason"?: CellMembershipLeftReason | null | undefined;
  "cell": Reference<"cells">;
  "person": Reference<"people">;
}

export interface CellMembershipChanges {
  "cell-role"?: CellMembershipCellRole | undefined;
  /** A person can change their own. */
  "status"?: CellMembershipStatus | undefined;
  /** Defaults to today. */
  "joined-on"?: CalendarDate | undefined;
  /** The last day. Defaults to today when the membership ends. A person can change their own. */
  "left-on"?: CalendarDate | null | undefined;
  /** Defaults to `other` when the membership ends. A person can change their own. */
  "left-reason"?: CellMembershipLeftReason | null | undefined;
}

export interface CellTransferType {
  "record": CellTransfer;
  "links": CellTransferLinks;
  "filters": CellTransferFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": NewCellTransfer;
  "change": never;
  "does": "list" | "get" | "create" | "delete";
  "linkable": never;
  "files": {};
}

/** The move of people from one cell to another. All of its effects happen together. */
export interface CellTransfer extends Base<"cell-transfers"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** The end of the memberships and the beginning of the new ones. Defaults to today. */
  "transferred-on": CalendarDate;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "memberships"?: Identifier<"cell-memberships">[];
  "from-cell": Identifier<"cells"> | null;
  "to-cell": Identifier<"cells">;
}

export interface CellTransferLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "memberships": { to: "cell-memberships"; count: "many"; gone: false };
  "from-cell": { to: "cells"; count: "none or one"; gone: false };
  "to-cell": { to: "cells"; count: "one"; gone: false };
}

export interface CellTransferFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "cell"?: AnyOf<string> | undefined;
  "from-cell"?: AnyOf<string> | undefined;
  "to-cell"?: AnyOf<string> | undefined;
}

export interface NewCellTransfer {
  /** The end of the memberships and the beginning of the new ones. Defaults to today. */
  "transferred-on"?: CalendarDate | undefined;
  "memberships": readonly Reference<"cell-memberships">[];
  "to-cell": Reference<"cells">;
}

export interface CellJoinRequestType {
  "record": CellJoinRequest;
  "links": CellJoinRequestLinks;
  "filters": CellJoinRequestFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": NewCellJoinRequest;
  "change": CellJoinRequestChanges;
  "does": "list" | "get" | "create" | "update";
  "linkable": never;
  "files": {};
}

/** A request to join a cell, of a person or of somebody with contact data only. */
export interface CellJoinRequest extends Base<"cell-join-requests"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** A person can change their own. */
  "message": string | null;
  /** For an unknown person, instead of `person`: a name, and an e-mail address or a telephone number. Deleted 90 days after the decision. */
  "contact": CourseEnrollmentNewPerson | null;
  /** The requester sets `cancelled`. `approved` and `declined` require `cell-join-requests:approve`. Callers with cell-join-requests:approve can set it. A person can change their own. */
  "status": CourseEnrollmentRequestStatus;
  /** Callers with cell-join-requests:approve can set it. */
  "decline-reason": string | null;
  "source": CellJoinRequestSource;
  /** Whether the owner of the e-mail address confirmed the request. */
  "is-confirmed": boolean;
  "decided-at": Timestamp | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "cell": Identifier<"cells">;
  "person": Identifier<"people"> | null;
  "decided-by": Identifier<"people"> | null;
}

export interface CellJoinRequestLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "cell": { to: "cells"; count: "one"; gone: false };
  "person": { to: "people"; count: "none or one"; gone: false };
  "decided-by": { to: "people"; count: "none or one"; gone: true };
}

export interface CellJoinRequestFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "cell"?: AnyOf<string> | undefined;
  "tree"?: AnyOf<string> | undefined;
  "person"?: AnyOf<string> | undefined;
  "status"?: AnyOf<"pending" | "approved" | "declined" | "cancelled"> | undefined;
  "source"?: AnyOf<"staff" | "self" | "public"> | undefined;
}

export interface NewCellJoinRequest {
  /** A person can change their own. */
  "message"?: string | null | undefined;
  /** For an unknown person, instead of `person`: a name, and an e-mail address or a telephone number. Deleted 90 days after the decision. */
  "contact"?: CourseEnrollmentNewPerson | null | undefined;
  "cell": Reference<"cells">;
  "person"?: Reference<"people"> | null | undefined;
}

export interface CellJoinRequestChanges {
  /** A person can change their own. */
  "message"?: string | null | undefined;
  /** The requester sets `cancelled`. `approved` and `declined` require `cell-join-requests:approve`. Callers with cell-join-requests:approve can set it. A person can change their own. */
  "status"?: CourseEnrollmentRequestStatus | undefined;
  /** Callers with cell-join-requests:approve can set it. */
  "decline-reason"?: string | null | undefined;
  "person"?: Reference<"people"> | null | undefined;
}

export interface CellMultiplicationType {
  "record": CellMultiplication;
  "links": CellMultiplicationLinks;
  "filters": CellMultiplicationFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": NewCellMultiplication;
  "change": CellMultiplicationChanges;
  "does": "list" | "get" | "create" | "update";
  "linkable": never;
  "files": {};
}

/** The multiplication of a cell into two: proposed by its leaders, then approved. */
export interface CellMultiplication extends Base<"cell-multiplications"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** Members that are left out default to the values of the parent cell. */
  "new-cell": CellMultiplicationNewCell;
  "note": string | null;
  /** Set it to `approved` to carry out the multiplication, which returns `done`, or to `rejected`. Callers with cell-multiplications:approve can set it. */
  "status": CellMultiplicationStatus;
  /** Callers with cell-multiplications:approve can set it. */
  "decline-reason": string | null;
  "decided-at": Timestamp | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "parent-cell": Identifier<"cells">;
  "members"?: Identifier<"people">[];
  "leaders"?: Identifier<"people">[];
  "resulting-cell": Identifier<"cells"> | null;
  "decided-by": Identifier<"people"> | null;
}

export interface CellMultiplicationLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "parent-cell": { to: "cells"; count: "one"; gone: false };
  "members": { to: "people"; count: "many"; gone: false };
  "leaders": { to: "people"; count: "many"; gone: false };
  "resulting-cell": { to: "cells"; count: "none or one"; gone: false };
  "decided-by": { to: "people"; count: "none or one"; gone: true };
}

export interface CellMultiplicationFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "parent-cell"?: AnyOf<string> | undefined;
  "status"?: AnyOf<"proposed" | "rejected" | "done"> | undefined;
  "tree"?: AnyOf<string> | undefined;
}

export interface NewCellMultiplication {
  /** Members that are left out default to the values of the parent cell. */
  "new-cell": CellMultiplicationNewCell;
  "note"?: string | null | undefined;
  "parent-cell": Reference<"cells">;
  "members": readonly Reference<"people">[];
  "leaders": readonly Reference<"people">[];
}

export interface CellMultiplicationChanges {
  /** Members that are left out default to the values of the parent cell. */
  "new-cell"?: CellMultiplicationNewCell | undefined;
  "note"?: string | null | undefined;
  /** Set it to `approved` to carry out the multiplication, which returns `done`, or to `rejected`. Callers with cell-multiplications:approve can set it. */
  "status"?: CellMultiplicationStatus | undefined;
  /** Callers with cell-multiplications:approve can set it. */
  "decline-reason"?: string | null | undefined;
  "members"?: readonly Reference<"people">[] | undefined;
  "leaders"?: readonly Reference<"people">[] | undefined;
}

export interface CellMeetingType {
  "record": CellMeeting;
  "links": CellMeetingLinks;
  "filters": CellMeetingFilters;
  "sorts": "id" | "date" | "created-at" | "modified-at";
  "create": NewCellMeeting;
  "change": CellMeetingChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** A planned or reported meeting of a cell. */
export interface CellMeeting extends Base<"cell-meetings"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "date": CalendarDate;
  /** Minutes after midnight. Defaults to the value of the cell. */
  "starts-at": number | null;
  /** Minutes after midnight. Defaults to the value of the cell. */
  "ends-at": number | null;
  /** Defaults to the value of the cell. */
  "is-online": boolean;
  "theme": string | null;
  "summary": string | null;
  "status": CellMeetingStatus;
  /** One line of text that is not blank. Required when the status is `not-held`, and null otherwise. */
  "not-held-reason": string | null;
  /** The leader's own count. Defaults to the number of `visitors` in the report. */
  "visitors-count": number | null;
  "children-count": number | null;
  "decisions-count": number | null;
  /** In minor units. Accepted while the setting `meeting-offerings` is true. */
  "offering-amount": number | null;
  "offering-currency": CurrencyCode | null;
  "present-count": number;
  /** The number of members on the day of the meeting, counted by the first report. */
  "members-count": number | null;
  "report-status": CellMeetingReportStatus | null;
  "submitted-at": Timestamp | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "cell": Identifier<"cells">;
  "submitted-by": Identifier<"people"> | null;
  "attendances"?: Identifier<"cell-attendances">[];
}

export interface CellMeetingLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "cell": { to: "cells"; count: "one"; gone: false };
  "submitted-by": { to: "people"; count: "none or one"; gone: true };
  "attendances": { to: "cell-attendances"; count: "many"; gone: false };
}

export interface CellMeetingFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "cell"?: AnyOf<string> | undefined;
  "tree"?: AnyOf<string> | undefined;
  "status"?: AnyOf<"scheduled" | "held" | "not-held" | "cancelled"> | undefined;
  "report-status"?: AnyOf<"not-due" | "due" | "overdue" | "submitted" | "late"> | undefined;
  "from"?: string | undefined;
  "to"?: string | undefined;
}

export interface NewCellMeeting {
  "date": CalendarDate;
  /** Minutes after midnight. Defaults to the value of the cell. */
  "starts-at"?: number | null | undefined;
  /** Minutes after midnight. Defaults to the value of the cell. */
  "ends-at"?: number | null | undefined;
  /** Defaults to the value of the cell. */
  "is-online"?: boolean | undefined;
  "theme"?: string | null | undefined;
  "summary"?: string | null | undefined;
  "status"?: CellMeetingStatus | undefined;
  /** One line of text that is not blank. Required when the status is `not-held`, and null otherwise. */
  "not-held-reason"?: string | null | undefined;
  /** The leader's own count. Defaults to the number of `visitors` in the report. */
  "visitors-count"?: number | null | undefined;
  "children-count"?: number | null | undefined;
  "decisions-count"?: number | null | undefined;
  /** In minor units. Accepted while the setting `meeting-offerings` is true. */
  "offering-amount"?: number | null | undefined;
  "offering-currency"?: CurrencyCode | null | undefined;
  /** Each entry sets the attendance of its person. People who are not named keep theirs. */
  "attendance"?: AttendanceEntry[] | undefined;
  /** Each entry adds a prospect, who is a visitor of the cell, as present. */
  "visitors"?: Visitor[] | undefined;
  "cell": Reference<"cells">;
}

export interface CellMeetingChanges {
  "date"?: CalendarDate | undefined;
  /** Minutes after midnight. Defaults to the value of the cell. */
  "starts-at"?: number | null | undefined;
  /** Minutes after midnight. Defaults to the value of the cell. */
  "ends-at"?: number | null | undefined;
  /** Defaults to the value of the cell. */
  "is-online"?: boolean | undefined;
  "theme"?: string | null | undefined;
  "summary"?: string | null | undefined;
  "status"?: CellMeetingStatus | undefined;
  /** One line of text that is not blank. Required when the status is `not-held`, and null otherwise. */
  "not-held-reason"?: string | null | undefined;
  /** The leader's own count. Defaults to the number of `visitors` in the report. */
  "visitors-count"?: number | null | undefined;
  "children-count"?: number | null | undefined;
  "decisions-count"?: number | null | undefined;
  /** In minor units. Accepted while the setting `meeting-offerings` is true. */
  "offering-amount"?: number | null | undefined;
  "offering-currency"?: CurrencyCode | null | undefined;
  /** Each entry sets the attendance of its person. People who are not named keep theirs. */
  "attendance"?: AttendanceEntry[] | undefined;
  /** Each entry adds a prospect, who is a visitor of the cell, as present. */
  "visitors"?: Visitor[] | undefined;
}

export interface CellAttendanceType {
  "record": CellAttendance;
  "links": CellAttendanceLinks;
  "filters": CellAttendanceFilters;
  "sorts": "id" | "date" | "created-at" | "modified-at";
  "create": never;
  "change": never;
  "does": "list" | "get" | "delete";
  "linkable": never;
  "files": {};
}

/** The attendance of a person at a meeting of a cell. The report of the meeting writes it. */
export interface CellAttendance extends Base<"cell-attendances"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** `missed` is a row of `filter[with-missed]`. */
  "status": CellAttendanceStatus;
  "is-visitor": boolean;
  "first-time": boolean;
  "note": string | null;
  "date": CalendarDate;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "meeting": Identifier<"cell-meetings"> | null;
  "cell": Identifier<"cells"> | null;
  "person": Identifier<"people"> | null;
}

export interface CellAttendanceLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "meeting": { to: "cell-meetings"; count: "none or one"; gone: false };
  "cell": { to: "cells"; count: "none or one"; gone: false };
  "person": { to: "people"; count: "none or one"; gone: false };
}

export interface CellAttendanceFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "cell"?: AnyOf<string> | undefined;
  "tree"?: AnyOf<string> | undefined;
  "person"?: AnyOf<string> | undefined;
  "meeting"?: AnyOf<string> | undefined;
  "status"?: AnyOf<"present" | "absent" | "excused" | "online" | "missed"> | undefined;
  "is-visitor"?: AnyOf<boolean> | undefined;
  "from"?: string | undefined;
  "to"?: string | undefined;
  "with-missed"?: AnyOf<boolean> | undefined;
}

export interface CellReportSummaryType {
  "record": CellReportSummary;
  "links": CellReportSummaryLinks;
  "filters": CellReportSummaryFilters;
  "sorts": "week";
  "create": never;
  "change": never;
  "does": "list";
  "linkable": never;
  "files": {};
}

/** The meetings and reports of a cell in one week. */
export interface CellReportSummary extends Base<"cell-report-summaries"> {
  "week": CalendarDate;
  "expected": number;
  "submitted": number;
  "held": number;
  "present": number;
  "visitors": number;
  "members": number | null;
  "rate": number | null;
  /** The percentage of the members of the days of the held meetings who were present. */
  "attendance-rate": number | null;
  "cell": Identifier<"cells">;
}

export interface CellReportSummaryLinks {
  "cell": { to: "cells"; count: "one"; gone: false };
}

export interface CellReportSummaryFilters {
  "cell"?: AnyOf<string> | undefined;
  "tree"?: AnyOf<string> | undefined;
  "from"?: string | undefined;
  "to"?: string | undefined;
}

export interface CellReportTotalType {
  "record": CellReportTotal;
  "links": CellReportTotalLinks;
  "filters": CellReportTotalFilters;
  "sorts": "week";
  "create": never;
  "change": never;
  "does": "list";
  "linkable": never;
  "files": {};
}

/** The meetings and reports of all cells in one week, or of those below one supervision. */
export interface CellReportTotal extends Base<"cell-report-totals"> {
  "week": CalendarDate;
  "expected": number;
  "submitted": number;
  "held": number;
  "present": number;
  "visitors": number;
  "members": number | null;
  "rate": number | null;
  /** The percentage of the members of the days of the held meetings who were present. */
  "attendance-rate": number | null;
  "supervision": Identifier<"cells"> | null;
}

export interface CellReportTotalLinks {
  "supervision": { to: "cells"; count: "none or one"; gone: false };
}

export interface CellReportTotalFilters {
  "tree"?: AnyOf<string> | undefined;
  "group"?: "supervision" | undefined;
  "from"?: string | undefined;
  "to"?: string | undefined;
}

export interface FormType {
  "record": Form;
  "links": FormLinks;
  "filters": FormFilters;
  "sorts": "id" | "created-at" | "modified-at" | "name";
  "create": NewForm;
  "change": FormChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** A form that visitors of a website, members and staff fill in. */
export interface Form extends Base<"forms"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** One line of text that is not blank. */
  "name": string;
  "description": string | null;
  /** 1 to 80 lower-case letters, digits and single dashes between them. The address of the form on websites. */
  "slug": string | null;
  /** Websites show an `open` form between `opens-at` and `closes-at`, and below `max-submissions`. */
  "status": FormStatus;
  "opens-at": Timestamp | null;
  "closes-at": Timestamp | null;
  "max-submissions"?: number | null;
  /** The submissions of visitors that the form takes in an hour. */
  "max-per-hour"?: number;
  /** People fill in the form after they log in. Websites do not show it. */
  "requires-login": boolean;
  /** The questions in their order. */
  "fields": FormField[];
  /** A submission then needs the consent of its sender. */
  "privacy-notice": string | null;
  /** Increases with every change of `fields` or `privacy-notice`. */
  "version": number;
  /** The steps for which a submission is processed. `notify` are people who get a mail about each arrival. */
  "actions"?: FormActions;
  "confirmation-message": string | null;
  /** The sender confirms the e-mail address by a link. */
  "confirmation-email"?: boolean;
  /** `pow`: the page of the form solves a computing task, which slows down robots. */
  "challenge"?: FormChallenge;
  /** Submissions are deleted after this time. */
  "retention-days": number;
  /** The submissions that are no spam. */
  "submissions-count"?: number;
  "created-by"?: Identifier<"people"> | null;
  "modified-by"?: Identifier<"people"> | null;
  "owner"?: Identifier<"people"> | null;
  "cell"?: Identifier<"cells"> | null;
  "course"?: Identifier<"courses"> | null;
  "totals"?: Identifier<"form-totals"> | null;
}

export interface FormLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "owner": { to: "people"; count: "none or one"; gone: false };
  "cell": { to: "cells"; count: "none or one"; gone: false };
  "course": { to: "courses"; count: "none or one"; gone: false };
  "totals": { to: "form-totals"; count: "none or one"; gone: false };
}

export interface FormFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "name"?: string | undefined;
  "slug"?: string | undefined;
  "status"?: AnyOf<"draft" | "open" | "closed" | "archived"> | undefined;
  "cell"?: AnyOf<string> | undefined;
  "course"?: AnyOf<string> | undefined;
  "owner"?: AnyOf<string> | undefined;
}

export interface NewForm {
  /** One line of text that is not blank. */
  "name": string;
  "description"?: string | null | undefined;
  /** 1 to 80 lower-case letters, digits and single dashes between them. The address of the form on websites. */
  "slug"?: string | null | undefined;
  /** Websites show an `open` form between `opens-at` and `closes-at`, and below `max-submissions`. */
  "status"?: FormStatus | undefined;
  "opens-at"?: Timestamp | null | undefined;
  "closes-at"?: Timestamp | null | undefined;
  "max-submissions"?: number | null | undefined;
  /** The submissions of visitors that the form takes in an hour. */
  "max-per-hour"?: number | undefined;
  /** People fill in the form after they log in. Websites do not show it. */
  "requires-login"?: boolean | undefined;
  /** The questions in their order. */
  "fields": FormField[];
  /** A submission then needs the consent of its sender. */
  "privacy-notice"?: string | null | undefined;
  /** The steps for which a submission is processed. `notify` are people who get a mail about each arrival. */
  "actions"?: FormActions | undefined;
  "confirmation-message"?: string | null | undefined;
  /** The sender confirms the e-mail address by a link. */
  "confirmation-email"?: boolean | undefined;
  /** `pow`: the page of the form solves a computing task, which slows down robots. */
  "challenge"?: FormChallenge | undefined;
  /** Submissions are deleted after this time. */
  "retention-days"?: number | undefined;
  "owner"?: Reference<"people"> | null | undefined;
  "cell"?: Reference<"cells"> | null | undefined;
  "course"?: Reference<"courses"> | null | undefined;
}

export interface FormChanges {
  /** One line of text that is not blank. */
  "name"?: string | undefined;
  "description"?: string | null | undefined;
  /** 1 to 80 lower-case letters, digits and single dashes between them. The address of the form on websites. */
  "slug"?: string | null | undefined;
  /** Websites show an `open` form between `opens-at` and `closes-at`, and below `max-submissions`. */
  "status"?: FormStatus | undefined;
  "opens-at"?: Timestamp | null | undefined;
  "closes-at"?: Timestamp | null | undefined;
  "max-submissions"?: number | null | undefined;
  /** The submissions of visitors that the form takes in an hour. */
  "max-per-hour"?: number | undefined;
  /** People fill in the form after they log in. Websites do not show it. */
  "requires-login"?: boolean | undefined;
  /** The questions in their order. */
  "fields"?: FormField[] | undefined;
  /** A submission then needs the consent of its sender. */
  "privacy-notice"?: string | null | undefined;
  /** The steps for which a submission is processed. `notify` are people who get a mail about each arrival. */
  "actions"?: FormActions | undefined;
  "confirmation-message"?: string | null | undefined;
  /** The sender confirms the e-mail address by a link. */
  "confirmation-email"?: boolean | undefined;
  /** `pow`: the page of the form solves a computing task, which slows down robots. */
  "challenge"?: FormChallenge | undefined;
  /** Submissions are deleted after this time. */
  "retention-days"?: number | undefined;
  "owner"?: Reference<"people"> | null | undefined;
}

export interface FormVersionType {
  "record": FormVersion;
  "links": FormVersionLinks;
  "filters": FormVersionFilters;
  "sorts": "id" | "created-at" | "modified-at" | "number";
  "create": never;
  "change": never;
  "does": "list" | "get";
  "linkable": never;
  "files": {};
}

/** The questions and the privacy notice that a submission answered. */
export interface FormVersion extends Base<"form-versions"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "number": number;
  "fields": FormField[];
  "privacy-notice": string | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "form": Identifier<"forms"> | null;
}

export interface FormVersionLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "form": { to: "forms"; count: "none or one"; gone: false };
}

export interface FormVersionFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "form"?: AnyOf<string> | undefined;
  "number"?: AnyOf<number> | undefined;
}

export interface FormSubmissionType {
  "record": FormSubmission;
  "links": FormSubmissionLinks;
  "filters": FormSubmissionFilters;
  "sorts": "id" | "created-at" | "modified-at" | "submitted-at";
  "create": NewFormSubmission;
  "change": FormSubmissionChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** The answers of a person to a form. */
export interface FormSubmission extends Base<"form-submissions"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "submitted-at": Timestamp;
  /** The answers by the keys of the fields. Answers to hidden fields are dropped, and elements of HTML are removed. At most 64 KiB. A person can change their own. */
  "answers": Record<string, unknown>;
  "form-version": number;
  /** `processed` carries out the actions of the form together, or is rejected. */
  "status": FormSubmissionStatus;
  "source": FormSubmissionSource;
  /** Callers send `true`. Answers have null, or an object with the `version` of the form and the time `granted-at`. Required if the form has a `privacy-notice`. A person can change their own. */
  "consent": unknown;
  /** Whether the owner of the e-mail address confirmed the submission. */
  "is-confirmed": boolean;
  /** `suggested` if the caller can read one of the people whom the service suggests. `linked` if the submission has a `person`. */
  "match": FormSubmissionMatch;
  /** While the submission is `new`: the values of the linked person, or of the first suggested one whom the caller can read, that differ from the answers, by attribute, as `from` and `to`. Visible only with `person-details:read` for the whole account. */
  "suggested-changes"?: Record<string, unknown>;
  "spam-score": number;
  /** The records that the actions created. */
  "results": FormSubmissionResults | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "form": Identifier<"forms">;
  "person": Identifier<"people"> | null;
  "suggested-people"?: Identifier<"people">[];
  "reviewed-by": Identifier<"people"> | null;
}

export interface FormSubmissionLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "form": { to: "forms"; count: "one"; gone: false };
  "person": { to: "people"; count: "none or one"; gone: false };
  "suggested-people": { to: "people"; count: "many"; gone: false };
  "reviewed-by": { to: "people"; count: "none or one"; gone: true };
}

export interface FormSubmissionFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "form"?: AnyOf<string> | undefined;
  "status"?: AnyOf<"new" | "processed" | "rejected" | "spam" | "archived"> | undefined;
  "person"?: AnyOf<string> | undefined;
  "match"?: AnyOf<"linked" | "suggested" | "none"> | undefined;
  "source"?: AnyOf<"public" | "staff" | "member" | "import"> | undefined;
  "since"?: string | undefined;
  "until"?: string | undefined;
  "submitted-from"?: string | undefined;
  "submitted-to"?: string | undefined;
  "email"?: string | undefined;
  "q"?: string | undefined;
}

export interface NewFormSubmission {
  /** The answers by the keys of the fields. Answers to hidden fields are dropped, and elements of HTML are removed. At most 64 KiB. A person can change their own. */
  "answers": Record<string, unknown>;
  /** Callers send `true`. Answers have null, or an object with the `version` of the form and the time `granted-at`. Required if the form has a `privacy-notice`. A person can change their own. */
  "consent"?: unknown;
  "form": Reference<"forms">;
  "person"?: Reference<"people"> | null | undefined;
}

export interface FormSubmissionChanges {
  /** `processed` carries out the actions of the form together, or is rejected. */
  "status"?: FormSubmissionStatus | undefined;
  /** With the status `processed` and a `person`: the attributes that get the values of the answers. Requires `people:write`. */
  "accepted-changes"?: string[] | null | undefined;
  /** With the status `processed` and without a `person`: `true` creates the person although the account may have the sender already. */
  "create-person"?: boolean | null | undefined;
  "person"?: Reference<"people"> | null | undefined;
}

export interface FormSubmissionChangeType {
  "record": FormSubmissionChange;
  "links": FormSubmissionChangeLinks;
  "filters": never;
  "sorts": never;
  "create": NewFormSubmissionChange;
  "change": never;
  "does": "get" | "create";
  "linkable": never;
  "files": {};
}

/** One decision about several submissions. */
export interface FormSubmissionChange extends Base<"form-submission-changes"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "status": FormSubmissionChangeStatus;
  /** The result for each submission, in the order of the document. `forbidden`: the caller may read it, and not decide it. */
  "results": FormSubmissionChangeResult[];
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "form-submissions"?: Identifier<"form-submissions">[];
}

export interface FormSubmissionChangeLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "form-submissions": { to: "form-submissions"; count: "many"; gone: false };
}

export interface NewFormSubmissionChange {
  "status": FormSubmissionChangeStatus;
  "form-submissions": readonly Reference<"form-submissions">[];
}

export interface FormTotalType {
  "record": FormTotal;
  "links": FormTotalLinks;
  "filters": never;
  "sorts": never;
  "create": never;
  "change": never;
  "does": "get";
  "linkable": never;
  "files": {};
}

/** The submissions of a form in numbers. Spam and declined submissions do not count. */
export interface FormTotal extends Base<"form-totals"> {
  /** For each field with options, how often each of its values was chosen, the most frequent first. For each number, the sum. */
  "fields": FormTotalField[];
  /** The number of submissions by their `source`. */
  "sources": Record<string, number>;
  /** Those of the last 90 days, by the day in the time zone of the account. */
  "days": FormTotalDay[];
}

export interface FormTotalLinks {

}

export interface NoteType {
  "record": Note;
  "links": NoteLinks;
  "filters": NoteFilters;
  "sorts": "id" | "created-at" | "modified-at" | "follow-up-on";
  "create": NewNote;
  "change": NoteChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** A note about a person, a household or a cell, which can ask for a follow-up. */
export interface Note extends Base<"notes"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** Text that is not blank. */
  "text": string;
  /** One line of text that is not blank. */
  "kind": string | null;
  /** `scope`: callers with `notes:read` at the cell or class where the note was written, or for the subject if an author of the whole account wrote it. `staff`: callers with `notes:read` for the account. `confidential`: callers with `note-confidential:read`. The author and the assignee always see the note. */
  "visibility": NoteVisibility;
  "follow-up-on": CalendarDate | null;
  /** Null without `follow-up-on`. With it, `open` by default. Callers with notes:read can set it. */
  "follow-up-status": NoteFollowUpStatus | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "about": Identifier<"people" | "households" | "cells">;
  "author": Identifier<"people"> | null;
  "assignee": Identifier<"people"> | null;
}

export interface NoteLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "about": { to: "people" | "households" | "cells"; count: "one"; gone: false };
  "author": { to: "people"; count: "none or one"; gone: false };
  "assignee": { to: "people"; count: "none or one"; gone: false };
}

export interface NoteFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "about"?: AnyOf<string> | undefined;
  "author"?: AnyOf<string> | undefined;
  "assignee"?: AnyOf<string> | undefined;
  "kind"?: string | undefined;
  "follow-up-status"?: AnyOf<"open" | "done"> | undefined;
  "follow-up-until"?: string | undefined;
}

export interface NewNote {
  /** Text that is not blank. */
  "text": string;
  /** One line of text that is not blank. */
  "kind"?: string | null | undefined;
  /** `scope`: callers with `notes:read` at the cell or class where the note was written, or for the subject if an author of the whole account wrote it. `staff`: callers with `notes:read` for the account. `confidential`: callers with `note-confidential:read`. The author and the assignee always see the note. */
  "visibility"?: NoteVisibility | undefined;
  "follow-up-on"?: CalendarDate | null | undefined;
  /** Null without `follow-up-on`. With it, `open` by default. Callers with notes:read can set it. */
  "follow-up-status"?: NoteFollowUpStatus | null | undefined;
  "about": Identifier<"people"> | Identifier<"households"> | Identifier<"cells">;
  "assignee"?: Reference<"people"> | null | undefined;
}

export interface NoteChanges {
  /** Text that is not blank. */
  "text"?: string | undefined;
  /** One line of text that is not blank. */
  "kind"?: string | null | undefined;
  /** `scope`: callers with `notes:read` at the cell or class where the note was written, or for the subject if an author of the whole account wrote it. `staff`: callers with `notes:read` for the account. `confidential`: callers with `note-confidential:read`. The author and the assignee always see the note. */
  "visibility"?: NoteVisibility | undefined;
  "follow-up-on"?: CalendarDate | null | undefined;
  /** Null without `follow-up-on`. With it, `open` by default. Callers with notes:read can set it. */
  "follow-up-status"?: NoteFollowUpStatus | null | undefined;
  "assignee"?: Reference<"people"> | null | undefined;
}

export interface ImportJobType {
  "record": ImportJob;
  "links": ImportJobLinks;
  "filters": ImportJobFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": NewImportJob;
  "change": ImportJobChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** The import of a CSV file, from the upload to the undo. */
export interface ImportJob extends Base<"import-jobs"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** The type of the records that the rows become. */
  "kind": ImportJobKind;
  /** The columns of the file by their headers, and the target of each: an attribute, or a name such as that of a household. Other columns are ignored. */
  "mapping": Record<string, string>;
  /** By column, the value that each text stands for. Case and accents are ignored. An empty value means a blank cell. Choices are also understood by their labels in English and in the language of the account. */
  "value-mapping": Record<string, Record<string, string>>;
  /** Texts that mean a blank cell. Case and accents are ignored. The default is `-`, `n/a`, `não tem` and `00/00/0000`. */
  "blank-values": string[];
  /** The country of telephone numbers without a country code. Defaults to `settings.country`. */
  "country": CountryCode | null;
  /** An area code of 1 to 5 digits. The area of telephone numbers without an area code. */
  "default-area-code": string | null;
  /** A column that tells families of one name apart. */
  "household-key": string | null;
  /** A row means the person who has any of these. Without one, each row of `people` is a new person. Other kinds require it. */
  "match-on": ImportJobMatchOn[];
  "on-match": ImportJobOnMatch;
  /** Whether a blank cell removes the value of the person that the row updates. */
  "blank-overwrites": boolean;
  /** A comma, a semicolon, a tab or a vertical bar. */
  "delimiter": string;
  /** Without it, a file that is not valid UTF-8 is read as Windows-1252. */
  "encoding": ImportJobEncoding | null;
  "date-format": ImportJobDateFormat;
  "status": ImportJobStatus;
  /** The reason for the status `failed`. */
  "failure": string | null;
  /** The rows that were read, the rows by action, and the progress of the run and of the undo. `by-column` has the errors by column and code. Those of a whole row stand under an empty name. */
  "counts": ImportJobCounts;
  "undo-until": Timestamp | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
}

export interface ImportJobLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
}

export interface ImportJobFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "kind"?: AnyOf<"people" | "cell-memberships" | "course-enrollments"> | undefined;
  "status"?: AnyOf<"created" | "validating" | "ready" | "running" | "done" | "undoing" | "undone" | "failed"> | undefined;
}

export interface NewImportJob {
  /** The type of the records that the rows become. */
  "kind": ImportJobKind;
  /** The columns of the file by their headers, and the target of each: an attribute, or a name such as that of a household. Other columns are ignored. */
  "mapping": Record<string, string>;
  /** By column, the value that each text stands for. Case and accents are ignored. An empty value means a blank cell. Choices are also understood by their labels in English and in the language of the account. */
  "value-mapping"?: Record<string, Record<string, string>> | undefined;
  /** Texts that mean a blank cell. Case and accents are ignored. The default is `-`, `n/a`, `não tem` and `00/00/0000`. */
  "blank-values"?: string[] | undefined;
  /** The country of telephone numbers without a country code. Defaults to `settings.country`. */
  "country"?: CountryCode | null | undefined;
  /** An area code of 1 to 5 digits. The area of telephone numbers without an area code. */
  "default-area-code"?: string | null | undefined;
  /** A column that tells families of one name apart. */
  "household-key"?: string | null | undefined;
  /** A row means the person who has any of these. Without one, each row of `people` is a new person. Other kinds require it. */
  "match-on"?: ImportJobMatchOn[] | undefined;
  "on-match"?: ImportJobOnMatch | undefined;
  /** Whether a blank cell removes the value of the person that the row updates. */
  "blank-overwrites"?: boolean | undefined;
  /** A comma, a semicolon, a tab or a vertical bar. */
  "delimiter"?: string | undefined;
  /** Without it, a file that is not valid UTF-8 is read as Windows-1252. */
  "encoding"?: ImportJobEncoding | null | undefined;
  "date-format"?: ImportJobDateFormat | undefined;
}

export interface ImportJobChanges {
  /** The type of the records that the rows become. */
  "kind"?: ImportJobKind | undefined;
  /** The columns of the file by their headers, and the target of each: an attribute, or a name such as that of a household. Other columns are ignored. */
  "mapping"?: Record<string, string> | undefined;
  /** By column, the value that each text stands for. Case and accents are ignored. An empty value means a blank cell. Choices are also understood by their labels in English and in the language of the account. */
  "value-mapping"?: Record<string, Record<string, string>> | undefined;
  /** Texts that mean a blank cell. Case and accents are ignored. The default is `-`, `n/a`, `não tem` and `00/00/0000`. */
  "blank-values"?: string[] | undefined;
  /** The country of telephone numbers without a country code. Defaults to `settings.country`. */
  "country"?: CountryCode | null | undefined;
  /** An area code of 1 to 5 digits. The area of telephone numbers without an area code. */
  "default-area-code"?: string | null | undefined;
  /** A column that tells families of one name apart. */
  "household-key"?: string | null | undefined;
  /** A row means the person who has any of these. Without one, each row of `people` is a new person. Other kinds require it. */
  "match-on"?: ImportJobMatchOn[] | undefined;
  "on-match"?: ImportJobOnMatch | undefined;
  /** Whether a blank cell removes the value of the person that the row updates. */
  "blank-overwrites"?: boolean | undefined;
  /** A comma, a semicolon, a tab or a vertical bar. */
  "delimiter"?: string | undefined;
  /** Without it, a file that is not valid UTF-8 is read as Windows-1252. */
  "encoding"?: ImportJobEncoding | null | undefined;
  "date-format"?: ImportJobDateFormat | undefined;
}

export interface ImportRowType {
  "record": ImportRow;
  "links": ImportRowLinks;
  "filters": ImportRowFilters;
  "sorts": "id" | "created-at" | "modified-at" | "row";
  "create": never;
  "change": never;
  "does": "list" | "get";
  "linkable": never;
  "files": {};
}

/** One row of an imported file. */
export interface ImportRow extends Base<"import-rows"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** The number of the row in the file. The header is row 1. */
  "row": number;
  "action": ImportRowAction;
  /** `written` by the run. After an undo, `undone`, or `kept` if the person or the link has changed since the run. */
  "outcome": ImportRowOutcome | null;
  "errors": ImportRowError[];
  /** Reasons to look at a row, which is written all the same. */
  "warnings": ImportRowError[];
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "import-job": Identifier<"import-jobs">;
  "person": Identifier<"people"> | null;
}

export interface ImportRowLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "import-job": { to: "import-jobs"; count: "one"; gone: false };
  "person": { to: "people"; count: "none or one"; gone: false };
}

export interface ImportRowFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "import-job"?: AnyOf<string> | undefined;
  "action"?: AnyOf<"create" | "update" | "skip" | "error"> | undefined;
  "outcome"?: AnyOf<"written" | "undone" | "kept"> | undefined;
  "person"?: AnyOf<string> | undefined;
}

export interface ImportRunType {
  "record": ImportRun;
  "links": ImportRunLinks;
  "filters": ImportRunFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": NewImportRun;
  "change": never;
  "does": "list" | "get" | "create";
  "linkable": never;
  "files": {};
}

/** The order to write the rows of an import. */
export interface ImportRun extends Base<"import-runs"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "import-job": Identifier<"import-jobs">;
}

export interface ImportRunLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "import-job": { to: "import-jobs"; count: "one"; gone: false };
}

export interface ImportRunFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "import-job"?: AnyOf<string> | undefined;
}

export interface NewImportRun {
  "import-job": Reference<"import-jobs">;
}

export interface ImportUndoType {
  "record": ImportUndo;
  "links": ImportUndoLinks;
  "filters": ImportUndoFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": NewImportUndo;
  "change": never;
  "does": "list" | "get" | "create";
  "linkable": never;
  "files": {};
}

/** The order to take back what a run has written. */
export interface ImportUndo extends Base<"import-undos"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "import-job": Identifier<"import-jobs">;
}

export interface ImportUndoLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "import-job": { to: "import-jobs"; count: "one"; gone: false };
}

export interface ImportUndoFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "import-job"?: AnyOf<string> | undefined;
}

export interface NewImportUndo {
  "import-job": Reference<"import-jobs">;
}

export interface RoleType {
  "record": Role;
  "links": RoleLinks;
  "filters": RoleFilters;
  "sorts": "id" | "created-at" | "modified-at" | "name";
  "create": NewRole;
  "change": RoleChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** A named set of permissions. The service provides presets, and an account adds its own roles. */
export interface Role extends Base<"roles"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** One line of text that is not blank. */
  "name": string;
  "code": string | null;
  "permissions": RolePermission[];
  "is-preset": boolean;
  "description": string | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "assignments"?: Identifier<"role-assignments">[];
}

export interface RoleLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "assignments": { to: "role-assignments"; count: "many"; gone: false };
}

export interface RoleFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "name"?: string | undefined;
}

export interface NewRole {
  /** One line of text that is not blank. */
  "name": string;
  "permissions"?: RolePermission[] | undefined;
  "description"?: string | null | undefined;
}

export interface RoleChanges {
  /** One line of text that is not blank. */
  "name"?: string | undefined;
  "permissions"?: RolePermission[] | undefined;
  "description"?: string | null | undefined;
}

export interface RoleAssignmentType {
  "record": RoleAssignment;
  "links": RoleAssignmentLinks;
  "filters": RoleAssignmentFilters;
  "sorts": "id" | "created-at" | "modified-at";
  "create": NewRoleAssignment;
  "change": never;
  "does": "list" | "get" | "create" | "delete";
  "linkable": never;
  "files": {};
}

/** A role that a person holds, and its scope. */
export interface RoleAssignment extends Base<"role-assignments"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  "scope-type": RoleAssignmentScopeType;
  /** The ids that the role applies to. An empty list applies to nothing. */
  "scope-ids": string[];
  "valid-from": Timestamp | null;
  "valid-until": Timestamp | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "role": Identifier<"roles">;
  "person": Identifier<"people">;
  "granted-by": Identifier<"people"> | null;
}

export interface RoleAssignmentLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "role": { to: "roles"; count: "one"; gone: false };
  "person": { to: "people"; count: "one"; gone: false };
  "granted-by": { to: "people"; count: "none or one"; gone: true };
}

export interface RoleAssignmentFilters {
  "id"?: AnyOf<string> | undefined;
  "modified-since"?: string | undefined;
  "modified-until"?: string | undefined;
  "created-since"?: string | undefined;
  "person"?: AnyOf<string> | undefined;
  "role"?: AnyOf<string> | undefined;
  "scope-type"?: AnyOf<"account" | "campus" | "cell-tree" | "cell" | "course" | "course-class" | "list" | "self"> | undefined;
}

export interface NewRoleAssignment {
  "scope-type": RoleAssignmentScopeType;
  /** The ids that the role applies to. An empty list applies to nothing. */
  "scope-ids"?: string[] | undefined;
  "valid-from"?: Timestamp | null | undefined;
  "valid-until"?: Timestamp | null | undefined;
  "role": Reference<"roles">;
  "person": Reference<"people">;
}

export interface PersonInvitationType {
  "record": PersonInvitation;
  "links": PersonInvitationLinks;
  "filters": never;
  "sorts": never;
  "create": NewPersonInvitation;
  "change": never;
  "does": "get" | "create";
  "linkable": never;
  "files": {};
}

/** An invitation to a person to set a password, by mail or by a link that the caller hands over. */
export interface PersonInvitation extends Base<"person-invitations"> {
  "created-at": Timestamp;
  "modified-at": Timestamp;
  /** With `link` the response contains `data.meta.token` and `data.meta.link`. */
  "delivery": PersonInvitationDelivery;
  /** After 72 hours, or when the invitation was used or replaced by a newer one. */
  "expires-at": Timestamp;
  /** The time at which the mail server accepted the mail. */
  "sent-at": Timestamp | null;
  "created-by": Identifier<"people"> | null;
  "modified-by": Identifier<"people"> | null;
  "person": Identifier<"people">;
}

export interface PersonInvitationLinks {
  "created-by": { to: "people"; count: "none or one"; gone: true };
  "modified-by": { to: "people"; count: "none or one"; gone: true };
  "person": { to: "people"; count: "one"; gone: false };
}

export interface NewPersonInvitation {
  /** With `link` the response contains `data.meta.token` and `data.meta.link`. */
  "delivery"?: PersonInvitationDelivery | undefined;
  "person": Reference<"people">;
}

export interface AuditEntryType {
  "record": AuditEntry;
  "links": AuditEntryLinks;
  "filters": AuditEntryFilters;
  "sorts": "id" | "occurred-at";
  "create": never;
  "change": never;
  "does": "list" | "get";
  "linkable": never;
  "files": {};
}

/** An entry of the audit: a person changed a resource, or logged in. Full administrators and callers with `audit-entries:read` see the entries of the account, and other callers their own log-ins. Entries are kept for 24 months. */
export interface AuditEntry extends Base<"audit-entries"> {
  "occurred-at": Timestamp;
  /** `permission-changed` replaces the others where rights change. */
  "action": AuditEntryAction;
  "resource-type": string;
  "resource-id": string;
  /** The members that changed, with their values before and after. Relationships have ids, of links those removed and those added. Values that not every reader of the account may see are `[redacted]`. */
  "changes": Record<string, { "from": unknown; "to": unknown }>;
  /** The members whose values are too long to be kept. */
  "omitted": string[];
  "cause": AuditEntryCause;
  "request-id": string | null;
  /** The integration through which the person worked. */
  "client": string | null;
  /** The address of the client. After 90 days its last part is removed. */
  "ip": string | null;
  "batch-id": string | null;
  "actor": Identifier<"people"> | null;
  "subject-person": Identifier<"people"> | null;
}

export interface AuditEntryLinks {
  "actor": { to: "people"; count: "none or one"; gone: true };
  "subject-person": { to: "people"; count: "none or one"; gone: true };
}

export interface AuditEntryFilters {
  "id"?: AnyOf<string> | undefined;
  "actor"?: AnyOf<string> | undefined;
  "resource-type"?: string | undefined;
  "resource-id"?: AnyOf<string> | undefined;
  "subject"?: AnyOf<string> | undefined;
  "action"?: AnyOf<"created" | "updated" | "deleted" | "permission-changed" | "merged" | "logged-in" | "login-failed" | "password-changed"> | undefined;
  "from"?: string | undefined;
  "to"?: string | undefined;
  "batch-id"?: AnyOf<string> | undefined;
}

export interface WebhookEndpointType {
  "record": WebhookEndpoint;
  "links": WebhookEndpointLinks;
  "filters": WebhookEndpointFilters;
  "sorts": "id" | "created-at" | "updated-at" | "name";
  "create": NewWebhookEndpoint;
  "change": WebhookEndpointChanges;
  "does": "list" | "get" | "create" | "update" | "delete";
  "linkable": never;
  "files": {};
}

/** An HTTPS address that receives events as they happen. */
export interface WebhookEndpoint extends Base<"webhook-endpoints"> {
  "created-at": Timestamp;
  "updated-at": Timestamp;
  /** One line of text that is not blank. */
  "name": string | null;
  /** HTTPS, without credentials and fragment. The host must resolve to public addresses only. An update that names `url`, even with the same value, replaces the secret and requires a new verification. */
  "url": string;
  /** The event types that the endpoint receives. `GET /v1/webhook-event-types` lists them all. */
  "events": WebhookEventName[];
  /** An update can set `paused` or `active`, as its only attribute. A new endpoint becomes active when it is verified. */
  "status": WebhookEndpointStatus;
  /** `manual`: a person paused it. `health`: it failed for 7 days. `security-policy`: its host is, or resolves to, an address that is not public. Null unless the endpoint is paused. */
  "pause-reason": WebhookEndpointPauseReason | null;
  /** The status, unless it is `active`. Otherwise `healthy` without failed attempts, `degraded` with consecutive failed attempts, and `failing` from 5 of them. */
  "effective-health": WebhookEndpointEffectiveHealth;
  /** Increases with each change of the configuration or the status. The ETag contains it, and a verification request names it. */
  "configuration-version": number;
  /** Increases whenever an update names `url`, even with the same value. */
  "destination-version": number;
  /** The last verified destination. If it differs from `destination-version`, the current destination is not verified. */
  "verified-destination-version": number | null;
  /** The time of the last verification of the current destination, or null. */
  "verified-at": Timestamp | null;
  /** The number of the current secret. It increases with each rotation and whenever an update names `url`. A rotation request names it. */
  "secret-generation": number;
  /** The end of the overlap after a rotation, during which the previous secret signs too. Null without an overlap. */
  "previous-secret-valid-until": Timestamp | null;
  /** The newest verification of the last 30 days, or null. Sent if `fields` names it. Returned only when `fields[webhook-endpoints]` names it. */
  "verification"?: WebhookEndpointVerification | null;
  "last-production-attempt-at": Timestamp | null;
  "last-production-success-at": Timestamp | null;
  "last-production-failure-at": Timestamp | null;
  /** Consecutive failed attempts of events. A success, a resumption and a new URL reset it to 0. */
  "consecutive-production-failures": number;
  /** The `error-code` of the last failed attempt of an event, and what to do about it. A success does not clear it. Failures of verifications and tests are in their deliveries. */
  "last-production-failure": WebhookEndpointLastProductionFailure | null;
  /** Production deliveries of the last 24 hours and 7 days, in whole hours that include the current one. `retries` are attempts after the first of a delivery. `succeeded` counts `delivered`, `failed` counts `failed-permanent` and `exhausted`, and `success-rate` is the share of `succeeded` in both: a delivery that succeeds at a retry counts as a success. `attempt-success-rate` is the share of successful attempts in all attempts. Percentiles are estimates, the average is exact. A value is null if there is nothing to measure. */
  "metrics": WebhookEndpointMetrics;
  /** The numbers of `metrics` by hour, oldest first, for the hours of the last 7 days that have any. Sent if `fields` names it. Returned only when `fields[webhook-endpoints]` names it. */
  "hours"?: WebhookEndpointHour[];
  "timeline"?: Identifier<"webhook-endpoint-changes">[];
}

export interface WebhookEndpointLinks {
  "timeline": { to: "webhook-endpoint-changes"; count: "many"; gone: false };
}

export interface WebhookEndpointFilters {
  "id"?: AnyOf<string> | undefined;
  "created-since"?: string | undefined;
  "status"?: AnyOf<"pending-verification" | "active" | "paused"> | undefined;
}

export interface NewWebhookEndpoint {
  /** One line of text that is not blank. */
  "name"?: string | null | undefined;
  /** HTTPS, without credentials and fragment. The host must resolve to public addresses only. An update that names `url`, even with the same value, replaces the secret and requires a new verification. */
  "url": string;
  /** The event types that the endpoint receives. `GET /v1/webhook-event-types` lists them all. */
  "events": WebhookEventName[];
}

export interface WebhookEndpointChanges {
  /** One line of text that is not blank. */
  "name"?: string | null | undefined;
  /** HTTPS, without credentials and fragment. The host must resolve to public addresses only. An update that names `url`, even with the same value, replaces the secret and requires a new verification. */
  "url"?: string | undefined;
  /** The event types that the endpoint receives. `GET /v1/webhook-event-types` lists them all. */
  "events"?: WebhookEventName[] | undefined;
  /** An update can set `paused` or `active`, as its only attribute. A new endpoint becomes active when it is verified. */
  "status"?: WebhookEndpointStatus | undefined;
}

export interface WebhookEndpointChangeType {
  "record": WebhookEndpointChange;
  "links": WebhookEndpointChangeLinks;
  "filters": WebhookEndpointChangeFilters;
  "sorts": "id" | "happened-at";
  "create": never;
  "change": never;
  "does": "list" | "get";
  "linkable": never;
  "files": {};
}

/** A change of a webhook endpoint, and the state after it. */
export interface WebhookEndpointChange extends Base<"webhook-endpoint-changes"> {
  "happened-at": Timestamp;
  "change": WebhookEndpointChangeChange;
  "details": WebhookEndpointChangeDetails;
  "endpoint": Identifier<"webhook-endpoints"> | null;
  "actor": Identifier<"people"> | null;
}

export interface WebhookEndpointChangeLinks {
  "endpoint": { to: "webhook-endpoints"; count: "none or one"; gone: false };
}

export interface WebhookEndpointChangeFilters {
  "id"?: AnyOf<string> | undefined;
  "endpoint"?: AnyOf<string> | undefined;
  "change"?: AnyOf<"created" | "updated" | "url-changed" | "paused" | "resumed" | "verification-requested" | "verified" | "secret-rotated" | "deleted"> | undefined;
  "from"?: string | undefined;
  "to"?: string | undefined;
}

export interface WebhookEndpointSecretRotationType {
  "record": WebhookEndpointSecretRotation;
  "links": WebhookEndpointSecretRotationLinks;
  "filters": never;
  "sorts": never;
  "create": NewWebhookEndpointSecretRotation;
  "change": never;
  "does": "get" | "create";
  "linkable": never;
  "files": {};
}

/** A new signing secret for an endpoint. The service also signs with the previous secret for 48 hours. */
export interface WebhookEndpointSecretRotation extends Base<"webhook-endpoint-secret-rotations"> {
  "created-at": Timestamp;
  /** In the request, the endpoint's current generation. In the response, the new one. */
  "secret-generation": number;
  "previous-valid-until": Timestamp;
  "endpoint": Identifier<"webhook-endpoints">;
}

export interface WebhookEndpointSecretRotationLinks {
  "endpoint": { to: "webhook-endpoints"; count: "one"; gone: false };
}

export interface NewWebhookEndpointSecretRotation {
  /** In the request, the endpoint's current generation. In the response, the new one. */
  "secret-generation": number;
  "endpoint": Reference<"webhook-endpoints">;
}

export interface WebhookReplayType {
  "record": WebhookReplay;
  "links": WebhookReplayLinks;
  "filters": WebhookReplayFilters;
  "sorts": "id" | "created-at";
  "create": NewWebhookReplay;
  "change": never;
  "does": "list" | "get" | "create";
  "linkable": never;
  "files": {};
}

/** Redelivers all failed deliveries of an endpoint in a time range, as one job. */
export interface WebhookReplay extends Base<"webhook-replays"> {
  "created-at": Timestamp;
  "updated-at": Timestamp;
  /** The service replays deliveries created at this time or later. */
  "from": Timestamp;
  /** The service replays deliveries created at this time or earlier. */
  "to": Timestamp;
  "created-count": number;
  /** The number of failed deliveries beyond the limit of 10000 in one replay. Create another replay for them. */
  "remaining-count": number;
  "endpoint": Identifier<"webhook-endpoints">;
}

export interface WebhookReplayLinks {
  "endpoint": { to: "webhook-endpoints"; count: "one"; gone: false };
}

export interface WebhookReplayFilters {
  "id"?: AnyOf<string> | undefined;
  "created-since"?: string | undefined;
  "endpoint"?: AnyOf<string> | undefined;
}

export interface NewWebhookReplay {
  /** The service replays deliveries created at this time or later. */
  "from": Timestamp;
  /** The service replays deliveries created at this time or earlier. */
  "to": Timestamp;
  "endpoint": Reference<"webhook-endpoints">;
}

export interface WebhookEventType {
  "record": WebhookEvent;
  "links": WebhookEventLinks;
  "filters": WebhookEventFilters;
  "sorts": "id" | "occurred-at";
  "create": never;
  "change": never;
  "does": "list" | "get";
  "linkable": never;
  "files": {};
}

/** An event, with the content of its message. The service keeps it for 30 days. */
export interface WebhookEvent extends Base<"webhook-events"> {
  /** The id of a webhook event type. */
  "event-type": string;
  "occurred-at": Timestamp;
  "schema-version": number;
  /** The cause of the change, for example `ui`, `api` or `system`. */
  "cause": string;
  /** Shared by the events of one batch, such as an import. */
  "batch-id": string | null;
  "expires-at": Timestamp;
  /** The changed members in an `updated` event, otherwise null. Returned for a single resource, not in lists. */
  "changed-fields"?: string[] | null;
  /** The subject after the change, as every reader of the whole account sees it. Returned for a single resource, not in lists. */
  "snapshot"?: WebhookEventSnapshot;
  /** The members that the snapshot lost because of its size, and the original size. Returned for a single resource, not in lists. */
  "truncation"?: WebhookEventTruncation;
  /** In a `person.merged` event, the person who remains and those merged into them. Returned for a single resource, not in lists. */
  "merge"?: WebhookEventMerge | null;
  "account": Identifier<"accounts"> | null;
  "subject": Identifier | null;
  "actor": Identifier<"people"> | null;
}

export interface WebhookEventLinks {

}

export interface WebhookEventFilters {
  "id"?: AnyOf<string> | undefined;
  "event-type"?: AnyOf<"account.updated" | "person.created" | "person.updated" | "person.merged" | "person.deleted" | "person.deactivated" | "person.reactivated" | "person.anonymized" | "household.created" | "household.updated" | "household.deleted" | "course.created" | "course.updated" | "course.deleted" | "course-lesson.created" | "course-lesson.updated" | "course-lesson.deleted" | "course-class.created" | "course-class.updated" | "course-class.deleted" | "course-class.started" | "course-class.finished" | "course-enrollment.created" | "course-enrollment.updated" | "course-enrollment.deleted" | "course-enrollment.completed" | "course-enrollment.withdrawn" | "course-attendance.recorded" | "course-material.created" | "course-material.updated" | "course-material.deleted" | "course-task-completion.created" | "course-task-completion.updated" | "cell.created" | "cell.updated" | "cell.deleted" | "cell.closed" | "cell.reopened" | "cell.multiplied" | "cell-membership.created" | "cell-membership.updated" | "cell-membership.ended" | "cell-join-request.created" | "cell-join-request.decided" | "cell-meeting.created" | "cell-meeting.updated" | "cell-meeting.deleted" | "cell-meeting.reported" | "form-submission.created" | "form-submission.updated" | "note.created" | "import-job.completed" | "role-assignment.created" | "role-assignment.deleted"> | undefined;
  "from"?: string | undefined;
  "to"?: string | undefined;
}

export interface WebhookDeliveryType {
  "record": WebhookDelivery;
  "links": WebhookDeliveryLinks;
  "filters": WebhookDeliveryFilters;
  "sorts": "id" | "created-at";
  "create": never;
  "change": never;
  "does": "list" | "get";
  "linkable": never;
  "files": {};
}

/** The delivery of one event or control message to one endpoint. The service keeps it as long as the event. */
export interface WebhookDelivery extends Base<"webhook-deliveries"> {
  "created-at": Timestamp;
  "updated-at": Timestamp;
  /** The service makes no attempt after this time. */
  "expires-at": Timestamp;
  "kind": WebhookDeliveryKind;
  /** The type of the event, or `webhook.verification` or `webhook.test`. */
  "event-type": string;
  "status": WebhookDeliveryStatus;
  "suppression-reason": WebhookDeliverySuppressionReason | null;
  /** The number of finished attempts. */
  "attempt-count": number;
  "next-attempt-at": Timestamp | null;
  /** The start of the last finished attempt. Null, like its values, before. */
  "last-attempt-at": Timestamp | null;
  "last-http-status": number | null;
  "last-error-code": string | null;
  "last-duration-ms": number | null;
  /** The 100 most recent attempts, newest first. A failed attempt has an `error-code`, and `error-message` says what to do about it. `answer` is the start of the receiver's answer as text, at most 1024 bytes. It is null if the answer had no body or is no text. Returned for a single resource, not in lists. */
  "attempts"?: WebhookDeliveryAttempt[];
  "endpoint": Identifier<"webhook-endpoints"> | null;
  "event": Identifier<"webhook-events"> | null;
  "origin-delivery": Identifier<"webhook-deliveries"> | null;
}

export interface WebhookDeliveryLinks {
  "endpoint": { to: "webhook-endpoints"; count: "none or one"; gone: false };
  "event": { to: "webhook-events"; count: "none or one"; gone: false };
  "origin-delivery": { to: "webhook-deliveries"; count: "none or one"; gone: false };
}

export interface WebhookDeliveryFilters {
  "id"?: AnyOf<string> | undefined;
  "created-since"?: string | undefined;
  "endpoint"?: AnyOf<string> | undefined;
  "event"?: AnyOf<string> | undefined;
  "event-type"?: AnyOf<"account.updated" | "person.created" | "person.updated" | "person.merged" | "person.deleted" | "person.deactivated" | "person.reactivated" | "person.anonymized" | "household.created" | "household.updated" | "household.deleted" | "course.created" | "course.updated" | "course.deleted" | "course-lesson.created" | "course-lesson.updated" | "course-lesson.deleted" | "course-class.created" | "course-class.updated" | "course-class.deleted" | "course-class.started" | "course-class.finished" | "course-enrollment.created" | "course-enrollment.updated" | "course-enrollment.deleted" | "course-enrollment.completed" | "course-enrollment.withdrawn" | "course-attendance.recorded" | "course-material.created" | "course-material.updated" | "course-material.deleted" | "course-task-completion.created" | "course-task-completion.updated" | "cell.created" | "cell.updated" | "cell.deleted" | "cell.closed" | "cell.reopened" | "cell.multiplied" | "cell-membership.created" | "cell-membership.updated" | "cell-membership.ended" | "cell-join-request.created" | "cell-join-request.decided" | "cell-meeting.created" | "cell-meeting.updated" | "cell-meeting.deleted" | "cell-meeting.reported" | "form-submission.created" | "form-submission.updated" | "note.created" | "import-job.completed" | "role-assignment.created" | "role-assignment.deleted" | "webhook.verification" | "webhook.test"> | undefined;
  "status"?: "pending" | "processing" | "retry-scheduled" | "blocked-system" | "delivered" | "failed-permanent" | "exhausted" | "suppressed" | "expired" | undefined;
  "outcome"?: AnyOf<"delivered" | "waiting" | "failed" | "suppressed"> | undefined;
  "kind"?: AnyOf<"production" | "verification" | "test"> | undefined;
  "from"?: string | undefined;
  "to"?: string | undefined;
}

export interface AccessTokenType {
  "record": AccessToken;
  "links": {};
  "filters": {};
  "sorts": never;
  "create": never;
  "change": never;
  "does": "list" | "delete";
  "linkable": never;
  "files": {};
}

export interface AccessToken extends Base<"access-tokens"> {
  "kind": "browser" | "bearer";
  "created-at": string;
  /** The hour of the last use, which is recorded once an hour. */
  "last-used-at": string;
  "expires-at": string;
  /** For example `Firefox on Android`. */
  "device": string | null;
  /** Whether this request carries it. */
  "is-current": boolean;
}

export interface WebhookEventTypeResourceType {
  "record": WebhookEventTypeResource;
  "links": {};
  "filters": {};
  "sorts": never;
  "create": never;
  "change": never;
  "does": "list" | "get";
  "linkable": never;
  "files": {};
}

export interface WebhookEventTypeResource extends Base<"webhook-event-types"> {
  "description": string;
  /** The first version of the service that has this type. */
  "since": string;
  /** The personal data in the snapshot. `none`: No person. `ids`: The ids of people. `details`: Names, contact data and the like. */
  "personal-data-level": "none" | "ids" | "details";
  /** Whether this version of the service sends the event. It is true for every type. */
  "is-captured": boolean;
  /** The message that a receiver gets. */
  "example": Record<string, unknown>;
}

export interface NewWebhookEndpointVerification {
  "endpoint-id": string;
  "configuration-version": number;
}

export interface NewWebhookTestDelivery {
  "endpoint-id": string;
}

export interface NewWebhookRedelivery {
  "delivery": Reference<"webhook-deliveries">;
}

/** An ISO 8601 timestamp with a time zone, in the years 1000 to 2999. */
export type Timestamp = string;

export type AccountSettings = { "lang"?: LocaleTag | null; "time-zone"?: TimeZone | null; "country"?: CountryCode | null; "currency"?: CurrencyCode | null; "date-format"?: string | null; "time-format"?: "12h" | "24h" | null; "first-weekday"?: number | null; "cell-label"?: string | null; "cells-label"?: string | null; "cell-levels"?: { "level": number; "label": string }[] | null; "report-due-hours"?: number | null; "report-edit-days"?: number | null; "meeting-offerings"?: boolean | null; "one-participant-cell"?: boolean | null; "member-statuses"?: { "prospect"?: string; "visitor"?: string; "attender"?: string; "member"?: string; "former-member"?: string; "deceased"?: string } | null; "child-age-limit"?: number | null; "password-length-min"?: number | null; "public-area"?: boolean | null; "public-pages"?: boolean | null; "public-challenge"?: "none" | "pow" | null; "public-origins"?: string[] | null };

/** A locale tag. */
export type LocaleTag = string;

/** An IANA time zone. */
export type TimeZone = string;

/** An ISO 3166-1 country code of two capital letters. */
export type CountryCode = string;

/** An ISO 4217 currency code. */
export type CurrencyCode = string;

export type AccountCustomProperties = { "people"?: CustomFieldDefinitions; "households"?: CustomFieldDefinitions; "cells"?: CustomFieldDefinitions; "courses"?: CustomFieldDefinitions; "course-classes"?: CustomFieldDefinitions; "course-enrollments"?: CustomFieldDefinitions };

export type CustomFieldDefinitions = Record<string, CustomFieldDefinition | null>;

export type CustomFieldDefinition = { "type": "string" | "text" | "integer" | "decimal" | "boolean" | "date" | "timestamp" | "select" | "multi-select" | "email" | "phone" | "url" | "person"; "label"?: string; "help"?: string; "options"?: { "value": string; "label"?: string; "archived"?: boolean }[]; "required"?: boolean; "order"?: number; "default"?: unknown; "min"?: number; "max"?: number; "max-length"?: number; "read-access"?: "scope" | "staff" | "full-administrator"; "write-access"?: "scope" | "staff" | "full-administrator"; "self-editable"?: boolean; "searchable"?: boolean; "archived"?: boolean };

export type AccountStatus = "active" | "inactive";

/** An e-mail address. */
export type Email = string;

/** A web address that begins with http:// or https://. */
export type WebAddress = string;

export type Address = { "street"?: string | null; "number"?: string | null; "complement"?: string | null; "neighborhood"?: string | null; "city"?: string | null; "state"?: string | null; "postal-code"?: string | null; "country"?: CountryCode | null; "latitude"?: number | null; "longitude"?: number | null };

export type AccountLegalAcceptance = { "document": string; "version": string; "accepted-at": Timestamp; "accepted-by"?: string | null };

export type PersonSex = "female" | "male";

/** A date as YYYY-MM-DD, in the years 1000 to 2999. */
export type CalendarDate = string;

export type PersonMaritalStatus = "single" | "married" | "engaged" | "partnered" | "separated" | "divorced" | "widowed";

export type PersonPhone = { "number": PhoneNumber; "display"?: string; "label"?: string | null; "is-primary"?: boolean | null; "is-whatsapp"?: boolean | null };

/** A telephone number. */
export type PhoneNumber = string;

export type PersonEmergencyContact = { "name": string; "phone"?: string | null; "relationship"?: string | null };

export type PersonMembershipStatus = "prospect" | "visitor" | "attender" | "member" | "former-member" | "deceased";

export type PersonAdmissionMethod = "baptism" | "profession" | "transfer" | "restoration" | "other";

export type PersonIdentityDocument = { "kind": string; "number": string; "country"?: CountryCode | null };

export type PersonAdministrativeStatus = "none" | "administrator" | "full-administrator";

export type PersonCommunicationPreferences = { "email"?: boolean | null; "sms"?: boolean | null; "whatsapp"?: boolean | null; "phone"?: boolean | null; "post"?: boolean | null };

export type PersonDirectoryVisibility = { "address"?: "nobody" | "cell" | "members" | null; "email"?: "nobody" | "cell" | "members" | null; "phone"?: "nobody" | "cell" | "members" | null; "birthday"?: "nobody" | "cell" | "members" | null };

export type PersonConsent = { "kind": string; "version": string; "granted-at": Timestamp; "revoked-at"?: Timestamp | null; "source"?: string | null };

export type PersonAttendanceSummary = { "last-attended-at"?: CalendarDate | null; "rate-90d"?: number | null; "absent-streak": number };

export type PersonResourceScope = { "role": string; "scope-type": "account" | "campus" | "cell-tree" | "cell" | "course" | "course-class" | "list" | "self"; "ids": string[]; "is-derived": boolean };

export type PersonMergeConflict = { "resource-type": string; "field"?: string | null; "rule": string; "kept"?: unknown; "dropped"?: unknown };

export type PersonDuplicateStatus = "open" | "dismissed";

export type PersonDuplicateReason = "same-email" | "same-phone" | "name-birthdate" | "name-address";

export type HouseholdMembershipHouseholdRole = "head" | "spouse" | "child" | "dependent" | "other";

export type HouseholdMembershipMayPickUp = "yes" | "no" | "restricted";

export type TagAppliesTo = "people" | "cells" | "courses";

export type CourseEnrollmentPolicy = "open" | "request" | "closed";

export type CourseGraduationMode = "automatic" | "manual";

export type CourseClassStatus = "draft" | "open" | "in-progress" | "finished" | "cancelled";

export type ClassSlot = { "weekday": number; "starts-at": number; "ends-at": number };

export type CourseClassMode = "in-person" | "online" | "hybrid";

export type CourseSessionStatus = "planned" | "held" | "cancelled";

export type SessionAttendanceCounts = { "present"?: number; "late"?: number; "excused"?: number; "absent"?: number; "online"?: number; "not-applicable"?: number };

export type CourseMaterialMaterialType = "file" | "link" | "text" | "video";

export type CourseMaterialAudience = "student" | "teacher";

export type CourseMaterialPublishStatus = "draft" | "unlisted" | "public";

export type CourseRequirementKind = "course" | "membership-status" | "baptized" | "minimum-age" | "cell-member";

export type CourseRequirementEnforcement = "block" | "warn";

export type CourseRequirementRelation = "prerequisite" | "corequisite";

export type CourseEnrollmentStatus = "requested" | "waitlisted" | "active" | "completed" | "failed" | "withdrawn" | "cancelled";

export type CourseEnrollmentPaymentStatus = "not-required" | "pending" | "paid" | "waived" | "refunded";

export type CourseEnrollmentSource = "staff" | "self" | "public-form" | "import";

export type CourseEnrollmentNewPerson = { "full-name": string; "email"?: Email | null; "phone"?: PhoneNumber | null; "phone-display"?: string };

export type CourseEnrollmentRequestStatus = "pending" | "approved" | "declined" | "cancelled";

export type CourseAttendanceStatus = "present" | "late" | "excused" | "absent" | "online" | "not-applicable";

export type SheetEntry = { "enrollment-id": string; "status": "present" | "late" | "excused" | "absent" | "online" | "not-applicable"; "note"?: string | null; "minutes"?: number | null };

export type CourseTaskSubmissionType = "none" | "text" | "url" | "file";

export type TaskDue = { "criterion": "none" | "date" | "class-start-offset" | "enrollment-offset"; "value"?: unknown };

export type StoredFile = { "name": string; "media-type": string; "bytes": number; "url": WebAddress; "url-expires-at": Timestamp };

export type CourseTaskCompletionStatus = "submitted" | "accepted" | "rejected" | "returned";

export type CellCellType = "cell" | "supervision";

export type CellStatus = "planned" | "active" | "in-recess" | "closed";

export type CellGenderCategory = "mixed" | "women" | "men" | "couples" | "youth" | "children";

export type CellFrequency = "weekly" | "fortnightly" | "monthly" | "irregular";

export type CellPublicSettings = { "show-address"?: boolean; "show-leader-email"?: boolean; "show-leader-phone"?: boolean; "accept-join-requests"?: boolean };

export type CellMembershipCellRole = "leader" | "co-leader" | "trainee" | "host" | "secretary" | "participant" | "visitor";

export type CellMembershipStatus = "active" | "left";

export type CellMembershipLeftReason = "moved-cell" | "multiplied" | "left-church" | "cell-closed" | "other";

export type CellJoinRequestSource = "staff" | "self" | "public";

export type CellMultiplicationNewCell = { "name": string; "description"?: string | null; "category"?: string | null; "gender-category"?: "mixed" | "women" | "men" | "couples" | "youth" | "children"; "weekday"?: number | null; "starts-at"?: number | null; "ends-at"?: number | null; "frequency"?: "weekly" | "fortnightly" | "monthly" | "irregular"; "address"?: Address | null; "online-url"?: WebAddress | null };

export type CellMultiplicationStatus = "proposed" | "rejected" | "done" | "approved";

export type CellMeetingStatus = "scheduled" | "held" | "not-held" | "cancelled";

export type CellMeetingReportStatus = "not-due" | "due" | "overdue" | "submitted" | "late";

export type AttendanceEntry = { "person-id": string; "status": "present" | "absent" | "excused" | "online"; "first-time"?: boolean; "note"?: string | null };

export type Visitor = { "full-name": string; "phone"?: PhoneNumber | null; "email"?: Email | null; "note"?: string | null };

export type CellAttendanceStatus = "present" | "absent" | "excused" | "online" | "missed";

export type FormStatus = "draft" | "open" | "closed" | "archived";

export type FormField = { "key": string; "type": FormFieldType; "label": string; "help"?: string | null; "required"?: boolean | null; "options"?: { "value": string; "label": string }[] | null; "min"?: unknown; "max"?: unknown; "max-length"?: number | null; "show-if"?: { "field": string; "equals": unknown } | null; "maps-to"?: string | null };

export type FormFieldType = "text" | "long-text" | "email" | "phone" | "number" | "date" | "boolean" | "select" | "multi-select" | "address" | "consent" | "heading" | "hidden";

export type FormActions = { "create-or-match-person"?: boolean | null; "add-to-cell"?: string | null; "enroll-in-class"?: string | null; "notify"?: string[] | null };

export type FormChallenge = "none" | "pow";

export type FormSubmissionStatus = "new" | "processed" | "rejected" | "spam" | "archived";

export type FormSubmissionSource = "public" | "staff" | "member" | "import";

export type FormSubmissionMatch = "linked" | "suggested" | "none";

export type FormSubmissionResults = { "person-created": boolean; "cell-membership"?: string | null; "course-enrollment"?: string | null };

export type FormSubmissionChangeStatus = "rejected" | "spam" | "archived";

export type FormSubmissionChangeResult = { "id": string; "outcome": "changed" | "unchanged" | "invalid-transition" | "forbidden" };

export type FormTotalField = { "key": string; "answered": number; "counts"?: { "value": string; "count": number }[] | null; "sum"?: number | null };

export type FormTotalDay = { "date": CalendarDate; "count": number };

export type NoteVisibility = "scope" | "staff" | "confidential";

export type NoteFollowUpStatus = "open" | "done";

export type ImportJobKind = "people" | "cell-memberships" | "course-enrollments";

export type ImportJobMatchOn = "email" | "phone" | "external-id" | "name-birthdate";

export type ImportJobOnMatch = "skip" | "update";

export type ImportJobEncoding = "utf-8" | "windows-1252";

export type ImportJobDateFormat = "YYYY-MM-DD" | "DD/MM/YYYY" | "MM/DD/YYYY" | "DD.MM.YYYY" | "DD-MM-YYYY" | "YYYY/MM/DD";

export type ImportJobStatus = "created" | "validating" | "ready" | "running" | "done" | "undoing" | "undone" | "failed";

export type ImportJobCounts = { "rows": number; "create": number; "update": number; "skip": number; "error": number; "written": number; "undone": number; "kept": number; "by-column": Record<string, Record<string, number>> };

export type ImportRowAction = "create" | "update" | "skip" | "error";

export type ImportRowOutcome = "written" | "undone" | "kept";

export type ImportRowError = { "column"?: string | null; "code": string; "detail": string; "value"?: string | null };

export type RolePermission = "accounts:read" | "accounts:write" | "audit-entries:read" | "cell-join-requests:approve" | "cell-join-requests:read" | "cell-join-requests:write" | "cell-meetings:read" | "cell-meetings:report" | "cell-meetings:write" | "cell-memberships:delete" | "cell-memberships:read" | "cell-memberships:write" | "cell-multiplications:approve" | "cell-multiplications:read" | "cell-multiplications:write" | "cell-texts:write" | "cells:delete" | "cells:read" | "cells:write" | "course-attendances:read" | "course-attendances:write" | "course-classes:read" | "course-classes:write" | "course-enrollments:approve" | "course-enrollments:read" | "course-enrollments:write" | "course-lessons:read" | "course-lessons:write" | "course-materials:read" | "course-materials:write" | "course-requirements:read" | "course-requirements:write" | "course-sessions:read" | "course-sessions:write" | "course-task-completions:read" | "course-task-completions:write" | "course-tasks:read" | "course-tasks:write" | "courses:delete" | "courses:read" | "courses:write" | "form-submissions:delete" | "form-submissions:read" | "form-submissions:write" | "forms:delete" | "forms:read" | "forms:write" | "households:delete" | "households:read" | "households:write" | "import-jobs:write" | "note-confidential:read" | "notes:delete" | "notes:read" | "notes:write" | "people:merge" | "people:read" | "people:write" | "person-contacts:write" | "person-details:read" | "person-invitations:write" | "prospects:write" | "role-assignments:delete" | "role-assignments:read" | "role-assignments:write" | "roles:delete" | "roles:read" | "roles:write" | "tags:read" | "tags:write";

export type RoleAssignmentScopeType = "account" | "cell-tree" | "cell" | "course" | "course-class" | "self";

export type PersonInvitationDelivery = "email" | "link";

export type AuditEntryAction = "created" | "updated" | "deleted" | "permission-changed" | "merged" | "logged-in" | "login-failed" | "password-changed";

export type AuditEntryCause = "ui" | "api" | "form" | "merge" | "system" | "import";

/** The name of an event type. `GET /v1/webhook-event-types` lists them. */
export type WebhookEventName = "account.updated" | "person.created" | "person.updated" | "person.merged" | "person.deleted" | "person.deactivated" | "person.reactivated" | "person.anonymized" | "household.created" | "household.updated" | "household.deleted" | "course.created" | "course.updated" | "course.deleted" | "course-lesson.created" | "course-lesson.updated" | "course-lesson.deleted" | "course-class.created" | "course-class.updated" | "course-class.deleted" | "course-class.started" | "course-class.finished" | "course-enrollment.created" | "course-enrollment.updated" | "course-enrollment.deleted" | "course-enrollment.completed" | "course-enrollment.withdrawn" | "course-attendance.recorded" | "course-material.created" | "course-material.updated" | "course-material.deleted" | "course-task-completion.created" | "course-task-completion.updated" | "cell.created" | "cell.updated" | "cell.deleted" | "cell.closed" | "cell.reopened" | "cell.multiplied" | "cell-membership.created" | "cell-membership.updated" | "cell-membership.ended" | "cell-join-request.created" | "cell-join-request.decided" | "cell-meeting.created" | "cell-meeting.updated" | "cell-meeting.deleted" | "cell-meeting.reported" | "form-submission.created" | "form-submission.updated" | "note.created" | "import-job.completed" | "role-assignment.created" | "role-assignment.deleted";

export type WebhookEndpointStatus = "pending-verification" | "active" | "paused";

export type WebhookEndpointPauseReason = "manual" | "health" | "security-policy";

export type WebhookEndpointEffectiveHealth = "pending-verification" | "paused" | "healthy" | "degraded" | "failing";

export type WebhookEndpointVerification = { "delivery-id": string; "status": "pending" | "succeeded" | "failed" | "expired"; "attempt-count": number; "next-attempt-at"?: Timestamp | null; "last-error-code"?: string | null; "expires-at": Timestamp };

export type WebhookEndpointLastProductionFailure = { "code": string; "message": string };

export type WebhookEndpointMetrics = { "24h": WebhookMetricsWindow; "7d": WebhookMetricsWindow };

export type WebhookMetricsWindow = { "attempts": number; "retries": number; "succeeded": number; "failed": number; "success-rate"?: number | null; "attempt-success-rate"?: number | null; "latency-ms": { "average"?: number | null; "p50"?: number | null; "p95"?: number | null; "p99"?: number | null } };

export type WebhookEndpointHour = { "at": Timestamp; "attempts": number; "retries": number; "succeeded": number; "failed": number; "p95-ms"?: number | null };

export type WebhookEndpointChangeChange = "created" | "updated" | "url-changed" | "paused" | "resumed" | "verification-requested" | "verified" | "secret-rotated" | "deleted";

export type WebhookEndpointChangeDetails = { "status": "pending-verification" | "active" | "paused" | "deleted"; "pause-reason"?: "manual" | "health" | "security-policy" | null; "configuration-version": number; "destination-version": number; "secret-generation": number; "verification-generation": number; "changed-fields": string[] };

export type WebhookEventSnapshot = { "type": string; "id": string };

export type WebhookEventTruncation = { "is-truncated": boolean; "omitted-fields": string[]; "original-bytes": number };

export type WebhookEventMerge = { "kept-id": string; "removed-ids": string[] };

export type WebhookDeliveryKind = "production" | "verification" | "test";

export type WebhookDeliveryStatus = "pending" | "processing" | "retry-scheduled" | "blocked-system" | "delivered" | "failed-permanent" | "exhausted" | "suppressed" | "expired";

export type WebhookDeliverySuppressionReason = "pending-verification" | "manual-pause" | "health-pause" | "security-policy" | "subscription-removed" | "destination-version-mismatch" | "url-changed" | "verification-superseded" | "deleted";

export type WebhookDeliveryAttempt = { "id": string; "state": "started" | "completed" | "abandoned"; "outcome"?: "success" | "retryable-failure" | "permanent-failure" | "system-failure" | null; "attempt-number": number; "http-status"?: number | null; "error-code"?: string | null; "error-message"?: string | null; "answer"?: string | null; "duration-ms"?: number | null; "started-at": Timestamp; "finished-at"?: Timestamp | null };

export type BrowserSession = { "person": { "id": string; "full-name": string; "preferred-name": string | null; "photo-url": string | null; "locale": string | null; "administrative-status": string }; "account": { "id": string; "alias": string; "church-name": string; "logo-url": string | null; "settings": Record<string, unknown>; "custom-properties": Record<string, unknown> }; "abilities": Ability[]; "leads": LedCell[]; "teaches": TaughtClass[]; "session": { "expires-at": string; "remember": boolean }; "service": { "version": string; "web": string | null; "mail": boolean; "limits": { "upload-bytes": number } } };

export type Ability = { "permission": string; "scope-type": string; "ids": string[] | null; "is-derived": boolean };

export type LedCell = { "id": string; "name": string };

export type TaughtClass = { "id": string; "name": string; "course-id": string };

export type PasswordLink = { "account": { "alias": string; "name": string }; "username": string; "password-length-min": number };

/** The form that the text needs. - `area-code`: an area code of 1 to 5 digits - `color`: a color as #rrggbb - `country`: an ISO 3166-1 country code of two capital letters - `currency`: an ISO 4217 currency code - `cursor`: a cursor of this list and order - `date`: a date as YYYY-MM-DD, in the years 1000 to 2999 - `day-of-year`: a day of the year as MM-DD - `delimiter`: a comma, a semicolon, a tab or a vertical bar - `email`: an e-mail address - `import-target`: an attribute such as full-name, or a part of one such as address.city - `locale`: a locale tag - `name`: 1 to 63 lower-case letters, digits and dashes, beginning with a letter - `one-line`: one line without control characters - `option`: one line of text that is not blank and has no commas - `origin`: an origin that begins with https://, or with http://localhost for tests - `percent-encoded`: percent-encoded UTF-8 - `phone`: a telephone number - `place`: a latitude, a longitude and a distance in km - `slug`: 1 to 80 lower-case letters, digits and single dashes between them - `text`: text without NUL characters and unpaired surrogates - `time-zone`: an IANA time zone - `timestamp`: an ISO 8601 timestamp with a time zone, in the years 1000 to 2999 - `url`: a web address that begins with http:// or https:// - `webhook-url`: an HTTPS address with a public host, without credentials and fragment - `uuid`: the id of a resource */
export type ErrorFormat = "area-code" | "color" | "country" | "currency" | "cursor" | "date" | "day-of-year" | "delimiter" | "email" | "import-target" | "locale" | "name" | "one-line" | "option" | "origin" | "percent-encoded" | "phone" | "place" | "slug" | "text" | "time-zone" | "timestamp" | "url" | "webhook-url" | "uuid";

export type EventFacts = { "occurred-at": string; "schema-version": number; "cause": string; "batch-id": string | null; "changed-fields": string[] | null; "truncation": { "is-truncated": boolean; "omitted-fields": string[]; "original-bytes": number }; "merge": { "kept-id": Id; "removed-ids": string[] } | null };

/** An opaque id, made by the service. */
export type Id = string;

export type MessageMeta = { "delivery-id": Id; "delivery-kind": "production" | "verification" | "test"; "attempt": number };

/** The facts of a type that a client needs at run time. */
export interface Facts {
  /** The types of the targets of the relationships: `people`, `people[]` or `households|cells`. */
  links: Readonly<Record<string, string>>;
  /** The sorts that can be null, which cursors do not support. */
  numbered?: readonly string[];
  files?: readonly string[];
}

export const facts: Readonly<Record<string, Facts>> = {
 "accounts": {
  "links": {
   "created-by": "people",
   "modified-by": "people"
  }
 },
 "people": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "household": "households",
   "households": "households[]",
   "tags": "tags[]",
   "course-enrollments": "course-enrollments[]",
   "teaches": "course-classes[]",
   "completed-courses": "courses[]",
   "cell-memberships": "cell-memberships[]",
   "cells": "cells[]",
   "leads": "cells[]",
   "roles": "roles[]",
   "role-assignments": "role-assignments[]"
  },
  "numbered": [
   "birthdate",
   "birth-month-day",
   "membership-status",
   "last-attended-at"
  ],
  "files": [
   "photo"
  ]
 },
 "person-merges": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "kept": "people",
   "removed": "people[]"
  }
 },
 "person-duplicates": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "people": "people[]"
  }
 },
 "person-anonymizations": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "person": "people"
  }
 },
 "households": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "primary-contact": "people",
   "members": "people[]",
   "memberships": "household-memberships[]"
  }
 },
 "household-memberships": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "household": "households",
   "person": "people"
  }
 },
 "tags": {
  "links": {
   "created-by": "people",
   "modified-by": "people"
  }
 },
 "courses": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "teachers": "people[]",
   "lessons": "course-lessons[]",
   "classes": "course-classes[]",
   "student-materials": "course-materials[]",
   "teacher-materials": "course-materials[]",
   "enrollments": "course-enrollments[]",
   "requirements": "course-requirements[]",
   "completed-by": "people[]",
   "tags": "tags[]"
  },
  "numbered": [
   "order"
  ],
  "files": [
   "image"
  ]
 },
 "course-lessons": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "course": "courses",
   "materials": "course-materials[]",
   "tasks": "course-tasks[]"
  }
 },
 "course-classes": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "course": "courses",
   "teachers": "people[]",
   "students": "people[]",
   "enrollments": "course-enrollments[]",
   "sessions": "course-sessions[]",
   "lessons-completed": "course-lessons[]"
  },
  "numbered": [
   "starts",
   ""
  ]
 },
 "course-sessions": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "class": "course-classes",
   "course": "courses",
   "lesson": "course-lessons",
   "teacher": "people"
  }
 },
 "course-session-plans": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "class": "course-classes",
   "course": "courses"
  }
 },
 "course-materials": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "course": "courses",
   "class": "course-classes",
   "lesson": "course-lessons",
   "attachments": "material-attachments[]"
  },
  "numbered": [
   "order",
   ""
  ],
  "files": [
   "attachments"
  ]
 },
 "material-attachments": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "material": "course-materials"
  }
 },
 "course-requirements": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "course": "courses",
   "required-course": "courses"
  }
 },
 "course-enrollments": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "course": "courses",
   "class": "course-classes",
   "person": "people",
   "attendances": "course-attendances[]",
   "task-completions": "course-task-completions[]"
  },
  "numbered": [
   "person"
  ]
 },
 "course-enrollment-requests": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "class": "course-classes",
   "course": "courses",
   "person": "people",
   "decided-by": "people"
  }
 },
 "course-attendances": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "session": "course-sessions",
   "enrollment": "course-enrollments",
   "person": "people",
   "lesson": "course-lessons",
   "class": "course-classes",
   "course": "courses",
   "recorded-by": "people"
  },
  "numbered": [
   "person"
  ]
 },
 "course-attendance-sheets": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "session": "course-sessions",
   "class": "course-classes",
   "course": "courses"
  }
 },
 "course-tasks": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "course": "courses",
   "lesson": "course-lessons"
  },
  "numbered": [
   "order",
   ""
  ]
 },
 "course-task-completions": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "task": "course-tasks",
   "enrollment": "course-enrollments",
   "person": "people",
   "class": "course-classes",
   "course": "courses",
   "reviewed-by": "people"
  },
  "files": [
   "file"
  ]
 },
 "cells": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "parent": "cells",
   "children": "cells[]",
   "multiplied-from": "cells",
   "memberships": "cell-memberships[]",
   "meetings": "cell-meetings[]",
   "leaders": "people[]",
   "co-leaders": "people[]",
   "trainees": "people[]",
   "host": "people",
   "supervisors": "people[]",
   "tags": "tags[]"
  },
  "numbered": [
   "weekday",
   "members-count",
   "last-meeting-on"
  ]
 },
 "cell-closings": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "cell": "cells",
   "moved-to": "cells"
  }
 },
 "cell-reopenings": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "cell": "cells"
  }
 },
 "cell-memberships": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "cell": "cells",
   "person": "people"
  }
 },
 "cell-transfers": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "memberships": "cell-memberships[]",
   "from-cell": "cells",
   "to-cell": "cells"
  }
 },
 "cell-join-requests": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "cell": "cells",
   "person": "people",
   "decided-by": "people"
  }
 },
 "cell-multiplications": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "parent-cell": "cells",
   "members": "people[]",
   "leaders": "people[]",
   "resulting-cell": "cells",
   "decided-by": "people"
  }
 },
 "cell-meetings": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "cell": "cells",
   "submitted-by": "people",
   "attendances": "cell-attendances[]"
  }
 },
 "cell-attendances": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "meeting": "cell-meetings",
   "cell": "cells",
   "person": "people"
  }
 },
 "cell-report-summaries": {
  "links": {
   "cell": "cells"
  },
  "numbered": [
   "week",
   ""
  ]
 },
 "cell-report-totals": {
  "links": {
   "supervision": "cells"
  },
  "numbered": [
   "week",
   ""
  ]
 },
 "forms": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "owner": "people",
   "cell": "cells",
   "course": "courses",
   "totals": "form-totals"
  }
 },
 "form-versions": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "form": "forms"
  }
 },
 "form-submissions": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "form": "forms",
   "person": "people",
   "suggested-people": "people[]",
   "reviewed-by": "people"
  }
 },
 "form-submission-changes": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "form-submissions": "form-submissions[]"
  }
 },
 "form-totals": {
  "links": {}
 },
 "notes": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "about": "people|households|cells",
   "author": "people",
   "assignee": "people"
  },
  "numbered": [
   "follow-up-on"
  ]
 },
 "import-jobs": {
  "links": {
   "created-by": "people",
   "modified-by": "people"
  }
 },
 "import-rows": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "import-job": "import-jobs",
   "person": "people"
  }
 },
 "import-runs": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "import-job": "import-jobs"
  }
 },
 "import-undos": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "import-job": "import-jobs"
  }
 },
 "roles": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "assignments": "role-assignments[]"
  }
 },
 "role-assignments": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "role": "roles",
   "person": "people",
   "granted-by": "people"
  }
 },
 "person-invitations": {
  "links": {
   "created-by": "people",
   "modified-by": "people",
   "person": "people"
  }
 },
 "audit-entries": {
  "links": {
   "actor": "people",
   "subject-person": "people"
  }
 },
 "webhook-endpoints": {
  "links": {
   "timeline": "webhook-endpoint-changes[]"
  },
  "numbered": [
   "name"
  ]
 },
 "webhook-endpoint-changes": {
  "links": {
   "endpoint": "webhook-endpoints"
  }
 },
 "webhook-endpoint-secret-rotations": {
  "links": {
   "endpoint": "webhook-endpoints"
  }
 },
 "webhook-replays": {
  "links": {
   "endpoint": "webhook-endpoints"
  }
 },
 "webhook-events": {
  "links": {}
 },
 "webhook-deliveries": {
  "links": {
   "endpoint": "webhook-endpoints",
   "event": "webhook-events",
   "origin-delivery": "webhook-deliveries"
  }
 },
 "webhook-endpoint-verifications": {
  "links": {}
 },
 "webhook-test-deliveries": {
  "links": {}
 },
 "webhook-redeliveries": {
  "links": {
   "delivery": "webhook-deliveries"
  }
 },
 "password-changes": {
  "links": {}
 },
 "password-resets": {
  "links": {}
 },
 "password-reset-confirmations": {
  "links": {}
 },
 "access-token-revocations": {
  "links": {
   "person": "people"
  }
 },
 "access-tokens": {
  "links": {},
  "numbered": [
   ""
  ]
 },
 "webhook-event-types": {
  "links": {},
  "numbered": [
   ""
  ]
 }
};
