import { json } from "../store/sql.ts";
import { generatedPassword } from "../access/generated-password.ts";
import { allowIntegration, createIntegration } from "../access/integrations.ts";
import { setPassword } from "../access/logins.ts";
import { hashPassword } from "../access/passwords.ts";
import { createAccount } from "../features/accounts/create-account.ts";
import { cells, courses, type DemoClass, type DemoCourse } from "./demo/courses.ts";
import { customProperties } from "./demo/custom-properties.ts";
import { type DemoPerson, memberEmail, people } from "./demo/people.ts";
import { addToTree } from "../features/cells/tree.ts";
import { newId } from "../base/ids.ts";
import { writeSearchText } from "../features/people/search-text.ts";
import { addPresetRoles } from "../features/roles/grant.ts";
import { type Db, inTransaction, type Queryable, type Tx } from "../store/db.ts";

/**
 * The account of a first start: people, courses and cells, a log-in of each administrative status, and an integration.
 *
 * Its passwords and its client token are generated for this installation and returned once. Fixed ones would let anyone
 * log in to an installation that other machines can reach.
 */
export interface Demo {
  alias: string;
  churchName: string;
  logins: readonly DemoLogin[];
  integration: { id: string; name: string; clientToken: string };
}

export interface DemoLogin {
  standing: "full administrator" | "administrator" | "plain member";
  email: string;
  password: string;
}

export const demoAlias = "demo";

/** The key of the advisory lock. It is "demo" in ASCII. */
const DEMO_LOCK = 0x64_65_6d_6f;

/** Creates the demo account in a database without accounts. Returns undefined if there is one. */
export async function makeDemoOnce(db: Db): Promise<Demo | undefined> {
  if (!(await isEmpty(db))) return undefined;
  const logins = loginsOf(people);
  const hashes = new Map<string, string>();
  for (const { email, password } of logins) hashes.set(email, await hashPassword(password));

  // One transaction: an account without its token would exist although its passwords were never shown.
  return inTransaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(${DEMO_LOCK}::bigint)`;
    // When several nodes start on a new database, only the first one creates the account.
    if (!(await isEmpty(tx))) return undefined;
    await addChurch(tx, hashes);
    const { id, name, token } = await integrationFor(tx);
    await allowIntegration(tx, { id, alias: demoAlias });
    return { alias: demoAlias, churchName, logins, integration: { id, name, clientToken: token } };
  });
}

async function isEmpty(db: Queryable): Promise<boolean> {
  const [row] = await db<{ empty: boolean }[]>`
    select not exists (select from accounts) as "empty"`;
  return row?.empty === true;
}

/** The operator may have created an integration with this name before the first account. */
async function integrationFor(tx: Tx) {
  const name = "Demo integration";
  const [taken] = await tx`select from integrations where name = ${name}`;
  return createIntegration(tx, { name: taken ? `${name} ${newId().slice(-6)}` : name });
}

function loginsOf(all: readonly DemoPerson[]): DemoLogin[] {
  return all.flatMap((person): DemoLogin[] => {
    const standing = standingOf(person);
    return standing === undefined || person.email === undefined
      ? []
      : [{ standing, email: person.email, password: generatedPassword() }];
  });
}

function standingOf({
  administrativeStatus,
  email,
}: DemoPerson): DemoLogin["standing"] | undefined {
  if (administrativeStatus === "full-administrator") return "full administrator";
  if (administrativeStatus === "administrator") return "administrator";
  return email === memberEmail ? "plain member" : undefined;
}

// -- The church ----------------------------------------------------------------------------------------------------

const churchName = "Grace Church Lisbon";

const settings = {
  "lang": "en",
  "time-zone": "Europe/Lisbon",
  "country": "PT",
  "currency": "EUR",
  "first-weekday": 1,
  "time-format": "24h",
  "cell-label": "House group",
  "cells-label": "House groups",
};

async function addChurch(tx: Tx, hashes: ReadonlyMap<string, string>): Promise<void> {
  const accountId = await createAccount(tx, { alias: demoAlias, churchName, settings });
  await tx`
    update accounts set integration_approved = true, custom_properties = ${json(customProperties)},
      acronym = 'GCL', email = 'office@grace.example', phone = '+351210000000',
      website = 'https://grace.example'
    where id = ${accountId}`;
  await addPresetRoles(tx, accountId);
  const ids = await addPeople(tx, accountId);
  for (const { name, email } of people) {
    const passwordHash = email === undefined ? undefined : hashes.get(email);
    if (passwordHash !== undefined)
      await setPassword(tx, { accountId, personId: idOf(ids, name) }, passwordHash);
  }
  const courseIds = new Map(courses.map(({ name }) => [name, newId()]));
  for (const course of courses) await addCourse(tx, accountId, course, courseIds, ids);
  await addCells(tx, accountId, ids);
  await addAssignments(tx, accountId, courseIds, ids);
}

type Ids = ReadonlyMap<string, string>;

function idOf(ids: Ids, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The demo account has no ${JSON.stringify(name)}.`);
  return id;
}

/** Columns that no row contains take their default. A column that only some rows contain is null in the others. */
async function insert(tx: Tx, table: string, rows: readonly Record<string, unknown>[]) {
  if (rows.length === 0) return;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map((name) => `"${name}"`).join(", ");
  // As text first: the driver would take a JavaScript array for one of PostgreSQL's.
  await tx.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::text::jsonb)`,
    [JSON.stringify(rows)],
  );
}

async function addPeople(tx: Tx, accountId: string): Promise<Ids> {
  const ids = new Map<string, string>();
  const rows = people.map((person) => {
    const id = newId();
    ids.set(person.name, id);
    const yearKnown = person.born.length > 5;
    return {
      account_id: accountId,
      id,
      full_name: person.name,
      sex: person.sex,
      birthdate: yearKnown ? person.born : null,
      birth_month_day: yearKnown ? null : person.born,
      membership_status: person.status,
      membership_status_changed_at: (person.more?.["member_since"] as string | undefined) ?? null,
      email: person.email ?? null,
      phones: phonesOf(person),
      administrative_status: person.administrativeStatus ?? "none",
      custom_properties: person.custom ?? {},
      ...person.more,
    };
  });
  await insert(tx, "people", rows);
  await writeSearchText(tx, accountId);
  return ids;
}

const phonesOf = ({ phone }: DemoPerson) =>
  phone === undefined
    ? []
    : [{ "number": phone, "label": "mobile", "is-primary": true, "is-whatsapp": true }];

async function addCourse(
  tx: Tx,
  accountId: string,
  course: DemoCourse,
  courseIds: Ids,
  ids: Ids,
): Promise<void> {
  const account_id = accountId;
  const course_id = idOf(courseIds, course.name);
  const free = course.price === undefined;
  await insert(tx, "courses", [
    {
      account_id,
      id: course_id,
      name: course.name,
      summary: course.summary,
      description: course.description,
      category: course.category,
      price: course.price ?? 0,
      price_currency: free ? null : "EUR",
      lessons_to_graduate: course.lessons.length - 1,
      is_active: course.isActive ?? true,
      is_public: course.isPublic ?? false,
    },
  ]);
  await insert(
    tx,
    "course_teachers",
    course.teachers.map((name) => ({ account_id, course_id, person_id: idOf(ids, name) })),
  );
  await insert(
    tx,
    "course_lessons",
    course.lessons.map((name, index) => ({
      account_id,
      id: newId(),
      course_id,
      name,
      number: index + 1,
    })),
  );
  await insert(
    tx,
    "course_materials",
    course.materials.map(([title, audience]) => ({
      account_id,
      id: newId(),
      course_id,
      title,
      audience,
    })),
  );
  if (course.requires !== undefined)
    await insert(tx, "course_requirements", [
      {
        account_id,
        id: newId(),
        course_id,
        required_course_id: idOf(courseIds, course.requires),
        kind: "course",
      },
    ]);
  for (const one of course.classes) await addClass(tx, { account_id, course_id }, one, ids);
}

async function addClass(
  tx: Tx,
  of: { account_id: string; course_id: string },
  { name, status, teachers, enrollments }: DemoClass,
  ids: Ids,
): Promise<void> {
  const { account_id } = of;
  const class_id = newId();
  await insert(tx, "course_classes", [{ ...of, id: class_id, name, status }]);
  await insert(
    tx,
    "course_class_teachers",
    teachers.map((teacher) => ({ account_id, class_id, person_id: idOf(ids, teacher) })),
  );
  await insert(
    tx,
    "course_enrollments",
    Object.entries(enrollments).flatMap(([standing, names]) =>
      names.map((student) => ({
        ...of,
        id: newId(),
        class_id,
        person_id: idOf(ids, student),
        status: standing,
      })),
    ),
  );
}

async function addCells(tx: Tx, account_id: string, ids: Ids): Promise<void> {
  for (const { name, leaders, participants } of cells) {
    const cell_id = newId();
    await insert(tx, "cells", [{ account_id, id: cell_id, name }]);
    await addToTree(tx, account_id, { cellId: cell_id, parentId: null });
    const members = [
      ...leaders.map((person, index) => [person, index === 0 ? "leader" : "co-leader"] as const),
      ...participants.map((person) => [person, "participant"] as const),
    ];
    await insert(
      tx,
      "cell_memberships",
      members.map(([person, cell_role]) => ({
        account_id,
        id: newId(),
        cell_id,
        person_id: idOf(ids, person),
        cell_role,
        status: "active",
      })),
    );
  }
}

/** A secretary of the account and a coordinator of one course. */
async function addAssignments(tx: Tx, accountId: string, courseIds: Ids, ids: Ids): Promise<void> {
  const course = idOf(courseIds, "Leading a Cell");
  const held = [
    ["Hannah Whitfield", "secretary", "account", []],
    ["Miguel Ângelo Carvalho", "course-coordinator", "course", [course]],
  ] as const;
  for (const [name, code, scopeType, scopeIds] of held)
    await tx`
      insert into role_assignments (account_id, id, person_id, role_id, scope_type, scope_ids)
      select ${accountId}, ${newId()}, ${idOf(ids, name)}, id, ${scopeType}, ${[...scopeIds]}::uuid[]
      from roles where account_id = ${accountId} and code = ${code}`;
}
