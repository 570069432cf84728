import { type StatusChange, transitionsOf } from "../../../base/transitions.ts";

export const formStatuses = ["draft", "open", "closed", "archived"] as const;

export type FormStatus = (typeof formStatuses)[number];

const staff = "`forms:write`";
const unused = `${staff}, while the form has no submission`;

export const formChanges: readonly StatusChange<FormStatus>[] = [
  { from: "draft", to: ["open", "closed", "archived"], by: staff },
  { from: "open", to: ["closed", "archived"], by: staff },
  { from: "open", to: ["draft"], by: unused },
  { from: "closed", to: ["open", "archived"], by: staff },
  { from: "closed", to: ["draft"], by: unused },
  { from: "archived", to: ["closed"], by: staff },
];

export const formTransitions = transitionsOf(formStatuses, formChanges);
