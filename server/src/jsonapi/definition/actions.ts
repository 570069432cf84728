import { fullAdministrator, mainOf, type Policy } from "../../access/policy.ts";
import { placesOf } from "./members.ts";
import { policyOf } from "./operations.ts";
import { targetTypes } from "./relationships.ts";
import type { Action, Catalogue, Resource, RowConditions } from "./resource.ts";
import { onRow } from "./row-conditions.ts";

/** An action of a type, with the policy that decides it unless it has a condition of its own. */
export interface OfferedAction extends Action {
  name: string;
  policy: Policy;
  /** The type and the relationship of the resource that is created. */
  by?: { type: string; relationship: string };
  /** The policy must cover the whole account. */
  inAccount?: boolean;
}

const offered = new WeakMap<Catalogue, Map<string, readonly OfferedAction[]>>();

/** The actions of a type: its files, its own actions, and the resources that are created for it. */
export function actionsOf(catalogue: Catalogue, resource: Resource): readonly OfferedAction[] {
  const byType = offered.get(catalogue) ?? new Map<string, readonly OfferedAction[]>();
  offered.set(catalogue, byType);
  const known = byType.get(resource.type);
  if (known) return known;
  const actions = [
    ...Object.entries(resource.files ?? {}).map(([name, { allow }]) => ({ name, policy: allow })),
    ...ownActions(catalogue, resource),
    ...actionsBy(catalogue, resource),
  ];
  byType.set(resource.type, actions);
  return actions;
}

function* ownActions(catalogue: Catalogue, resource: Resource): Generator<OfferedAction> {
  const { actions = {}, operations } = resource;
  const policy = operations.update ? policyOf(operations.update) : fullAdministrator;
  for (const [name, action] of Object.entries(actions))
    yield { name, policy, ...action, refusedIf: refusalsOf(catalogue, resource, action) };
}

/** The states say from which statuses an action can set its own. */
function refusalsOf(
  { states }: Catalogue,
  { table, type }: Resource,
  { refusedIf = {}, sets = {} }: Action,
): NonNullable<RowConditions["refusedIf"]> {
  const machine = states.find((one) => one.type === type);
  const to = sets["status"];
  if (!machine || typeof to !== "string" || refusedIf["invalid-transition"]) return refusedIf;
  const from = machine.changes
    .filter((one) => one.to.includes(to) && !one.follows)
    .map((one) => `'${one.from}'`);
  const isElsewhere = onRow`${`${table}.status not in (${from.join(", ")})`}`;
  return { "invalid-transition": isElsewhere, ...refusedIf };
}

function* actionsBy(catalogue: Catalogue, { type }: Resource): Generator<OfferedAction> {
  for (const one of catalogue.resources.values()) {
    const { create } = one.operations;
    if (!create || !("run" in create)) continue;
    const main = mainOf(policyOf(create));
    for (const [name, actions] of Object.entries(create.actsOn ?? {})) {
      const relationship = one.relationships[name];
      if (!relationship || !targetTypes(relationship).includes(type)) continue;
      const inAccount = !placesOf(one).includes(name);
      for (const [action, conditions] of Object.entries(actions))
        yield {
          name: action,
          policy: main,
          inAccount,
          by: { type: one.type, relationship: name },
          ...conditions,
        };
    }
  }
}
