import { lockPeople } from "../../access/locks.ts";
import { ApiError, type Problem, problem } from "../../base/errors.ts";
import { folded } from "../../base/folded.ts";
import { limits } from "../../base/limits.ts";
import type {
  Finding,
  Findings,
  ImportOptions,
  Linker,
  LinkRow,
  Made,
  MadeLink,
  RowCode,
  WrittenLink,
} from "../../jsonapi/definition/importer.ts";
import { choice, optional } from "../../jsonapi/definition/attributes.ts";
import { named } from "../../jsonapi/definition/names.ts";
import type { WriteContext } from "../../jsonapi/definition/resource.ts";
import { insertRows, touchRows } from "../../jsonapi/sql/write.ts";
import { usedAmong } from "../../jsonapi/sql/named.ts";
import { capture } from "../../events/capture.ts";
import { definitionOf } from "../../jsonapi/definition/targets.ts";
import { json } from "../../store/sql.ts";
import { householdRoles } from "./fields.ts";

/** The records that a row made. */
interface MadeMember extends Made {
  membership: string;
  /** The household, if the row is the first one that names it. */
  household?: string;
}

const householdsOf = ({ catalogue }: WriteContext) => definitionOf(catalogue, "households");

const nameOf = ({ values }: LinkRow) => String(values["household"]);

const familyOf = ({ values }: LinkRow) => {
  const key = values["household-key"];
  return typeof key === "string" ? key.trim() : null;
};

/**
 * The columns `household` and `household-role` of an import of people, and the column that `household-key` of the job names. A
 * household that does not exist is created. With a key, only a household of this key and name counts.
 */
export const householdLinker: Linker = {
  name: "household",
  needs: ["households:write"],
  columns: {
    "household": optional(named(200)),
    "household-role": optional(choice(householdRoles)),
    "household-key": optional(named(100)),
  },
  personColumns: ["household_memberships.person_id", "households.primary_contact_id"],
  plan: planMembers,
  write: writeMembers,
  changed: changedMembers,
  undo: undoMembers,
};

interface Member {
  householdId: string;
  /** The folded name of the household. */
  name: string;
  personId: string;
  role: string;
  isPrimary: boolean;
}

/** The households that rows name, by the rows. */
interface Home {
  /** Equal for rows of one household. */
  key: string;
  /** The folded name. */
  name: string;
  ids: readonly string[];
}

type Homes = ReadonlyMap<string, Home>;

const placeOf = (row: LinkRow) => JSON.stringify([nameOf(row), familyOf(row)]);

async function findHomes({ actor, db }: WriteContext, rows: readonly LinkRow[]): Promise<Homes> {
  const given = new Map(
    rows.map((row) => [
      placeOf(row),
      { place: placeOf(row), name: nameOf(row), family: familyOf(row) },
    ]),
  );
  const found = await db<{ place: string; name: string; family: string | null; ids: string[] }[]>`
    select given.place, fold(given.name) as name, given.family,
      coalesce(array_agg(found.id::text order by found.id) filter (where found.id is not null), '{}') as ids
    from jsonb_to_recordset(${json([...given.values()])}::text::jsonb) as given (place text, name text, family text)
    left join households found on found.account_id = ${actor.accountId} and found.name_folded = fold(given.name)
      and (given.family is null or found.family_key = given.family)
    group by 1, 2, 3`;
  return new Map(
    found.map(({ family, ids, name, place }) => [
      place,
      { key: family === null ? name : `${name}\n${family}`, name, ids },
    ]),
  );
}

/** The memberships of these people, and of the households that the rows name. */
async function currentLinks({ actor, db }: WriteContext, rows: readonly LinkRow[], homes: Homes) {
  const people = rows.flatMap(({ personId }) => personId ?? []);
  const members = await db<Member[]>`
    select member.household_id as "householdId", home.name_folded as name, member.person_id as "personId",
      member.household_role as role, member.is_primary as "isPrimary"
    from household_memberships member
    join households home on home.account_id = member.account_id and home.id = member.household_id
    where member.account_id = ${actor.accountId}
      and (member.household_id = any(${idsIn(homes)}::uuid[]) or member.person_id = any(${people}::uuid[]))`;
  const memberships = new Set(members.map((one) => `${one.personId} ${one.householdId}`));
  const byPerson = Map.groupBy(members, (one) => one.personId);
  return {
    /** If the name leads to several households or to none of this key, the person's own one counts. */
    homeOf: (row: LinkRow): Home => {
      const home = homes.get(placeOf(row)) ?? { key: "", name: "", ids: [] };
      const own = (byPerson.get(row.personId ?? "") ?? []).find(({ name }) => name === home.name);
      return own && home.ids.length !== 1 ? { ...home, ids: [own.householdId] } : home;
    },
    isMember: (personId: string | null, householdId: string | undefined) =>
      memberships.has(`${personId} ${householdId}`),
    byHousehold: Map.groupBy(members, (one) => one.householdId),
    byPerson,
  };
}

const idsIn = (homes: Homes): string[] => [...homes.values()].flatMap(({ ids }) => ids);

async function planMembers(
  context: WriteContext,
  rows: readonly LinkRow[],
  { earlier, members }: ImportOptions,
): Promise<ReadonlyMap<number, Findings>> {
  const homes = await findHomes(context, rows);
  const { byHousehold, byPerson, homeOf, isMember } = await currentLinks(context, rows, homes);
  const found = new Map<number, Findings>();
  for (const one of rows) {
    const { ids, key } = homeOf(one);
    const [id = ""] = ids;
    const problems: Problem[] = [];
    const warnings: Finding[] = [];
    found.set(one.row, { problems, warnings });
    if (ids.length > 1) problems.push(ambiguous(ids.length));
    if (ids.length > 1 || isMember(one.personId, id)) continue;
    const current = byHousehold.get(id) ?? [];
    const before = members.get(`household ${key}`) ?? 0;
    members.set(`household ${key}`, before + 1);
    const { householdsPerPersonMax, membersPerHouseholdMax } = limits;
    if (current.length + before >= membersPerHouseholdMax)
      problems.push(full(`A household has at most ${membersPerHouseholdMax} members.`));
    else if ((byPerson.get(one.personId ?? "")?.length ?? 0) >= householdsPerPersonMax)
      problems.push(full(`A person is in at most ${householdsPerPersonMax} households.`));
    const isFirst = ids.length === 0 && before === 0;
    if (roleOf(one, isFirst) === "head") {
      const head = earlier.get(`head ${key}`);
      if (head !== undefined) warnings.push(secondHead(`Row ${head} is`));
      else if (current.some(({ role }) => role === "head"))
        warnings.push(secondHead("Another person is"));
      earlier.set(`head ${key}`, head ?? one.row);
    }
    const address = addressOf(one);
    if (address === undefined) continue;
    const other = earlier.get(`address ${key}`);
    if (other !== undefined && !earlier.has(`address ${key} ${address}`))
      warnings.push({
        code: "other-address" satisfies RowCode,
        detail: `Row ${other} has another address in the same household.`,
        source: { pointer: "/data/attributes/address" },
      });
    earlier.set(`address ${key}`, other ?? one.row);
    earlier.set(`address ${key} ${address}`, one.row);
  }
  return found;
}

const secondHead = (start: string): Finding => ({
  code: "second-head" satisfies RowCode,
  detail: `${start} the head of this household already.`,
  source: { pointer: "/data/attributes/household-role" },
});

/** The address of a row in a form that is equal for addresses that differ only in case and accents. */
function addressOf({ values }: LinkRow): string | undefined {
  const parts = Object.entries(values["address"] ?? {})
    .filter(([, part]) => typeof part === "string" && part !== "")
    .map(([name, part]) => `${name} ${folded(String(part))}`);
  return parts.length > 0 ? parts.sort().join("\n") : undefined;
}

const ambiguous = (count: number): Problem =>
  problem("conflict", `${count} households have this name. Rename them, or change the row.`);

const full = (detail: string): Problem => problem("limit-reached", detail);

/** The people are locked before their households, as in the other writes of memberships. */
async function writeMembers(
  context: WriteContext,
  rows: readonly WrittenLink[],
): Promise<ReadonlyMap<number, Made>> {
  const { actor, db } = context;
  const named = await findHomes(context, rows);
  await lockPeople(
    db,
    actor.accountId,
    rows.map(({ personId }) => personId),
  );
  await lockHouseholds(context, idsIn(named));
  const { byHousehold, byPerson, homeOf, isMember } = await currentLinks(context, rows, named);

  const homes = new Map<string, WrittenLink[]>();
  const existing = new Set<string>();
  const joined = new Set<string>();
  for (const one of rows) {
    const { ids, key } = homeOf(one);
    if (ids.length > 1) throw new ApiError([ambiguous(ids.length)]);
    const [known] = ids;
    if (known !== undefined) existing.add(known);
    const id = known ?? key;
    if (isMember(one.personId, id) || joined.has(`${one.personId} ${id}`)) continue;
    joined.add(`${one.personId} ${id}`);
    homes.set(id, [...(homes.get(id) ?? []), one]);
    const count = byPerson.get(one.personId)?.length ?? 0;
    if (count >= limits.householdsPerPersonMax)
      throw new ApiError([
        full(`A person is in at most ${limits.householdsPerPersonMax} households.`),
      ]);
  }
  for (const [id, some] of homes)
    if ((byHousehold.get(id)?.length ?? 0) + some.length > limits.membersPerHouseholdMax)
      throw new ApiError([
        full(`A household has at most ${limits.membersPerHouseholdMax} members.`),
      ]);

  const founded = [...homes].flatMap(([key, [first]]) =>
    first && !existing.has(key) ? [{ key, first }] : [],
  );
  const created = await createHouseholds(context, founded);
  const joining = [...homes].flatMap(([key, some]) =>
    some.map((one, at) => ({
      ...one,
      householdId: created.get(key) ?? key,
      household: at === 0 ? created.get(key) : undefined,
    })),
  );
  const memberships = await addMembers(context, joining, byPerson);
  await touchRows(
    context,
    householdsOf(context),
    [...homes.keys()].filter((id) => existing.has(id)),
    ["memberships"],
  );
  return new Map(
    joining.map(({ household, row }, at): [number, MadeMember] => [
      row,
      { membership: memberships[at] ?? "", ...(household !== undefined && { household }) },
    ]),
  );
}

/** Parallel imports lock the households of a batch in the same order. */
const lockHouseholds = (
  { actor, db }: WriteContext,
  ids: readonly string[],
): Promise<unknown> => db`
  select from households where account_id = ${actor.accountId} and id = any(${[...ids]}::uuid[])
  order by id for no key update`;

/** Returns the ids of the new households by the keys of their rows. */
async function createHouseholds(
  context: WriteContext,
  founded: readonly { key: string; first: WrittenLink }[],
): Promise<ReadonlyMap<string, string>> {
  if (founded.length === 0) return new Map();
  const { actor, db } = context;
  const resource = householdsOf(context);
  const ids = await insertRows(
    { ...context, resource },
    resource,
    founded.map(({ first }) => ({
      input: {
        attributes: { name: nameOf(first) },
        toOne: { "primary-contact": isAdult(first) ? first.personId : null },
        toMany: {},
      },
    })),
  );
  const keys = founded.map(({ first }, at) => ({ id: ids[at], family: familyOf(first) }));
  if (keys.some(({ family }) => family !== null))
    await db`
      update households set family_key = given.family
      from jsonb_to_recordset(${json(keys)}::text::jsonb) as given (id uuid, family text)
      where account_id = ${actor.accountId} and households.id = given.id`;
  return new Map(founded.map(({ key }, at) => [key, ids[at] ?? ""]));
}

interface Joining extends WrittenLink {
  householdId: string;
  /** Set for the first person of a new household. */
  household: string | undefined;
}

/** Returns the ids of the memberships in the order of the rows. */
function addMembers(
  context: WriteContext,
  rows: readonly Joining[],
  byPerson: ReadonlyMap<string, readonly Member[]>,
): Promise<string[]> {
  const resource = definitionOf(context.catalogue, "household-memberships");
  const withPrimary = new Set(
    [...byPerson.values()].flat().flatMap((one) => (one.isPrimary ? one.personId : [])),
  );
  return insertRows(
    { ...context, resource },
    resource,
    rows.map((one) => {
      const role = roleOf(one, one.household !== undefined);
      const isPrimary = !withPrimary.has(one.personId);
      withPrimary.add(one.personId);
      return {
        input: {
          attributes: {
            "is-primary": isPrimary,
            ...(role !== undefined && { "household-role": role }),
          },
          toOne: { household: one.householdId, person: one.personId },
          toMany: {},
        },
      };
    }),
  );
}

/** The first person of a new household is its head, unless the row says otherwise. */
const roleOf = ({ values }: LinkRow, isFirst: boolean) =>
  householdRoles.find((role) => role === values["household-role"]) ??
  (isFirst ? "head" : undefined);

/** A child is not the contact of a household. */
const isAdult = ({ values }: LinkRow) =>
  values["household-role"] !== "child" && values["household-role"] !== "dependent";

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
  const left = households.filter((id) => !deleted.has(id));
  const touch = (ids: readonly string[], changed: readonly string[]) =>
    touchRows(context, householdsOf(context), ids, changed);
  await touch(
    left.filter((id) => lost.has(id)),
    ["memberships", "primary-contact"],
  );
  await touch(
    left.filter((id) => !lost.has(id)),
    ["memberships"],
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
