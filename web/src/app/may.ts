import type { Bootstrap } from "@vestry/sdk";
import { useSession } from "./session.tsx";

/** Every person holds these for the own record and for public groups. They open no section of the menu. */
const COMMON_SCOPES = ["self", "public", "creator"];

/** Whether the caller holds a permission beyond that. It decides menus and routes. No code compares names of roles. */
export const holds = ({ abilities }: Pick<Bootstrap, "abilities">, permission: string): boolean =>
  abilities.some(
    (ability) =>
      ability.permission === permission && !COMMON_SCOPES.includes(ability["scope-type"]),
  );

/** Whether the caller holds a permission for the whole account. "People without a group" can only be asked by such a caller. */
export const holdsEverywhere = (
  { abilities }: Pick<Bootstrap, "abilities">,
  permission: string,
): boolean =>
  abilities.some(
    (ability) => ability.permission === permission && ability["scope-type"] === "account",
  );

export const useHolds = (permission: string): boolean => holds(useSession(), permission);

export const isFullAdministrator = ({ person }: Pick<Bootstrap, "person">): boolean =>
  person["administrative-status"] === "full-administrator";

/** The group of a person who leads one group and reads the meetings of no other. */
export function ledAlone({ leads, abilities }: Pick<Bootstrap, "leads" | "abilities">) {
  const [led, ...others] = leads;
  if (led === undefined || others.length > 0) return undefined;
  const isAlone = abilities
    .filter(
      (one) =>
        one.permission === "cell-meetings:read" && !COMMON_SCOPES.includes(one["scope-type"]),
    )
    .every((one) => one["scope-type"] === "cell" && one.ids?.every((id) => id === led.id));
  return isAlone ? led : undefined;
}

type WithMay = {
  $meta?: {
    may?: {
      update?: string[];
      delete?: boolean | string;
      actions?: Record<string, boolean | string>;
    };
  };
};

/** Whether an attribute or relationship of this resource may be written. The read needs `meta: { may: true }`. */
export const mayWrite = (resource: WithMay | undefined, name: string): boolean =>
  resource?.$meta?.may?.update?.includes(name) ?? false;

/** True, false, or the code of the error that the action would return now. */
export const mayAct = (resource: WithMay | undefined, action: string): boolean | string =>
  (action === "delete" ? resource?.$meta?.may?.delete : resource?.$meta?.may?.actions?.[action]) ??
  false;
