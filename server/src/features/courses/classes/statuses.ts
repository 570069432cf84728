import type { Transitions } from "../../../base/transitions.ts";
import type { CapturedType } from "../../../events/event-types.ts";

export const classStatuses = ["draft", "open", "in-progress", "finished", "cancelled"] as const;

export type ClassStatus = (typeof classStatuses)[number];

export const classTransitions: Transitions<ClassStatus> = {
  "draft": ["open", "cancelled"],
  "open": ["draft", "in-progress", "cancelled"],
  "in-progress": ["finished", "cancelled"],
  // A correction.
  "finished": ["in-progress"],
  "cancelled": [],
};

/** The events of changes to these statuses. Other changes are updates. */
export const classEvents: Partial<Record<ClassStatus, CapturedType>> = {
  "in-progress": "course-class.started",
  "finished": "course-class.finished",
};
