import { lockPeople } from "../../../access/locks.ts";
import {
  ApiError,
  escapePointer,
  fail,
  notAllowedHere,
  type Problem,
  problem,
} from "../../../base/errors.ts";
import type { Broken } from "../../../base/rules.ts";
import { limits } from "../../../base/limits.ts";
import { isId } from "../../../base/ids.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { Resource, WriteContext } from "../../../jsonapi/definition/resource.ts";
import { type InputRules, mayWrite } from "../../../jsonapi/request/input.ts";
import type { Appointment } from "../../../jsonapi/definition/merge.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { keptPersonOf } from "../../../jsonapi/sql/merged-people.ts";
import { isReadable } from "../../../jsonapi/sql/read.ts";
import { assertOneRemains, fullAdministrators } from "../full-administrators.ts";
import {
  isChoosable,
  type MergedValues,
  mergedValues,
  type PersonRecord,
} from "./merged-values.ts";
import type { MergeFields } from "./fields.ts";

/** People that can be merged: they are locked, and every rule of the interface was checked. */
export interface CheckedMerge {
  keptId: string;
  removedIds: readonly string[];
  /** The removed people, and those who were merged into them before. */
  mergedIds: readonly string[];
  /** The kept person begins to lead a cell or to teach a class. */
  keptGainsRights: boolean;
  values: MergedValues;
}

const REMOVED = "/data/relationships/removed";

interface StoredPerson extends PersonRecord {
  readonly email: string | null;
  readonly has_login: boolean;
  readonly merged_ids: readonly string[];
  readonly is_anonymized: boolean;
}

/** Locks the people in an account that is locked, and throws the response to a merge that is not allowed. */
export async function assertMergeable(
  context: WriteContext,
  input: CreateInput<MergeFields>,
): Promise<CheckedMerge> {
  const { actor, db } = context;
  const keptId = input.toOne.kept;
  const removedIds = input.toMany.removed ?? [];
  const administrators = await fullAdministrators(db, actor.accountId);
  const people = await lockMerged(context, [keptId, ...removedIds.filter(isId)]);

  await assertNotOutranked(context, removedIds);
  await assertMergeablePeople(context, { keptId, removedIds, people });
  if (removedIds.includes(actor.personId))
    throw fail("deleting-oneself", "You cannot merge your own record into another one.", {
      pointer: `${REMOVED}/data/${removedIds.indexOf(actor.personId)}`,
    });
  assertOneRemains(administrators, removedIds);

  const gains = await gainsOf(context, keptId, removedIds);
  const kept = people.get(keptId) as StoredPerson;
  const removed = removedIds.map((id) => people.get(id) as StoredPerson);
  const mergedIds = removed.flatMap(({ id, merged_ids }) => [id, ...merged_ids]);
  return {
    keptId,
    removedIds,
    mergedIds,
    keptGainsRights: gains.length > 0,
    values: await mergeValues(context, input, kept, removed),
  };
}

/**
 * References to the removed people must wait, so the locks are the strongest. That of the kept person is, too, because people are
 * locked once and in the order of their ids.
 */
async function lockMerged(
  { actor, db }: WriteContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredPerson>> {
  await lockPeople(db, actor.accountId, ids, "update");
  const rows = await db<{ id: string; person: StoredPerson }[]>`
    select id, to_jsonb(people) as person from people
    where account_id = ${actor.accountId} and id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, person }) => [id, person]));
}

const removedPointer = (place: number) => `${REMOVED}/data/${place}`;

async function assertNotOutranked(
  context: WriteContext,
  removedIds: readonly string[],
): Promise<void> {
  for (const [place, id] of removedIds.entries())
    if (isId(id) && (await context.catalogue.published.outranks(context, id)))
      throw fail("forbidden", "This person holds rights that the caller does not hold.", {
        pointer: removedPointer(place),
      });
}

/** The cells and classes of removed people that the kept person begins to lead and to teach. The caller must be able to give them. */
async function gainsOf(
  context: WriteContext,
  keptId: string,
  removedIds: readonly string[],
): Promise<readonly Appointment[]> {
  const { classesGained, leadershipGained } = context.catalogue.published;
  const people = { keptId, removedIds };
  const gains = [
    ...(await leadershipGained(context, people)),
    ...(await classesGained(context, people)),
  ];
  const refused = gains.find(({ mayGive }) => !mayGive);
  if (refused)
    throw fail("forbidden", "The kept person would get a task that the caller cannot give.", {
      pointer: removedPointer(removedIds.indexOf(refused.personId)),
    });
  return gains;
}

interface NamedPeople {
  keptId: string;
  removedIds: readonly string[];
  people: ReadonlyMap<string, StoredPerson>;
}

/** Every person exists, is visible to the caller, and is named once. */
async function assertMergeablePeople(
  context: WriteContext,
  { keptId, people, removedIds }: NamedPeople,
): Promise<void> {
  const problems: Problem[] = [];
  const report = (pointer: string, broken: Broken, meta?: Record<string, unknown>) =>
    void problems.push(problem("invalid-relationship", broken, { pointer }, meta));
  const requirePerson = async (id: string, pointer: string) => {
    // An anonymized person is absent from every document.
    if (people.get(id)?.is_anonymized === true) return report(pointer, { rule: "not-found" });
    if (people.has(id) && (await isReadable(context, peopleIn(context), id))) return;
    const into = isId(id) ? await keptPersonOf(context, id) : undefined;
    if (into === undefined) report(pointer, { rule: "not-found" });
    else
      report(
        pointer,
        { rule: "not-found", hint: "This person was merged before." },
        { "merged-into": into },
      );
  };

  await requirePerson(keptId, "/data/relationships/kept/data");
  if (removedIds.length === 0) report(REMOVED, { rule: "min-items", limit: 1 });
  if (removedIds.length > limits.mergedPeopleMax)
    report(`${REMOVED}/data`, { rule: "max-items", limit: limits.mergedPeopleMax });
  for (const [place, id] of removedIds.slice(0, limits.mergedPeopleMax).entries()) {
    const pointer = `${REMOVED}/data/${place}/id`;
    if (id === keptId) report(pointer, notAllowedHere("The kept person cannot be removed."));
    else if (removedIds.indexOf(id) < place) report(pointer, { rule: "repeated" });
    else await requirePerson(id, pointer);
  }
  if (problems.length > 0) throw new ApiError(problems);
}

const peopleIn = ({ catalogue }: WriteContext): Resource => definitionOf(catalogue, "people");

async function mergeValues(
  context: WriteContext,
  { attributes }: CreateInput<MergeFields>,
  kept: StoredPerson,
  removed: readonly StoredPerson[],
): Promise<MergedValues> {
  const { actor, db } = context;
  const resource = peopleIn(context);
  const customFields = await context.lockCustomFields(db, actor, resource);
  const choices = new Map(Object.entries(attributes["field-choices"] ?? {}));
  const ids = [kept, ...removed].map(({ id }) => id);
  const rules: InputRules = { actor, customFields, id: kept.id };
  // An invitation would go to the new address.
  const outranked = await context.catalogue.published.outranks(context, kept.id, "stored");

  const refusals = new Map<string, Broken>();
  for (const [name, id] of choices) {
    const reason = ids.includes(id)
      ? unchoosable(resource, rules, name)
      : ({ rule: "one-of", allowed: ids } as const);
    if (reason !== undefined) refusals.set(name, reason);
  }
  // The address is the log-in. With another one, a different person could log in as this one.
  if (choices.has("email") && (kept.has_login || outranked))
    refusals.set(
      "email",
      notAllowedHere("The e-mail address of this kept person cannot change in a merge."),
    );
  refuseChoices(refusals);

  const merged = mergedValues({
    attributes: resource.attributes,
    customFields,
    kept,
    removed,
    choices,
    mayFillEmail: !outranked,
  });
  refuseChoices(merged.impossible);
  return merged;
}

/** The reason why the caller cannot choose a value of this name, or undefined. */
function unchoosable(resource: Resource, rules: InputRules, name: string): Broken | undefined {
  const unknown = { rule: "unknown", given: name } as const;
  const [, field] = /^custom-properties\.(.*)$/s.exec(name) ?? [];
  if (field !== undefined) {
    const known = rules.customFields?.fields.get(field);
    const isOpen = known && !known.archived && rules.customFields?.mayWrite(rules, field);
    return isOpen ? undefined : unknown;
  }
  const attribute = Object.hasOwn(resource.attributes, name)
    ? resource.attributes[name]
    : undefined;
  if (attribute && isChoosable(name, attribute) && mayWrite(resource, name, rules))
    return undefined;
  return unknown;
}

function refuseChoices(refusals: ReadonlyMap<string, Broken>): void {
  if (refusals.size === 0) return;
  throw new ApiError(
    [...refusals].map(([name, broken]) =>
      problem("invalid-attribute", broken, {
        pointer: `/data/attributes/field-choices/${escapePointer(name)}`,
      }),
    ),
  );
}
