import { ApiError, type Problem, problem } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type {
  ImportOptions,
  Linker,
  LinkRow,
  Made,
  MadeLink,
  WrittenLink,
} from "../../jsonapi/definition/importer.ts";
import { choice, optional } from "../../jsonapi/definition/attributes.ts";
import { named } from "../../jsonapi/definition/names.ts";
import { targetOf, type WriteContext } from "../../jsonapi/definition/resource.ts";
import { insertRow } from "../../jsonapi/sql/write.ts";
import { idsNamed, type Named, usedAmong } from "../../jsonapi/sql/named.ts";
import { capture } from "../../events/capture.ts";
import { json } from "../../store/sql.ts";
import { householdRoles } from "./fields.ts";
import { addMember, touchHousehold } from "./memberships.ts";

/** The records that a row made. */
interface MadeMember extends Made {
  membership: string;
  /** The household, if the row is the first one that names it. */
  household?: string;
}

const householdsOf = ({ catalogue }: WriteContext) => targetOf(catalogue, { target: "households" });

const nameOf = ({ values }: LinkRow) => String(values["household"]);

/** The columns `household` and `household-role` of an import of people. A household that does not exist is created. */
export const householdLinker: Linker = {
  name: "household",
  needs: ["households:write"],
  columns: {
    "household": optional(named(200)),
    "household-role": optional(choice(householdRoles)),
  },
  personColumns: ["household_memberships.person_id", "households.primary_contact_id"],
  plan: planMembers,
  write: writeMembers,
  changed: changedMembers,
  undo: undoMembers,
};

/** The households that the rows name, and the memberships of these people and households. */
async function currentLinks(context: WriteContext, rows: readonly LinkRow[]) {
  const { actor, db } = context;
  const known = await idsNamed(context, householdsOf(context), rows.map(nameOf));
  const households = [...known.values()].flatMap(({ ids }) => ids);
  const people = rows.flatMap(({ personId }) => personId ?? []);
  const members = await db<{ householdId: string; personId: string }[]>`
    select household_id as "householdId", person_id as "personId" from household_memberships
    where account_id = ${actor.accountId}
      and (household_id = any(${households}::uuid[]) or person_id = any(${people}::uuid[]))`;
  return {
    known,
    isMember: (personId: string | null, householdId: string | undefined) =>
      members.some((one) => one.personId === personId && one.householdId === householdId),
    byHousehold: Map.groupBy(members, (one) => one.householdId),
    byPerson: Map.groupBy(members, (one) => one.personId),
  };
}

async function planMembers(
  context: WriteContext,
  rows: readonly LinkRow[],
  { members }: ImportOptions,
): Promise<ReadonlyMap<number, Problem>> {
  const { byHousehold, byPerson, isMember, known } = await currentLinks(context, rows);
  const problems = new Map<number, Problem>();
  for (const one of rows) {
    const { ids, key } = namedBy(known, one);
    const [id = ""] = ids;
    if (ids.length > 1) problems.set(one.row, ambiguous(ids.length));
    if (ids.length > 1 || isMember(one.personId, id)) continue;
    const added = (members.get(`household ${key}`) ?? 0) + 1;
    members.set(`household ${key}`, added);
    const { householdsPerPersonMax, membersPerHouseholdMax } = limits;
    if ((byHousehold.get(id)?.length ?? 0) + added > membersPerHouseholdMax)
      problems.set(one.row, full(`A household has at most ${membersPerHouseholdMax} members.`));
    else if ((byPerson.get(one.personId ?? "")?.length ?? 0) >= householdsPerPersonMax)
      problems.set(one.row, full(`A person is in at most ${householdsPerPersonMax} households.`));
  }
  return problems;
}

const namedBy = (known: ReadonlyMap<string, Named>, row: LinkRow): Named =>
  known.get(nameOf(row)) ?? { key: "", ids: [] };

const ambiguous = (count: number): Problem =>
  problem("conflict", `${count} households have this name. Rename them, or change the row.`);

const full = (detail: string): Problem => problem("limit-reached", detail);

async function writeMembers(
  context: WriteContext,
  rows: readonly WrittenLink[],
): Promise<ReadonlyMap<number, Made>> {
  const { isMember, known } = await currentLinks(context, rows);
  const existing = [...known.values()].flatMap(({ ids }) => ids);
  await lockHouseholds(context, existing);
  const created = new Map<string, string>();
  const grown = new Set<string>();
  const made = new Map<number, Made>();
  for (const one of rows) {
    const { ids, key } = namedBy(known, one);
    if (ids.length > 1) throw new ApiError([ambiguous(ids.length)]);
    const householdId = ids[0] ?? created.get(key);
    if (isMember(one.personId, householdId)) continue;
    const household = householdId ?? (await createFor(context, one));
    if (householdId === undefined) created.set(key, household);
    else grown.add(household);
    made.set(one.row, {
      membership: await addTo(context, one, household, householdId === undefined),
      ...(householdId === undefined && { household }),
    } satisfies MadeMember);
  }
  for (const id of grown) await touchHousehold(context, id, ["memberships"]);
  return made;
}

/** Parallel imports lock the households of a batch in the same order. */
const lockHouseholds = (
  { actor, db }: WriteContext,
  ids: readonly string[],
): Promise<unknown> => db`
  select from households where account_id = ${actor.accountId} and id = any(${[...ids]}::uuid[])
  order by id for no key update`;

/** A child is not the contact of a household. */
const isAdult = ({ values }: LinkRow) =>
  values["household-role"] !== "child" && values["household-role"] !== "dependent";

async function createFor(context: WriteContext, row: WrittenLink): Promise<string> {
  const households = householdsOf(context);
  const { id } = await insertRow({ ...context, resource: households }, households, {
    attributes: { name: nameOf(row) },
    toOne: isAdult(row) ? { "primary-contact": row.personId } : {},
    toMany: {},
  });
  return id;
}

/** Returns the id of the membership. */
async function addTo(
  context: WriteContext,
  row: WrittenLink,
  householdId: string,
  isFirst: boolean,
): Promise<string> {
  const sent = householdRoles.find((role) => role === row.values["household-role"]);
  const role = sent ?? (isFirst ? "head" : undefined);
  const input = {
    attributes: role === undefined ? {} : { "household-role": role },
    toOne: { household: householdId, person: row.personId },
    toMany: {},
  };
  return (await addMember(context, input, "/data/relationships/person/data")).id;
}

async function changedMembers(
  { actor, db }: WriteContext,
  rows: readonly MadeLink[],
): Promise<ReadonlySet<number>> {
  const given = rows.map(({ isNew, made, personId, row }) => ({
    row,
    person: personId,
    is_new: isNew,
    membership: (made as MadeMember | undefined)?.membership,
  }));
  const changed = await db<{ row: number }[]>`
    select given.row from jsonb_to_recordset(${json(given)}::text::jsonb)
      as given (row int, person uuid, is_new boolean, membership uuid)
    where exists (
        select from household_memberships own
        where own.account_id = ${actor.accountId} and own.id = given.membership and own.version > 1)
      or (is_new and exists (
        select from household_memberships other where other.account_id = ${actor.accountId}
          and other.person_id = given.person and other.id is distinct from given.membership))`;
  return new Set(changed.map(({ row }) => row));
}

/** Removes the members. A household that the import created disappears with the last one, unless somebody has added to it. */
async function undoMembers(context: WriteContext, rows: readonly MadeLink[]): Promise<void> {
  const { actor, db } = context;
  const { accountId } = actor;
  const made = rows.map((one) => one.made as MadeMember);
  const members = await db<{ householdId: string }[]>`
    select household_id as "householdId" from household_memberships
    where account_id = ${accountId} and id = any(${made.map(({ membership }) => membership)}::uuid[])`;
  const households = [...new Set(members.map(({ householdId }) => householdId))];
  await lockHouseholds(context, households);
  await db`
    delete from household_memberships
    where account_id = ${accountId} and id = any(${made.map(({ membership }) => membership)}::uuid[])`;
  const people = rows.map(({ personId }) => personId);
  const cleared = await db<{ id: string }[]>`
    update households set primary_contact_id = null
    where account_id = ${accountId} and id = any(${households}::uuid[])
      and primary_contact_id = any(${people}::uuid[])
    returning id`;
  const deleted = await deleteUnused(
    context,
    made.flatMap(({ household }) => household ?? []),
  );
  const lost = new Set(cleared.map(({ id }) => id));
  for (const id of households)
    if (!deleted.has(id))
      await touchHousehold(
        context,
        id,
        lost.has(id) ? ["memberships", "primary-contact"] : ["memberships"],
      );
}

async function deleteUnused(
  context: WriteContext,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { actor, db } = context;
  const used = await usedAmong(context, "households", ids);
  const deleted = await db<{ id: string }[]>`
    delete from households
    where account_id = ${actor.accountId} and id = any(${ids.filter((id) => !used.has(id))}::uuid[])
      and phone is null and address is null and custom_properties = '{}'
    returning id`;
  for (const { id } of deleted)
    await capture(db, actor, {
      type: "household.deleted",
      subject: { type: "households", id },
      snapshot: () => JSON.stringify({ type: "households", id }),
    });
  return new Set(deleted.map(({ id }) => id));
}
