import { after } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeMember } from "../../support/cells.ts";
import { makeEnrollment } from "../../support/courses.ts";
import { makePerson, makeRow, type Member } from "../../support/make.ts";
import { startService } from "../../support/service.ts";
import {
  type Make,
  makeStage,
  type Rights,
  sends,
  testRights,
  to,
} from "../../support/standings.ts";

/** The table of rights of the interface, for notes. */

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
  await makeEnrollment(db, account.id, places.courseClass, { person_id: id });
  return id;
};
type About = (by: Member) => Promise<string>;
const oneself: About = async ({ id }) => id;

type Row = Record<string, string>;
const note = (columns: Row): Promise<string> =>
  makeRow(db, "notes", account.id, { text: "Called; comes on Sunday.", ...columns });
const { id: author_id } = await makePerson(db, account.id);
/** A note of somebody else about a person. */
const on =
  (make: About, visibility: string, columns: Row = {}) =>
  async (by: Member) =>
    note({ about_person_id: await make(by), author_id, visibility, ...columns });
const noteOnCell = () => note({ about_cell_id: places.own, author_id });
const noteOnHousehold = async () => {
  const household = await makeRow(db, "households", account.id, { name: "Souza" });
  return note({ about_household_id: household, author_id });
};
/** A note that the caller wrote. */
const by = (make: About, visibility: string) => async (author: Member) =>
  on(make, visibility, { author_id: author.id })(author);
/** A note of somebody else that the caller follows up. */
const assigned = (visibility: string) => async (assignee: Member) =>
  on(inFar, visibility, { assignee_id: assignee.id })(assignee);

const rowsOf = (words: string, make: (visibility: string) => Make) =>
  Object.fromEntries(
    ["scope", "staff", "confidential"].map((each) => [`${each}, ${words}`, make(each)]),
  );

const rights = {
  rows: {
    people: { own: inOwn, far: inFar, class: inClass },
    notes: {
      "about the own cell": noteOnCell,
      "about a household": noteOnHousehold,
      "scope, sibling": on(inSibling, "scope"),
      "scope, far": on(inFar, "scope"),
      ...rowsOf("own", (visibility) => on(inOwn, visibility)),
      "scope, class, without a place": on(inClass, "scope"),
      "scope, own, of the sibling": on(inOwn, "scope", { place_id: places.sibling }),
      ...rowsOf("class", (visibility) => on(inClass, visibility, { place_id: places.courseClass })),
      ...rowsOf("about oneself", (visibility) => on(oneself, visibility)),
      ...rowsOf("mine", (visibility) => by(inFar, visibility)),
      ...rowsOf("assigned", assigned),
    },
  },
  placed: { notes: ["about", "people"] },
  sent: {
    "create notes": sends({ text: "Called" }),
    "change notes": () => ({ attributes: { text: newId() } }),
    "assign notes": ({ id }) => ({ relationships: { assignee: to("people", id) } }),
  },
} satisfies Rights;

// Full administrator, administrator, pastor, secretary, supervisor, cell leader, cell trainee, course coordinator, teacher,
// member.
testRights(
  service,
  stage,
  rights,
  `
  + + + + + + 3 3 3 3  create notes: own
  + + + + 3 3 3 3 3 3  create notes: far
  + + + + 3 3 3 + + 3  create notes: class
  + + + + + + 4 4 4 4  read notes: scope, own
  + + + + + 4 4 4 4 4  read notes: scope, sibling
  + + + + 4 4 4 4 4 4  read notes: scope, far
  + + + + 4 4 4 + + 4  read notes: scope, class
  + + + + 4 4 4 4 4 4  read notes: scope, class, without a place
  + + + + + 4 4 4 4 4  read notes: scope, own, of the sibling
  + + + + + + 4 4 4 4  read notes: about the own cell
  + + + + 4 4 4 4 4 4  read notes: about a household
  + + + + + + 4 4 4 4  read notes: scope, about oneself
  + + + + 4 4 4 4 4 4  read notes: staff, own
  + + + + 4 4 4 4 4 4  read notes: staff, class
  + + + + 4 4 4 4 4 4  read notes: staff, about oneself
  4 4 4 4 4 4 4 4 4 4  read notes: confidential, own
  4 4 4 4 4 4 4 4 4 4  read notes: confidential, about oneself
  + + + + + + + + + +  read notes: scope, mine
  + + + + + + + + + +  read notes: staff, mine
  + + + + + + + + + +  read notes: confidential, mine
  + + + + + + + + + +  read notes: staff, assigned
  + + + + + + + + + +  read notes: confidential, assigned
  + + + + + + 3 + + 3  change notes: scope, mine
  + + + + + + 3 + + 3  change notes: staff, mine
  + + + + + + 3 + + 3  change notes: confidential, mine
  3 3 3 3 3 3 4 4 4 4  change notes: scope, own
  3 3 3 3 4 4 4 3 3 4  change notes: scope, class
  3 3 3 3 4 4 4 4 4 4  change notes: staff, own
  4 4 4 4 4 4 4 4 4 4  change notes: confidential, own
  3 3 3 3 3 3 3 3 3 3  change notes: confidential, assigned
  3 3 3 3 3 3 4 4 4 4  assign notes: scope, own
  4 4 4 4 4 4 4 4 4 4  assign notes: confidential, own
  + + + + + + 3 + + 3  delete notes: scope, mine
  + + + + + + 3 + + 3  delete notes: confidential, mine
  + + 3 3 3 3 3 4 4 3  delete notes: scope, own
  + + 3 3 4 4 3 3 3 3  delete notes: scope, class
  + + 3 3 4 4 3 4 4 3  delete notes: staff, own
  4 4 4 4 4 4 3 4 4 3  delete notes: confidential, own
  + + 3 3 3 3 3 3 3 3  delete notes: scope, assigned
  + + 3 3 3 3 3 3 3 3  delete notes: confidential, assigned
  `,
);
