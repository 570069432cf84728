import { after } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { join, makeMember } from "../../support/cells.ts";
import { makeAssignment, makePerson, makeRow } from "../../support/make.ts";
import { merge } from "../../support/merges.ts";
import { identifiers, startService } from "../../support/service.ts";
import {
  type Act,
  makeStage,
  type Rights,
  sends,
  testRights,
  to,
} from "../../support/standings.ts";

/** The table of rights of the interface, for people and everything that the office keeps about them. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const stage = await makeStage(service);
const { places } = stage;

const inCell = (cellId: string) => async () => (await makeMember(db, account.id, cellId)).id;
const inOwn = inCell(places.own);
const inSibling = inCell(places.sibling);
const inFar = inCell(places.far);
const inClass = async (): Promise<string> => {
  const { id } = await makePerson(db, account.id);
  await makeRow(db, "course_enrollments", account.id, {
    person_id: id,
    course_id: places.course,
    class_id: places.courseClass,
    status: "active",
  });
  return id;
};
async function housed(people: readonly string[]): Promise<string> {
  const household_id = await makeRow(db, "households", account.id, { name: "Souza" });
  for (const person_id of people)
    await makeRow(db, "household_memberships", account.id, { household_id, person_id });
  return household_id;
}

const create =
  (
    type: string,
    attributes: Record<string, unknown>,
    relationships: () => Promise<object> = async () => ({}),
  ): Act =>
  async ({ token: as }) => {
    const data = { type, attributes, relationships: await relationships() };
    return service.post(`/v1/${type}`, { data }, { as });
  };
const list =
  (type: string): Act =>
  async ({ token: as }) =>
    service.get(`/v1/${type}`, { as });

const duplicate = async (): Promise<string> => {
  const [person_id, other_id] = [await inOwn(), await inOwn()];
  return makeRow(db, "person_duplicates", account.id, {
    person_id,
    other_id,
    score: 80,
    reasons: ["name-birthdate"],
  });
};

const roleIds = new Map(
  (
    await db<{ code: string; id: string }[]>`
    select code, id from roles where account_id = ${account.id} and code is not null`
  ).map(({ code, id }) => [code, id]),
);
const assign = (role: string, scopeType: string, scopeIds: string[], whom: () => Promise<string>) =>
  create(
    "role-assignments",
    { "scope-type": scopeType, ...(scopeIds.length > 0 && { "scope-ids": scopeIds }) },
    async () => ({
      role: to("roles", roleIds.get(role) ?? ""),
      person: to("people", await whom()),
    }),
  );
const assignment = (role: string, scopeType: string, scopeIds: string[]) => async () =>
  makeAssignment(db, account.id, { personId: await inOwn(), role, scopeType, scopeIds });

const withEmail = async (): Promise<string> => {
  const { id } = await makePerson(db, account.id, { email: `${newId()}@grace.example` });
  await join(db, account.id, places.own, id);
  return id;
};
const tag = () => makeRow(db, "tags", account.id, { name: newId(), applies_to: ["people"] });
const rights = {
  rows: {
    "people": {
      "own": inOwn,
      "sibling": inSibling,
      "far": inFar,
      "class": inClass,
      "oneself": ({ id }) => id,
      "with an address": withEmail,
      "of my household": async ({ id }) => {
        const person = await makePerson(db, account.id);
        await housed([person.id, id]);
        return person.id;
      },
    },
    "person-duplicates": { any: duplicate },
    "role-assignments": {
      "own": assignment("cell-trainee", "cell", [places.own]),
      "far": assignment("cell-trainee", "cell", [places.far]),
      "teacher of the course": assignment("teacher", "course", [places.course]),
    },
    "households": {
      any: async () => housed([await inOwn()]),
      mine: ({ id }) => housed([id]),
      empty: () => housed([]),
    },
    "tags": { any: tag },
    "accounts": { own: () => account.id },
    "roles": { any: () => makeRow(db, "roles", account.id, { name: newId() }) },
  },
  placed: { "person-invitations": ["person", "people"] },
  sent: {
    "employ people": () => ({ attributes: { occupation: newId() } }),
    "reach people": sends({ phones: [{ number: "+5511999990001" }] }),
    "accept people": sends({ "membership-status": "member" }),
    "deactivate people": sends({ "is-active": false }),
    "dismiss person-duplicates": sends({ status: "dismissed" }),
    "create person-invitations": sends({ delivery: "link" }),
    "change households": () => ({ attributes: { name: newId() } }),
    "configure accounts": sends({ settings: { lang: "pt" } }),
    "define accounts": () => ({
      attributes: { "custom-properties": { people: { [`f-${newId()}`]: { type: "string" } } } },
    }),
    "promote people": sends({ "administrative-status": "administrator" }),
    "create roles": () => ({ attributes: { name: newId() } }),
    "change tags": () => ({ attributes: { name: newId() } }),
  },
  acts: {
    "list webhook-endpoints": list("webhook-endpoints"),
    "list courses": list("courses"),
    "list course-requirements": list("course-requirements"),
    "create people": create("people", { "full-name": "X", "occupation": "Baker" }),
    "create a prospect": create("people", { "full-name": "X" }),
    "merge people": async ({ token: as }) =>
      merge(service, await inOwn(), [await inOwn()], {}, { as }),
    "list person-merges": list("person-merges"),
    "list person-duplicates": list("person-duplicates"),
    "assign a role at the own cell": assign("cell-trainee", "cell", [places.own], inOwn),
    "assign a role in the tree": assign("cell-leader", "cell", [places.sibling], inOwn),
    "assign a role in another tree": assign("cell-trainee", "cell", [places.far], inOwn),
    "assign the supervision of a tree": assign(
      "cell-supervisor",
      "cell-tree",
      [places.sector],
      inOwn,
    ),
    "assign a teacher of the course": assign("teacher", "course", [places.course], inClass),
    "assign a coordinator of the course": assign(
      "course-coordinator",
      "course",
      [places.course],
      inClass,
    ),
    "assign the role administrator": assign("administrator", "account", [], inOwn),
    "create households": create("households", { name: "Souza" }),
    "create household-memberships": create("household-memberships", {}, async () => ({
      household: to("households", await housed([])),
      person: to("people", await inOwn()),
    })),
    "create tags": async (by, standing) =>
      create("tags", { "name": newId(), "applies-to": ["people"] })(by, standing),
    "tag a person of the own cell": async ({ token: as }) =>
      service.post(
        `/v1/people/${await inOwn()}/relationships/tags`,
        identifiers("tags", [await tag()]),
        { as },
      ),
    "create import-jobs": create("import-jobs", {
      kind: "people",
      mapping: { Nome: "full-name" },
    }),
  },
} satisfies Rights;

// Full administrator, administrator, pastor, secretary, supervisor, cell leader, cell trainee, course coordinator, teacher,
// member.
testRights(
  service,
  stage,
  rights,
  `
  + + + + + + 4 4 4 4  read people: own
  + + + + + 4 4 4 4 4  read people: sibling
  + + + + 4 4 4 4 4 4  read people: far
  + + + + 4 4 4 + + 4  read people: class
  + + + + + + + + + +  read people: of my household
  + + + + 3 3 3 3 3 3  create people
  + + + + + + 3 3 3 3  create a prospect
  + + + + 3 3 4 4 4 4  employ people: own
  + + + + 4 4 4 4 4 4  employ people: far
  + + + + 4 4 4 3 3 4  employ people: class
  + + + + + + + + + +  employ people: oneself
  + + + + + + 4 4 4 4  reach people: own
  + + + + + 4 4 4 4 4  reach people: sibling
  + + + + 4 4 4 4 4 4  reach people: far
  + + + + 4 4 4 3 3 4  reach people: class
  + + + + 3 3 3 3 3 3  accept people: oneself
  + + + + 3 3 4 4 4 4  deactivate people: own
  + + + + 4 4 4 4 4 4  deactivate people: far
  + 3 3 3 3 3 3 3 3 3  delete people: own

  + + + + 3 3 3 3 3 3  merge people
  + + + + 3 3 3 3 3 3  list person-merges
  + + + + 3 3 3 3 3 3  list person-duplicates
  + + + + 3 3 3 3 3 3  dismiss person-duplicates: any

  + + + 3 + 3 3 3 3 3  assign a role at the own cell
  + + + 3 + 3 3 3 3 3  assign a role in the tree
  + + + 3 3 3 3 3 3 3  assign a role in another tree
  + + + 3 3 3 3 3 3 3  assign the supervision of a tree
  + + + 3 3 3 3 + 3 3  assign a teacher of the course
  + + + 3 3 3 3 3 3 3  assign a coordinator of the course
  + + 3 3 3 3 3 3 3 3  assign the role administrator
  + + + 3 + 3 3 4 3 3  delete role-assignments: own
  + + + 3 4 3 3 4 3 3  delete role-assignments: far
  + + + 3 4 3 3 + 3 3  delete role-assignments: teacher of the course

  + + + + 3 3 3 3 3 3  create person-invitations: with an address
  + + + + 3 3 3 3 3 3  create households
  + + + + 4 4 4 4 4 4  read households: any
  + + + + + + + + + +  read households: mine
  + + + + 3 3 3 3 3 3  change households: mine
  + + + + 3 3 3 3 3 3  create household-memberships
  + + + + 3 3 3 3 3 3  delete households: empty

  + + + + 3 3 3 3 3 3  create tags
  + + + + + + + + + +  read tags: any
  + + + + 3 3 3 3 3 3  change tags: any
  + + + + 3 3 3 3 3 3  delete tags: any
  + + + + 3 3 4 4 4 4  tag a person of the own cell
  + + 3 + 3 3 3 3 3 3  create import-jobs

  + + + + + + + + + +  read accounts: own
  + + 3 3 3 3 3 3 3 3  configure accounts: own
  + 3 3 3 3 3 3 3 3 3  define accounts: own
  + + + + + + + + + +  read roles: any
  + + 3 3 3 3 3 3 3 3  create roles: any
  + + 3 3 3 3 3 3 3 3  delete roles: any
  + 3 3 3 3 3 4 4 4 4  promote people: own
  + 3 3 3 3 3 3 3 3 3  list webhook-endpoints
  + + + + + + + + + +  list courses
  + + + + + + + + + +  list course-requirements
  `,
);
