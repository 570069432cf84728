import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { join, makeCell } from "../../support/cells.ts";
import { makeClass } from "../../support/courses.ts";
import { freshDatabase } from "../../support/database.ts";
import { invite, logIn } from "../../support/invitations.ts";
import { makeCourse, makePerson, makeRow } from "../../support/make.ts";
import { merge } from "../../support/merges.ts";
import { changedPaths, sample } from "../../support/sample.ts";
import { document, many, one, startService } from "../../support/service.ts";
import { makeLogin, PASSWORD } from "../../support/sign-in.ts";
import { to } from "../../support/standings.ts";

/**
 * Every act that can put a caller into the place of a person, for a sample of the pairs of standings. A model that knows only the
 * permissions of roles and the places of scopes says what the response must be.
 */

const database = await freshDatabase("no worker sends the invitations");
const service = await startService({ database, sendsMail: true });
after(() => service.stop());
const { account, db } = service;
const { id: accountId } = account;

// sector ── area ── own                   course ── courseClass
// farSector ── far
const sector = await makeCell(db, accountId, { cell_type: "supervision", level: 2 });
const area = await makeCell(db, accountId, {
  cell_type: "supervision",
  level: 1,
  parent_id: sector,
});
const own = await makeCell(db, accountId, { parent_id: area });
const farSector = await makeCell(db, accountId, { cell_type: "supervision", level: 2 });
const far = await makeCell(db, accountId, { parent_id: farSector });
const course = await makeCourse(db, accountId);
const courseClass = await makeClass(db, accountId, course);
const above: Readonly<Record<string, string>> = {
  [own]: area,
  [area]: sector,
  [far]: farSector,
  [courseClass]: course,
};

const roleIds = new Map<string, string>();
const permissionsOf = new Map<string, readonly string[]>();
const customRole = async (name: string, permissions: readonly string[]) =>
  service.post("/v1/roles", document("roles", { name, permissions: [...permissions] }));
await customRole("confidential", ["note-confidential:read"]);
await customRole("office", ["people:write", "people:merge", "person-invitations:write"]);
for (const { attributes, id } of many(await service.get("/v1/roles?page[size]=100"))) {
  const name = String(attributes["code"] ?? attributes["name"]);
  roleIds.set(name, id);
  permissionsOf.set(name, attributes["permissions"] as string[]);
}

interface Scope {
  type: "account" | "cell" | "cell-tree" | "course" | "course-class";
  at?: string;
}

interface Held {
  role: string;
  scope: Scope;
  /** The first and the last moment. */
  from?: string;
  until?: string;
  /** The task from which the role follows. */
  task?: "leader" | "co-leader" | "teacher";
}

interface Standing {
  status?: "administrator" | "full-administrator";
  roles?: readonly Held[];
  /** The column of a confidential note that names the person. */
  note?: "author_id" | "assignee_id";
}

const inAccount: Scope = { type: "account" };
const LATER = "2900-01-01T00:00:00.000Z";
const assigned = (role: string, scope: Scope = inAccount, span: Partial<Held> = {}): Standing => ({
  roles: [{ role, scope, ...span }],
});
const leads = (at: string, task: "leader" | "co-leader", isSupervision = false): Standing => ({
  roles: [
    { role: "cell-leader", scope: { type: "cell", at }, task },
    ...(isSupervision
      ? [{ role: "cell-supervisor", scope: { type: "cell-tree", at }, task } as const]
      : []),
  ],
});

const standings = {
  "full administrator": { status: "full-administrator" },
  "administrator": { status: "administrator" },
  "pastor": assigned("pastor"),
  "pastor until later": assigned("pastor", inAccount, { until: LATER }),
  "pastor from later on": assigned("pastor", inAccount, { from: LATER }),
  "pastor of the sector": assigned("pastor", { type: "cell-tree", at: sector }),
  "reader of confidential notes": {
    roles: [...accountWide("pastor"), ...accountWide("confidential")],
  },
  "auditor": assigned("auditor"),
  "secretary": assigned("secretary"),
  "supervisor of the sector": leads(sector, "leader", true),
  "supervisor of the area": assigned("cell-supervisor", { type: "cell-tree", at: area }),
  "leader": leads(own, "leader"),
  "co-leader": leads(own, "co-leader"),
  "leader elsewhere": leads(far, "leader"),
  "trainee": assigned("cell-trainee", { type: "cell", at: own }),
  "coordinator": assigned("course-coordinator", { type: "course", at: course }),
  "teacher": {
    roles: [{ role: "teacher", scope: { type: "course-class", at: courseClass }, task: "teacher" }],
  },
  "member": {},
  "author of a confidential note": { note: "author_id" },
  "assignee of a confidential note": { note: "assignee_id" },
} satisfies Record<string, Standing>;

function accountWide(role: string): readonly Held[] {
  return [{ role, scope: inAccount }];
}

// -- The model -----------------------------------------------------------------------------------------------------

const ranks = [undefined, "administrator", "full-administrator"];
const rankOf = ({ status }: Standing): number => ranks.indexOf(status);

const isWithin = (place: string | undefined, at: string | undefined): boolean =>
  place !== undefined && (place === at || isWithin(above[place], at));

/** Whether one scope contains another one. */
function contains(one: Scope, other: Scope): boolean {
  if (one.type === "account") return true;
  if (one.type === "cell-tree")
    return ["cell", "cell-tree"].includes(other.type) && isWithin(other.at, one.at);
  if (one.type === "course")
    return ["course", "course-class"].includes(other.type) && isWithin(other.at, one.at);
  return one.type === other.type && one.at === other.at;
}

/** Whether a person holds a permission now, over all of a scope and until then. */
function holds(person: Standing, permission: string, scope: Scope, until?: string): boolean {
  if (person.status === "full-administrator") return true;
  const all = [
    ...(person.roles ?? []),
    ...(person.status === "administrator" ? accountWide("administrator") : []),
  ];
  return all.some(
    (one) =>
      one.from === undefined &&
      (one.until === undefined || (until !== undefined && until <= one.until)) &&
      contains(one.scope, scope) &&
      [permission, permission.replace(":read", ":write")].some((each) =>
        permissionsOf.get(one.role)?.includes(each),
      ),
  );
}

/** Administrative status reads no confidential notes. */
const outranksByNotes = ({ note }: Standing, { roles: held = [] }: Standing): boolean =>
  note !== undefined && !held.some(({ role }) => role === "confidential");

const outranks = (person: Standing, caller: Standing, roles = person.roles ?? []): boolean =>
  outranksByNotes(person, caller) ||
  (caller.status !== "full-administrator" &&
    (rankOf(person) > rankOf(caller) ||
      roles.some(({ role, scope, until }) =>
        permissionsOf.get(role)?.some((one) => !holds(caller, one, scope, until)),
      )));

const assignedRoles = ({ roles: all = [] }: Standing) => all.filter(({ task }) => !task);

/** Whether the caller may give each task of the person to another one. */
const mayGiveTasks = (person: Standing, caller: Standing): boolean =>
  (person.roles ?? []).every(({ scope, task }) => {
    if (task === undefined) return true;
    if (task === "teacher")
      return holds(caller, "course-classes:write", { type: "course", at: course });
    const isSupervision = scope.at === sector;
    return holds(caller, "role-assignments:write", isSupervision ? inAccount : scope);
  });

const mayGrant = (person: Standing, caller: Standing): boolean =>
  rankOf(person) === 0 &&
  !outranksByNotes(person, caller) &&
  (person.roles ?? []).every(({ role, scope, until }) =>
    ["role-assignments:write", ...(permissionsOf.get(role) ?? [])].every((one, position) =>
      holds(
        caller,
        one,
        position > 0 && /^(roles|role-assignments):/.test(one) ? inAccount : scope,
        until,
      ),
    ),
  );

// -- People --------------------------------------------------------------------------------------------------------

const { id: subject } = await makePerson(db, accountId);

async function give(personId: string, { note, roles: all = [], status }: Standing): Promise<void> {
  if (note)
    await makeRow(db, "notes", accountId, {
      about_person_id: subject,
      text: "Asked for prayer.",
      visibility: "confidential",
      [note]: personId,
    });
  if (status)
    await db`update people set administrative_status = ${status} where account_id = ${accountId} and id = ${personId}`;
  for (const { from = null, role, scope, task, until = null } of all) {
    if (task === "teacher")
      await db`insert into course_class_teachers values (${accountId}, ${scope.at ?? ""}, ${personId})`;
    else if (task === undefined)
      await makeRow(db, "role_assignments", accountId, {
        person_id: personId,
        role_id: roleIds.get(role) ?? "",
        scope_type: scope.type,
        scope_ids: scope.at === undefined ? [] : [scope.at],
        valid_from: from,
        valid_until: until,
      });
    else if (role === "cell-leader")
      await join(db, accountId, scope.at ?? "", personId, { cell_role: task });
  }
}

const newAddress = () => `${newId()}@church.example`;

/** A person of a standing, with a log-in or without. */
async function makeTarget(standing: Standing, hasLogin: boolean): Promise<string> {
  const { id } = hasLogin
    ? await makeLogin(db, account, `target-${newId()}`)
    : await makePerson(db, accountId, { email: newAddress() });
  await give(id, standing);
  return id;
}

/** The token of a person of a standing who has logged in. */
async function makeCaller(standing: Standing): Promise<string> {
  const { email, id } = await makeLogin(db, account, `caller-${newId()}`);
  await give(id, standing);
  const answer = await logIn(service, email, PASSWORD);
  return (JSON.parse(answer.text) as { access_token: string }).access_token;
}

const setAddress = (id: string, as: string) =>
  service.patch(`/v1/people/${id}`, document("people", { email: newAddress() }, { id }), { as });

const rightsChanged = changedPaths.some((path) =>
  /^server\/src\/(access|features\/(notes|people|roles|sign-in))\//.test(path),
);

const targets = await Promise.all(
  Object.entries<Standing>(standings).map(async ([name, standing]) => ({
    name,
    standing,
    id: await makeTarget(standing, true),
    withoutLogin: await makeTarget(standing, false),
  })),
);

for (const [name, standing] of Object.entries<Standing>(standings))
  test(`201 · 403 · acts in the place of others: ${name} with the rights of the office`, async () => {
    // Everybody may invite, merge and write people here, so that only the comparison decides.
    const caller: Standing = {
      ...standing,
      roles: [...(standing.roles ?? []), ...accountWide("office")],
    };
    const as = await makeCaller(caller);
    const wrong: string[] = [];
    const some = sample(targets, {
      what: `people for ${name}`,
      count: Math.ceil(targets.length / 5),
      nameOf: (target) => target.name,
      always: () => rightsChanged,
    });
    for (const target of some) {
      const { id, withoutLogin } = target;
      const isOutranked = outranks(target.standing, caller);
      const isHigher = rankOf(target.standing) > rankOf(caller);
      const removed = await makeTarget(target.standing, false);
      const { id: kept } = await makePerson(db, accountId);
      const relationships = { person: to("people", id) };
      const revocation = document("access-token-revocations", {}, { relationships });
      const acts = {
        "invite by link": [!isOutranked, () => invite(service, id, { delivery: "link" }, { as })],
        "invite by mail": [!isHigher, () => invite(service, id, {}, { as })],
        "change the address": [!isOutranked, () => setAddress(id, as)],
        "change an address without a log-in": [
          !outranks(target.standing, caller, assignedRoles(target.standing)),
          () => setAddress(withoutLogin, as),
        ],
        "merge": [
          !isOutranked && mayGiveTasks(target.standing, caller),
          () => merge(service, kept, [removed], {}, { as }),
        ],
        "revoke tokens": [
          !isOutranked && rankOf(caller) > 0,
          () => service.post("/v1/access-token-revocations", revocation, { as }),
        ],
      } as const;
      for (const [act, [isAllowed, send]] of Object.entries(acts)) {
        const { status, text } = await send();
        if (isAllowed ? status >= 300 : status !== 403)
          wrong.push(`${act}: ${target.name}, ${isAllowed ? "allowed" : "403"}, ${status} ${text}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

test("200 · 403 · leaders and supervisors set the address of people whose roles they could grant", async () => {
  const callers = {
    "leader": leads(own, "leader"),
    "supervisor": leads(sector, "leader", true),
  };
  const wrong: string[] = [];
  for (const [name, caller] of Object.entries(callers)) {
    const as = await makeCaller(caller);
    for (const target of targets)
      for (const hasLogin of [false, true]) {
        const id = hasLogin ? target.id : target.withoutLogin;
        await db`
          insert into cell_memberships (account_id, id, cell_id, person_id, cell_role, joined_on)
          values (${accountId}, ${newId()}, ${own}, ${id}, 'participant', '2026-01-01')
          on conflict do nothing`;
        const isAllowed = !hasLogin && mayGrant(target.standing, caller);
        const { status, text } = await setAddress(id, as);
        if (status !== (isAllowed ? 200 : 403))
          wrong.push(`${name}: ${target.name}, ${isAllowed}, ${status} ${text}`);
      }
  }
  assert.deepEqual(wrong, []);
  assert.ok(one(await service.get(`/v1/people/${targets[0]?.id}`)).attributes["has-login"]);
});
