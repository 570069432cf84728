import { after } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { join } from "../../support/cells.ts";
import { makeEnrollment } from "../../support/courses.ts";
import { makePerson, makeRow, type Member } from "../../support/make.ts";
import { document, startService } from "../../support/service.ts";
import { type Act, makeStage, testTable } from "../../support/standings.ts";

/** The table of rights of the interface, for notes. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const stage = await makeStage(service);
const { places } = stage;

type Make = (by: Member) => Promise<string>;
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
  await makeEnrollment(db, account.id, places.courseClass, { person_id: id });
  return id;
};
const oneself: Make = async ({ id }) => id;

type Row = Record<string, string>;
const note = (columns: Row): Promise<string> =>
  makeRow(db, "notes", account.id, { text: "Called; comes on Sunday.", ...columns });
const { id: author_id } = await makePerson(db, account.id);
/** A note of somebody else about a person. */
const on =
  (make: Make, visibility: string, columns: Row = {}) =>
  async (by: Member) =>
    note({ about_person_id: await make(by), author_id, visibility, ...columns });
const noteOnCell = () => note({ about_cell_id: places.own, author_id });
const noteOnHousehold = async () => {
  const household = await makeRow(db, "households", account.id, { name: "Souza" });
  return note({ about_household_id: household, author_id });
};
/** A note that the caller wrote. */
const by = (make: Make, visibility: string) => async (author: Member) =>
  on(make, visibility, { author_id: author.id })(author);
/** A note of somebody else that the caller follows up. */
const assigned = (visibility: string) => async (assignee: Member) =>
  on(inFar, visibility, { assignee_id: assignee.id })(assignee);

const write =
  (about: () => Promise<string>): Act =>
  async ({ token: as }) => {
    const relationships = { about: { data: { type: "people", id: await about() } } };
    return service.post("/v1/notes", document("notes", { text: "Called" }, { relationships }), {
      as,
    });
  };
const read =
  (make: Make): Act =>
  async (caller) =>
    service.get(`/v1/notes/${await make(caller)}`, { as: caller.token });
const change =
  (make: Make): Act =>
  async (caller) => {
    const id = await make(caller);
    const body = document("notes", { text: newId() }, { id });
    return service.patch(`/v1/notes/${id}`, body, { as: caller.token });
  };
const assign =
  (make: Make): Act =>
  async (caller) => {
    const path = `/v1/notes/${await make(caller)}/relationships/assignee`;
    const body = { data: { type: "people", id: caller.id } };
    return service.patch(path, body, { as: caller.token });
  };
const remove =
  (make: Make): Act =>
  async (caller) =>
    service.delete(`/v1/notes/${await make(caller)}`, { as: caller.token });

// The marks: full administrator, administrator, pastor, secretary, supervisor, cell leader, cell trainee, course
// coordinator, teacher, member.
testTable(stage, [
  ["writing about a person of the own cell", "+ + + + + + 3 3 3 3", write(inOwn)],
  ["writing about a person of another tree", "+ + + + 3 3 3 3 3 3", write(inFar)],
  ["writing about a person of the class", "+ + + + 3 3 3 + + 3", write(inClass)],

  ["reading a scope note of the own cell", "+ + + + + + 4 4 4 4", read(on(inOwn, "scope"))],
  ["reading a scope note of the tree", "+ + + + + 4 4 4 4 4", read(on(inSibling, "scope"))],
  ["reading a scope note of another tree", "+ + + + 4 4 4 4 4 4", read(on(inFar, "scope"))],
  ["reading a scope note of the class", "+ + + + 4 4 4 + + 4", read(on(inClass, "scope"))],
  ["reading a note about the own cell", "+ + + + + + 4 4 4 4", read(noteOnCell)],
  ["reading a note about a household", "+ + + + 4 4 4 4 4 4", read(noteOnHousehold)],
  ["reading a scope note about oneself", "+ + + + + + 4 4 4 4", read(on(oneself, "scope"))],
  ["reading a staff note of the own cell", "+ + + + 4 4 4 4 4 4", read(on(inOwn, "staff"))],
  ["reading a staff note of the class", "+ + + + 4 4 4 4 4 4", read(on(inClass, "staff"))],
  ["reading a staff note about oneself", "+ + + + 4 4 4 4 4 4", read(on(oneself, "staff"))],
  ["reading a confidential note", "4 4 4 4 4 4 4 4 4 4", read(on(inOwn, "confidential"))],
  [
    "reading a confidential note about oneself",
    "4 4 4 4 4 4 4 4 4 4",
    read(on(oneself, "confidential")),
  ],
  ["reading one's own scope note", "+ + + + + + + + + +", read(by(inFar, "scope"))],
  ["reading one's own staff note", "+ + + + + + + + + +", read(by(inFar, "staff"))],
  ["reading one's own confidential note", "+ + + + + + + + + +", read(by(inFar, "confidential"))],
  ["reading an assigned staff note", "+ + + + + + + + + +", read(assigned("staff"))],
  ["reading an assigned confidential note", "+ + + + + + + + + +", read(assigned("confidential"))],

  ["changing one's own scope note", "+ + + + + + 3 + + 3", change(by(inFar, "scope"))],
  ["changing one's own staff note", "+ + + + + + 3 + + 3", change(by(inFar, "staff"))],
  [
    "changing one's own confidential note",
    "+ + + + + + 3 + + 3",
    change(by(inFar, "confidential")),
  ],
  ["changing a scope note of the own cell", "3 3 3 3 3 3 3 4 4 3", change(on(inOwn, "scope"))],
  ["changing a scope note of the class", "3 3 3 3 4 4 3 3 3 3", change(on(inClass, "scope"))],
  ["changing a staff note of the own cell", "3 3 3 3 4 4 3 4 4 3", change(on(inOwn, "staff"))],
  ["changing a confidential note", "4 4 4 4 4 4 3 4 4 3", change(on(inOwn, "confidential"))],
  ["changing an assigned note", "3 3 3 3 3 3 3 3 3 3", change(assigned("confidential"))],
  ["taking over a note of the own cell", "3 3 3 3 3 3 3 4 4 3", assign(on(inOwn, "scope"))],
  ["taking over a confidential note", "4 4 4 4 4 4 3 4 4 3", assign(on(inOwn, "confidential"))],

  ["deleting one's own scope note", "+ + + + + + 3 + + 3", remove(by(inFar, "scope"))],
  [
    "deleting one's own confidential note",
    "+ + + + + + 3 + + 3",
    remove(by(inFar, "confidential")),
  ],
  ["deleting a scope note of the own cell", "+ + 3 3 3 3 3 4 4 3", remove(on(inOwn, "scope"))],
  ["deleting a scope note of the class", "+ + 3 3 4 4 3 3 3 3", remove(on(inClass, "scope"))],
  ["deleting a staff note of the own cell", "+ + 3 3 4 4 3 4 4 3", remove(on(inOwn, "staff"))],
  ["deleting a confidential note", "4 4 4 4 4 4 3 4 4 3", remove(on(inOwn, "confidential"))],
  ["deleting an assigned scope note", "+ + 3 3 3 3 3 3 3 3", remove(assigned("scope"))],
  [
    "deleting an assigned confidential note",
    "+ + 3 3 3 3 3 3 3 3",
    remove(assigned("confidential")),
  ],
]);
