import { after } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { join } from "../../support/cells.ts";
import { makeAssignment, makePerson, makeRow, type Member } from "../../support/make.ts";
import { merge } from "../../support/merges.ts";
import { document, identifiers, startService } from "../../support/service.ts";
import { type Act, makeStage, type Standing, testTable } from "../../support/standings.ts";

/** The table of rights of the interface, for people and everything that the office keeps about them. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const stage = await makeStage(service);
const { places } = stage;

const inCell = (cellId: string) => async (): Promise<string> => {
  const { id } = await makePerson(db, account.id);
  await join(db, account.id, cellId, id);
  return id;
};
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
const inHousehold = async (standing: Standing): Promise<string> => {
  const { id } = await makePerson(db, account.id);
  await housed([id, stage.people[standing].id]);
  return id;
};
async function housed(people: readonly string[]): Promise<string> {
  const household_id = await makeRow(db, "households", account.id, { name: "Souza" });
  for (const person_id of people)
    await makeRow(db, "household_memberships", account.id, { household_id, person_id });
  return household_id;
}

const read =
  (type: string, make: (standing: Standing) => Promise<string>): Act =>
  async ({ token }, standing) =>
    service.get(`/v1/${type}/${await make(standing)}`, { as: token });
const change =
  (
    type: string,
    make: (by: Member) => Promise<string> | string,
    attributes: () => Record<string, unknown>,
  ): Act =>
  async (by) => {
    const id = await make(by);
    return service.patch(`/v1/${type}/${id}`, document(type, attributes(), { id }), {
      as: by.token,
    });
  };
const remove =
  (type: string, make: () => Promise<string>): Act =>
  async ({ token: as }) =>
    service.delete(`/v1/${type}/${await make()}`, { as });
const create =
  (
    type: string,
    attributes: Record<string, unknown>,
    relationships: () => Promise<Record<string, unknown>> = async () => ({}),
  ): Act =>
  async ({ token: as }) =>
    service.post(
      `/v1/${type}`,
      document(type, attributes, { relationships: await relationships() }),
      { as },
    );
const list =
  (type: string): Act =>
  async ({ token: as }) =>
    service.get(`/v1/${type}`, { as });
const to = (type: string, id: string) => ({ data: { type, id } });

const occupation = () => ({ occupation: newId() });
const phones = () => ({ phones: [{ number: "+5511999990001" }] });
const inactive = () => ({ "is-active": false });

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
const createTag: Act = async ({ token: as }) =>
  service.post("/v1/tags", document("tags", { "name": newId(), "applies-to": ["people"] }), { as });

// The marks: full administrator, administrator, pastor, secretary, supervisor, cell leader, cell trainee, course
// coordinator, teacher, member.
testTable(stage, [
  ["reading a person of the own cell", "+ + + + + + 4 4 4 4", read("people", inOwn)],
  ["reading a person of the tree", "+ + + + + 4 4 4 4 4", read("people", inSibling)],
  ["reading a person of another tree", "+ + + + 4 4 4 4 4 4", read("people", inFar)],
  ["reading a person of the class", "+ + + + 4 4 4 + + 4", read("people", inClass)],
  ["reading a person of one's household", "+ + + + + + + + + +", read("people", inHousehold)],

  [
    "creating a person",
    "+ + + + 3 3 3 3 3 3",
    create("people", { "full-name": "X", ...occupation() }),
  ],
  ["creating a prospect", "+ + + + + + 3 3 3 3", create("people", { "full-name": "X" })],

  ["changing a person of the own cell", "+ + + + 3 3 4 4 4 4", change("people", inOwn, occupation)],
  ["changing a person of another tree", "+ + + + 4 4 4 4 4 4", change("people", inFar, occupation)],
  ["changing a person of the class", "+ + + + 4 4 4 3 3 4", change("people", inClass, occupation)],
  ["changing contacts in the own cell", "+ + + + + + 4 4 4 4", change("people", inOwn, phones)],
  ["changing contacts in the tree", "+ + + + + 4 4 4 4 4", change("people", inSibling, phones)],
  ["changing contacts in another tree", "+ + + + 4 4 4 4 4 4", change("people", inFar, phones)],
  ["changing contacts in the class", "+ + + + 4 4 4 3 3 4", change("people", inClass, phones)],
  ["changing one's own data", "+ + + + + + + + + +", change("people", ({ id }) => id, occupation)],
  [
    "changing one's own membership status",
    "+ + + + 3 3 3 3 3 3",
    change(
      "people",
      ({ id }) => id,
      () => ({ "membership-status": "member" }),
    ),
  ],
  [
    "deactivating a person of the own cell",
    "+ + + + 3 3 4 4 4 4",
    change("people", inOwn, inactive),
  ],
  [
    "deactivating a person of another tree",
    "+ + + + 4 4 4 4 4 4",
    change("people", inFar, inactive),
  ],
  ["deleting a person", "+ 3 3 3 3 3 3 3 3 3", remove("people", inOwn)],

  [
    "merging people",
    "+ + + + 3 3 3 3 3 3",
    async ({ token: as }) => merge(service, await inOwn(), [await inOwn()], {}, { as }),
  ],
  ["listing merges", "+ + + + 3 3 3 3 3 3", list("person-merges")],
  ["listing duplicates", "+ + + + 3 3 3 3 3 3", list("person-duplicates")],
  [
    "dismissing a duplicate",
    "+ + + + 3 3 3 3 3 3",
    change("person-duplicates", duplicate, () => ({ status: "dismissed" })),
  ],

  [
    "assigning a role at the own cell",
    "+ + + 3 + 3 3 3 3 3",
    assign("cell-trainee", "cell", [places.own], inOwn),
  ],
  [
    "assigning a role in the tree",
    "+ + + 3 + 3 3 3 3 3",
    assign("cell-leader", "cell", [places.sibling], inOwn),
  ],
  [
    "assigning a role in another tree",
    "+ + + 3 3 3 3 3 3 3",
    assign("cell-trainee", "cell", [places.far], inOwn),
  ],
  [
    "assigning the supervision of a tree",
    "+ + + 3 3 3 3 3 3 3",
    assign("cell-supervisor", "cell-tree", [places.sector], inOwn),
  ],
  [
    "assigning a teacher of the course",
    "+ + + 3 3 3 3 + 3 3",
    assign("teacher", "course", [places.course], inClass),
  ],
  [
    "assigning a coordinator of the course",
    "+ + + 3 3 3 3 3 3 3",
    assign("course-coordinator", "course", [places.course], inClass),
  ],
  [
    "assigning the role administrator",
    "+ + 3 3 3 3 3 3 3 3",
    assign("administrator", "account", [], inOwn),
  ],
  [
    "removing a role at the own cell",
    "+ + + 3 + 3 3 4 3 3",
    remove("role-assignments", assignment("cell-trainee", "cell", [places.own])),
  ],
  [
    "removing a role in another tree",
    "+ + + 3 4 3 3 4 3 3",
    remove("role-assignments", assignment("cell-trainee", "cell", [places.far])),
  ],
  [
    "removing a teacher of the course",
    "+ + + 3 4 3 3 + 3 3",
    remove("role-assignments", assignment("teacher", "course", [places.course])),
  ],

  [
    "inviting a person",
    "+ + + + 3 3 3 3 3 3",
    create("person-invitations", { delivery: "link" }, async () => ({
      person: to("people", await withEmail()),
    })),
  ],

  ["creating a household", "+ + + + 3 3 3 3 3 3", create("households", { name: "Souza" })],
  [
    "reading a household",
    "+ + + + 4 4 4 4 4 4",
    read("households", async () => housed([await inOwn()])),
  ],
  [
    "reading one's own household",
    "+ + + + + + + + + +",
    read("households", async (standing) => housed([stage.people[standing].id])),
  ],
  [
    "changing one's own household",
    "+ + + + 3 3 3 3 3 3",
    change(
      "households",
      ({ id }) => housed([id]),
      () => ({ name: newId() }),
    ),
  ],
  [
    "adding a person to a household",
    "+ + + + 3 3 3 3 3 3",
    create("household-memberships", {}, async () => ({
      household: to("households", await housed([])),
      person: to("people", await inOwn()),
    })),
  ],
  ["deleting a household", "+ + + + 3 3 3 3 3 3", remove("households", () => housed([]))],

  ["creating a tag", "+ + + + 3 3 3 3 3 3", createTag],
  ["reading a tag", "+ + + + + + + + + +", read("tags", tag)],
  ["changing a tag", "+ + + + 3 3 3 3 3 3", change("tags", tag, () => ({ name: newId() }))],
  ["deleting a tag", "+ + + + 3 3 3 3 3 3", remove("tags", tag)],
  [
    "tagging a person of the own cell",
    "+ + + + 3 3 4 4 4 4",
    async ({ token: as }) =>
      service.post(
        `/v1/people/${await inOwn()}/relationships/tags`,
        identifiers("tags", [await tag()]),
        { as },
      ),
  ],

  [
    "an import job",
    "+ + 3 + 3 3 3 3 3 3",
    create("import-jobs", { "kind": "people", "mapping": { Nome: "full-name" } }),
  ],
]);
