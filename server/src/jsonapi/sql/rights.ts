import { lasting } from "../../access/actor.ts";
import { personMerged } from "../../base/errors.ts";
import type { RightsChange } from "../definition/attributes.ts";
import type { ResourceInput } from "../definition/input.ts";
import { accountColumnOf } from "../definition/members.ts";
import type { ReadContext, Resource, WriteContext } from "../definition/resource.ts";
import { definitionOf } from "../definition/targets.ts";
import type { Tx } from "../../store/db.ts";
import { isReadable } from "./read.ts";
import { StatementBuilder } from "./statement-builder.ts";

/** Writes of members that change the rights of people, as their definitions say. */

const changeBy = (
  { attributes, relationships }: Resource,
  name: string,
): RightsChange | undefined => {
  const member = attributes[name] ?? relationships[name];
  if (member === undefined) return undefined;
  if ("givesRights" in member) return {};
  return "changesRights" in member ? member.changesRights : undefined;
};

export const changesRights = (resource: Resource, names: Iterable<string>): boolean =>
  [...names].some((name) => changeBy(resource, name) !== undefined);

/** Confirms the rights of the caller if one of these members changes rights. */
export async function confirmFor(
  context: WriteContext,
  resource: Resource,
  names: Iterable<string>,
): Promise<void> {
  if (changesRights(resource, names)) await context.confirmation.now(context.db);
}

/**
 * Refuses a document that names a merged person and gives a right by one of these members. The kept person can rank higher than the
 * caller knows.
 */
export async function refuseMerged(
  context: WriteContext,
  resource: Resource,
  names: Iterable<string>,
): Promise<void> {
  const keptId = [...(context.actor.keptIds?.values() ?? [])].find((one) => one !== null);
  if (keptId === undefined || !changesRights(resource, names)) return;
  const isShown = await isReadable(context, definitionOf(context.catalogue, "people"), keptId);
  throw personMerged(409, isShown ? keptId : undefined);
}

/** The caller as the giver of a right without an end: to oneself only by rights that have none either. */
export const givingTo = <Context extends ReadContext>(
  context: Context,
  personIds: readonly string[],
): Context =>
  personIds.includes(context.actor.personId)
    ? { ...context, actor: lasting(context.actor, null) }
    : context;

/** A new row can have values that give no rights. */
export const namesGivingRights = (
  resource: Resource,
  { attributes, toMany, toOne }: ResourceInput,
): string[] => [
  ...Object.entries(attributes).flatMap(([name, value]) =>
    changeBy(resource, name)?.values?.includes(value) === false ? [] : name,
  ),
  ...Object.keys(toOne),
  ...Object.keys(toMany).filter((name) => (toMany[name] ?? []).length > 0),
];

/**
 * Ends the open password links of the people who gained rights because these members of rows were written. Returns whether a log-in
 * ended with them.
 */
export async function endLinksAfter(
  context: WriteContext,
  resource: Resource,
  ids: readonly string[],
  { attributes, toOne }: Pick<ResourceInput, "attributes" | "toOne">,
): Promise<boolean> {
  let isEnded = false;
  for (const [name, value] of Object.entries({ ...attributes, ...toOne })) {
    const { gainedBy, values } = changeBy(resource, name) ?? {};
    if (gainedBy === undefined || values?.includes(value) === false) continue;
    const statement = new StatementBuilder(context.actor.accountId);
    const rows = await statement.rows(
      context.db,
      `select gaining.person_id from ${resource.table} cross join lateral (${gainedBy}) as gaining (person_id)` +
        ` where ${resource.table}.${accountColumnOf(resource)} = ${statement.account}` +
        ` and ${resource.table}.id = any(${statement.bind(ids)}::uuid[])`,
    );
    const gaining = rows.map(([id]) => id as string);
    if (await endPasswordLinks(context, gaining)) isEnded = true;
  }
  return isEnded;
}

const endingLogins = new WeakSet<Tx>();

/** Whether a log-in ended in this transaction, which the answer says. */
export const endsLogin = (tx: Tx): boolean => endingLogins.has(tx);

/**
 * Ends the open invitations and password resets of people who gain rights, and the log-ins whose password a caller of fewer rights can
 * know. Returns whether a log-in ended.
 */
export async function endPasswordLinks(
  context: WriteContext,
  personIds: readonly string[],
): Promise<boolean> {
  if (personIds.length === 0) return false;
  const isEnded = await context.catalogue.published.endPasswordLinks(context, personIds);
  if (isEnded) endingLogins.add(context.db);
  return isEnded;
}
