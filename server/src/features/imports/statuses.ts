import type { Source } from "../../base/errors.ts";
import { invalidTransition, type Transitions } from "../../base/transitions.ts";

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

const transitions: Transitions<ImportStatus> = {
  created: ["validating"],
  validating: ["ready", "failed"],
  ready: ["validating", "running"],
  running: ["done", "failed"],
  done: ["undoing"],
  undoing: ["undone", "failed"],
  undone: [],
  failed: ["validating"],
};

/** A run that failed in the middle has written rows. They can be undone, and another file must not replace them. */
const afterFailedRun: Transitions<ImportStatus> = { ...transitions, failed: ["undoing"] };

/** 409 if the job cannot take this step now. A step that has begun cannot begin again. */
export function checkStep(
  { runAt, status }: { status: ImportStatus; runAt: string | null },
  to: ImportStatus,
  source: Source,
): void {
  const allowed = (runAt === null ? transitions : afterFailedRun)[status];
  if (!allowed.includes(to)) throw invalidTransition({ from: status, to, allowed }, source);
}
