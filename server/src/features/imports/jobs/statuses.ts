import type { Source } from "../../../base/errors.ts";
import {
  invalidTransition,
  type StatusChange,
  type Transitions,
  transitionsOf,
} from "../../../base/transitions.ts";

export const statuses = [
  "created",
  "validating",
  "ready",
  "running",
  "done",
  "undoing",
  "undone",
  "failed",
] as const;

export type ImportStatus = (typeof statuses)[number];

const service = "the service";

export const importChanges: readonly StatusChange<ImportStatus>[] = [
  { from: "created", to: ["validating"], by: "`PUT …/file`" },
  { from: "validating", to: ["ready", "failed"], by: service },
  { from: "ready", to: ["validating"], by: "`PUT …/file`" },
  { from: "ready", to: ["created"], by: "a PATCH that changes the job", follows: true },
  { from: "ready", to: ["running"], by: "`import-runs`" },
  { from: "running", to: ["done", "failed"], by: service },
  { from: "failed", to: ["validating"], by: "`PUT …/file`, unless a run has written rows" },
  {
    from: "failed",
    to: ["undoing"],
    by: "`import-undos`, if a run has written rows",
    follows: true,
  },
  { from: "done", to: ["undoing"], by: "`import-undos`" },
  { from: "undoing", to: ["undone", "failed"], by: service },
  { from: "undone", to: ["validating"], by: "`PUT …/file`" },
];

const transitions = transitionsOf(statuses, importChanges);

/** A run that failed in the middle has written rows. They can be undone, and another file must not replace them. */
const afterFailedRun: Transitions<ImportStatus> = { ...transitions, failed: ["undoing"] };

/** 409 if the job cannot take this step now. A step that has begun cannot begin again. */
export function assertStep(
  { hasWritten, status }: { status: ImportStatus; hasWritten: boolean },
  to: ImportStatus,
  source: Source,
): void {
  const allowed = (hasWritten ? afterFailedRun : transitions)[status];
  if (!allowed.includes(to)) throw invalidTransition({ from: status, to, allowed }, source);
}
