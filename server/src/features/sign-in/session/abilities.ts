import type { Actor } from "../../../access/actor.ts";
import { isFullAdministrator } from "../../../access/actor.ts";
import type { Scope } from "../../../access/scopes.ts";

/** A permission and where a person holds it, so that an app can hide what the person may never do. */
export interface Ability {
  "permission": string;
  "scope-type": Scope;
  /** Null if there are too many. The scopes without ids have none. */
  "ids": readonly string[] | null;
  /** The person holds it because of a task, such as leading a cell. */
  "is-derived": boolean;
}

const IDS_MAX = 1_000;

/** Full administrators hold every permission in the whole account. */
export function abilitiesOf(actor: Actor, declared: ReadonlySet<string>): Ability[] {
  if (isFullAdministrator(actor))
    return [...declared].sort().map((permission) => ({
      permission,
      "scope-type": "account",
      "ids": [],
      "is-derived": false,
    }));
  const abilities = actor.assignments.flatMap(
    ({ isDerived = false, permissions, scopeIds, scopeType }) =>
      withReads(permissions)
        .filter((permission) => declared.has(permission))
        .map((permission) => ({ permission, scopeType, scopeIds, isDerived })),
  );
  const grouped = Map.groupBy(abilities, ({ isDerived, permission, scopeType }) =>
    [permission, scopeType, isDerived].join(" "),
  );
  return [...grouped.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]): Ability[] => {
      if (first === undefined) return [];
      const ids = [...new Set([first, ...others].flatMap(({ scopeIds }) => scopeIds))].sort();
      return [
        {
          "permission": first.permission,
          "scope-type": first.scopeType,
          "ids": ids.length > IDS_MAX ? null : ids,
          "is-derived": first.isDerived,
        },
      ];
    });
}

/** Write permission includes read permission. */
const withReads = (permissions: readonly string[]): string[] => [
  ...new Set(permissions.flatMap((one) => [one, one.replace(/:write$/, ":read")])),
];
