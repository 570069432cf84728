import { type StatusChange, transitionsOf } from "../../../base/transitions.ts";
import type { CapturedType } from "../../../events/event-types.ts";

export const classStatuses = ["draft", "open", "in-progress", "finished", "cancelled"] as const;

export type ClassStatus = (typeof classStatuses)[number];

const staff = "`course-classes:write`";

export const classChanges: readonly StatusChange<ClassStatus>[] = [
  { from: "draft", to: ["open", "cancelled"], by: staff },
  { from: "open", to: ["draft", "in-progress", "cancelled"], by: staff },
  { from: "in-progress", to: ["finished", "cancelled"], by: staff },
  { from: "finished", to: ["in-progress"], by: `${staff}, as a correction` },
];

export const classTransitions = transitionsOf(classStatuses, classChanges);

/** The events of changes to these statuses. Other changes are updates. */
export const classEvents: Partial<Record<ClassStatus, CapturedType>> = {
  "in-progress": "course-class.started",
  "finished": "course-class.finished",
};
