import { after } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { json } from "../../../src/store/sql.ts";
import { dayFromToday, join, makeCell } from "../../support/cells.ts";
import { makePerson, makeRow, type Member } from "../../support/make.ts";
import { document, identifiers, startService } from "../../support/service.ts";
import { type Act, makeStage, testTable } from "../../support/standings.ts";

/** The table of rights of the interface, for cells and everything that belongs to them. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const stage = await makeStage(service);
const { people, places } = stage;

const to = (type: string, id: string) => ({ data: { type, id } });
const read =
  (type: string, make: () => Promise<string> | string): Act =>
  async ({ token: as }) =>
    service.get(`/v1/${type}/${await make()}`, { as });
const change =
  (
    type: string,
    make: (by: Member) => Promise<string> | string,
    attributes: () => Record<string, unknown>,
    relationships: Record<string, unknown> = {},
  ): Act =>
  async (by) => {
    const id = await make(by);
    const body = document(type, attributes(), { id, relationships });
    return service.patch(`/v1/${type}/${id}`, body, { as: by.token });
  };
const remove =
  (type: string, make: () => Promise<string>): Act =>
  async ({ token: as }) =>
    service.delete(`/v1/${type}/${await make()}`, { as });
const create =
  (
    type: string,
    attributes: Record<string, unknown>,
    relationships: (by: Member) => Promise<Record<string, unknown>> | Record<string, unknown>,
  ): Act =>
  async (by) =>
    service.post(
      `/v1/${type}`,
      document(type, attributes, { relationships: await relationships(by) }),
      { as: by.token },
    );

/** A new cell that the leader leads and the member is in, one beside it, and one of another tree. */
const ownCell = async (): Promise<string> => {
  const id = await makeCell(db, account.id, { parent_id: places.area });
  await join(db, account.id, id, people["cell leader"].id, { cell_role: "leader" });
  await join(db, account.id, id, people["member"].id);
  return id;
};
const siblingCell = () => makeCell(db, account.id, { parent_id: places.area });
const farCell = () => makeCell(db, account.id, { parent_id: places.farSector });
const publicCell = () => makeCell(db, account.id, { parent_id: places.farSector, is_public: true });
const closed = (make: () => Promise<string>) => async () => {
  const id = await make();
  await db`update cells set closed_at = now() where account_id = ${account.id} and id = ${id}`;
  return id;
};

const named = () => ({ name: newId() });
const described = () => ({ description: newId() });
const move = (make: () => Promise<string>, parent: string | null) =>
  change("cells", make, () => ({}), {
    parent: parent === null ? { data: null } : to("cells", parent),
  });
const cellUnder = (parent: string | null) =>
  create("cells", { name: "New" }, () => (parent === null ? {} : { parent: to("cells", parent) }));
const about =
  (type: string, make: () => Promise<string>, member = "cell"): Act =>
  (by, standing) =>
    create(type, {}, async () => ({ [member]: to("cells", await make()) }))(by, standing);

/** A prospect of the caller, whom every standing may name. */
const prospectOf = async ({ id: created_by }: Member): Promise<string> => {
  const { id } = await makePerson(db, account.id);
  await db`
    update people set created_by = ${created_by}, membership_status = 'prospect'
    where account_id = ${account.id} and id = ${id}`;
  return id;
};
const membershipIn = async (cell_id: string, person?: string): Promise<string> => {
  const person_id = person ?? (await makePerson(db, account.id)).id;
  return makeRow(db, "cell_memberships", account.id, { cell_id, person_id });
};
const addTo = (cellId: string, role = "visitor") =>
  create("cell-memberships", { "cell-role": role }, async (by) => ({
    cell: to("cells", cellId),
    person: to("people", await prospectOf(by)),
  }));
const host = () => ({ "cell-role": "host" });
const appointed = () => ({ "cell-role": "co-leader" });
const left = () => ({ status: "left" });

const requestIn = (cell_id: string, person_id?: string) =>
  makeRow(db, "cell_join_requests", account.id, {
    cell_id,
    source: "staff",
    ...(person_id === undefined
      ? { contact: json({ "full-name": "Ana Lima", "phone": "+5511987654321" }) }
      : { person_id }),
  } as never);
const ask = (make: () => Promise<string> | string) =>
  create("cell-join-requests", {}, async ({ id }) => ({
    cell: to("cells", await make()),
    person: to("people", id),
  }));
const askFor = (cellId: string) =>
  create(
    "cell-join-requests",
    { contact: { "full-name": "Ana Lima", "phone": "+5511987654321" } },
    () => ({ cell: to("cells", cellId) }),
  );
const approved = () => ({ status: "approved" });
const declined = () => ({ status: "declined" });

const memberOf = async (cellId: string): Promise<string> => {
  const { id } = await makePerson(db, account.id);
  await join(db, account.id, cellId, id);
  return id;
};
const propose =
  (make: () => Promise<string>): Act =>
  async (by, standing) => {
    const cellId = await make();
    const members = [await memberOf(cellId), await memberOf(cellId)];
    return create("cell-multiplications", { "new-cell": { name: "Two" } }, () => ({
      "parent-cell": to("cells", cellId),
      "members": identifiers("people", members),
      "leaders": identifiers("people", members.slice(0, 1)),
    }))(by, standing);
  };
const proposal = (make: () => Promise<string>) => async () => {
  const parent_cell_id = await make();
  const multiplication_id = await makeRow(db, "cell_multiplications", account.id, {
    parent_cell_id,
    new_cell: json({ name: "Two" }),
  } as never);
  const person_id = await memberOf(parent_cell_id);
  for (const table of ["cell_multiplication_members", "cell_multiplication_leaders"])
    await db`insert into ${db(table)} (account_id, multiplication_id, person_id)
      values (${account.id}, ${multiplication_id}, ${person_id})`;
  return multiplication_id;
};

let days = 0;
const nextDay = () => dayFromToday(db, account.id, 100 + (days += 1));
const meetingIn = (cell_id: string) => async () =>
  makeRow(db, "cell_meetings", account.id, { cell_id, date: await nextDay() });
/** A meeting of a day that allows a report. */
const heldIn = (make: () => Promise<string>) => async () =>
  makeRow(db, "cell_meetings", account.id, {
    cell_id: await make(),
    date: await dayFromToday(db, account.id, 0),
  });
const held = () => ({ status: "held" });
const attendanceIn = (make: () => Promise<string>) => async () => {
  const cell_id = await make();
  const date = await dayFromToday(db, account.id, 0);
  const meeting_id = await makeRow(db, "cell_meetings", account.id, { cell_id, date });
  const person_id = await memberOf(cell_id);
  return makeRow(db, "cell_attendances", account.id, {
    meeting_id,
    cell_id,
    date,
    person_id,
    status: "present",
  });
};
const plan =
  (cellId: string): Act =>
  async (by, standing) =>
    create("cell-meetings", { date: await nextDay() }, () => ({ cell: to("cells", cellId) }))(
      by,
      standing,
    );

// The marks: full administrator, administrator, pastor, secretary, supervisor, cell leader, cell trainee, course
// coordinator, teacher, member.
testTable(stage, [
  ["reading the own cell", "+ + + + + + + 4 4 +", read("cells", () => places.own)],
  ["reading a cell of the tree", "+ + + + + 4 4 4 4 4", read("cells", () => places.sibling)],
  ["reading a cell of another tree", "+ + + + 4 4 4 4 4 4", read("cells", () => places.far)],
  ["reading a public cell", "+ + + + + + + + + +", read("cells", publicCell)],

  ["creating a cell in the tree", "+ + + 3 + 3 3 3 3 3", cellUnder(places.area)],
  ["creating a cell in another tree", "+ + + 3 3 3 3 3 3 3", cellUnder(places.farSector)],
  ["creating a cell without a parent", "+ + + 3 3 3 3 3 3 3", cellUnder(null)],

  ["changing the own cell", "+ + + 3 + 3 3 3 3 3", change("cells", ownCell, named)],
  ["changing a cell of the tree", "+ + + 3 + 4 3 3 3 3", change("cells", siblingCell, named)],
  ["changing a cell of another tree", "+ + + 3 4 4 3 3 3 3", change("cells", farCell, named)],
  [
    "changing a public cell of another tree",
    "+ + + 3 3 3 3 3 3 3",
    change("cells", publicCell, named),
  ],
  ["the texts of the own cell", "+ + + 3 + + 3 3 3 3", change("cells", ownCell, described)],
  [
    "the texts of a cell of the tree",
    "+ + + 3 + 4 3 3 3 3",
    change("cells", siblingCell, described),
  ],
  [
    "the texts of a cell of another tree",
    "+ + + 3 4 4 3 3 3 3",
    change("cells", farCell, described),
  ],
  [
    "the texts of a public cell of another tree",
    "+ + + 3 3 3 3 3 3 3",
    change("cells", publicCell, described),
  ],
  [
    "making the own cell public",
    "+ + + 3 3 3 3 3 3 3",
    change("cells", ownCell, () => ({ "is-public": true })),
  ],

  ["moving a cell inside the tree", "+ + + 3 + 3 3 3 3 3", move(ownCell, places.sector)],
  ["moving a cell out of the tree", "+ + + 3 3 3 3 3 3 3", move(ownCell, places.farSector)],
  ["moving a cell to the top", "+ + + 3 3 3 3 3 3 3", move(ownCell, null)],
  ["moving a cell into the tree", "+ + + 3 4 4 3 3 3 3", move(farCell, places.area)],

  ["closing the own cell", "+ + + 3 + 3 3 3 3 3", about("cell-closings", ownCell)],
  ["closing a cell of the tree", "+ + + 3 + 3 3 3 3 3", about("cell-closings", siblingCell)],
  ["closing a cell of another tree", "+ + + 3 3 3 3 3 3 3", about("cell-closings", farCell)],
  [
    "closing a cell and moving its people to another tree",
    "+ + + 3 3 3 3 3 3 3",
    create("cell-closings", {}, async () => ({
      "cell": to("cells", await ownCell()),
      "moved-to": to("cells", await farCell()),
    })),
  ],
  [
    "reopening a cell of the tree",
    "+ + + 3 + 3 3 3 3 3",
    about("cell-reopenings", closed(ownCell)),
  ],
  [
    "reopening a cell of another tree",
    "+ + + 3 3 3 3 3 3 3",
    about("cell-reopenings", closed(farCell)),
  ],
  ["deleting a cell", "+ + 3 3 3 3 3 3 3 3", remove("cells", ownCell)],

  ["proposing a multiplication of the own cell", "+ + + 3 + + 3 3 3 3", propose(ownCell)],
  ["proposing a multiplication in the tree", "+ + + 3 + 3 3 3 3 3", propose(siblingCell)],
  ["proposing a multiplication in another tree", "+ + + 3 3 3 3 3 3 3", propose(farCell)],
  [
    "approving a multiplication of the own cell",
    "+ + + 3 + 3 3 3 3 3",
    change("cell-multiplications", proposal(ownCell), approved),
  ],
  [
    "approving a multiplication in the tree",
    "+ + + 3 + 4 3 3 3 3",
    change("cell-multiplications", proposal(siblingCell), approved),
  ],
  [
    "approving a multiplication in another tree",
    "+ + + 3 4 4 3 3 3 3",
    change("cell-multiplications", proposal(farCell), approved),
  ],
  [
    "reading a multiplication of the own cell",
    "+ + + 3 + + 3 3 3 3",
    read("cell-multiplications", proposal(ownCell)),
  ],

  ["adding a person to the own cell", "+ + + + + + 3 3 3 3", addTo(places.own)],
  ["adding a person in the tree", "+ + + + + 3 3 3 3 3", addTo(places.sibling)],
  ["adding a person in another tree", "+ + + + 3 3 3 3 3 3", addTo(places.far)],
  ["appointing a leader of the own cell", "+ + + 3 + 3 3 3 3 3", addTo(places.own, "leader")],
  ["appointing a leader in another tree", "+ + + 3 3 3 3 3 3 3", addTo(places.far, "co-leader")],
  ["appointing a supervisor", "+ + + 3 3 3 3 3 3 3", addTo(places.area, "leader")],
  [
    "changing a membership of the own cell",
    "+ + + + + + 3 4 4 4",
    change("cell-memberships", () => membershipIn(places.own), host),
  ],
  [
    "changing a membership in the tree",
    "+ + + + + 4 4 4 4 4",
    change("cell-memberships", () => membershipIn(places.sibling), host),
  ],
  [
    "changing a membership in another tree",
    "+ + + + 4 4 4 4 4 4",
    change("cell-memberships", () => membershipIn(places.far), host),
  ],
  [
    "making a member of the own cell a leader",
    "+ + + 3 + 3 3 4 4 4",
    change("cell-memberships", () => membershipIn(places.own), appointed),
  ],
  [
    "ending one's own membership",
    "+ + + + + + + + + +",
    change("cell-memberships", async ({ id }) => membershipIn(await farCell(), id), left),
  ],
  [
    "changing the role of one's own membership",
    "+ + + + 3 3 3 3 3 3",
    change("cell-memberships", async ({ id }) => membershipIn(await farCell(), id), host),
  ],
  [
    "deleting a membership",
    "+ + 3 3 3 3 3 3 3 3",
    remove("cell-memberships", () => membershipIn(places.own)),
  ],

  ["asking to join a public cell", "+ + + + + + + + + +", ask(publicCell)],
  ["asking to join a hidden cell", "+ + + + 3 3 3 3 3 3", ask(farCell)],
  ["asking for somebody in the own cell", "+ + + + + + 3 3 3 3", askFor(places.own)],
  ["asking for somebody in the tree", "+ + + + + 3 3 3 3 3", askFor(places.sibling)],
  ["asking for somebody in another tree", "+ + + + 3 3 3 3 3 3", askFor(places.far)],
  [
    "approving a request of the own cell",
    "+ + + 3 + + 4 4 4 4",
    change("cell-join-requests", () => requestIn(places.own), approved),
  ],
  [
    "declining a request in the tree",
    "+ + + 3 + 4 4 4 4 4",
    change("cell-join-requests", () => requestIn(places.sibling), declined),
  ],
  [
    "approving a request in another tree",
    "+ + + 3 4 4 4 4 4 4",
    change("cell-join-requests", () => requestIn(places.far), approved),
  ],
  [
    "approving one's own request elsewhere",
    "+ + + 3 3 3 3 3 3 3",
    change("cell-join-requests", async ({ id }) => requestIn(await farCell(), id), approved),
  ],
  [
    "cancelling one's own request",
    "+ + + + + + + + + +",
    change(
      "cell-join-requests",
      async ({ id }) => requestIn(await farCell(), id),
      () => ({
        status: "cancelled",
      }),
    ),
  ],

  [
    "reading a meeting of the own cell",
    "+ + + + + + + 3 3 3",
    read("cell-meetings", meetingIn(places.own)),
  ],
  [
    "reading a meeting in the tree",
    "+ + + + + 4 4 3 3 3",
    read("cell-meetings", meetingIn(places.sibling)),
  ],
  [
    "reading a meeting in another tree",
    "+ + + + 4 4 4 3 3 3",
    read("cell-meetings", meetingIn(places.far)),
  ],
  ["planning a meeting of the own cell", "+ + + 3 + + 3 3 3 3", plan(places.own)],
  ["planning a meeting in the tree", "+ + + 3 + 3 3 3 3 3", plan(places.sibling)],
  ["planning a meeting in another tree", "+ + + 3 3 3 3 3 3 3", plan(places.far)],
  [
    "reporting a meeting of the own cell",
    "+ + + 3 + + 3 3 3 3",
    change("cell-meetings", heldIn(ownCell), held),
  ],
  [
    "reporting a meeting in the tree",
    "+ + + 3 + 4 3 3 3 3",
    change("cell-meetings", heldIn(siblingCell), held),
  ],
  [
    "reporting a meeting in another tree",
    "+ + + 3 4 4 3 3 3 3",
    change("cell-meetings", heldIn(farCell), held),
  ],
  [
    "deleting a planned meeting of the own cell",
    "+ + + 3 + + 3 3 3 3",
    remove("cell-meetings", meetingIn(places.own)),
  ],
  [
    "reading an attendance of the own cell",
    "+ + + + + + 4 4 4 4",
    read("cell-attendances", attendanceIn(ownCell)),
  ],
  [
    "deleting an attendance of the own cell",
    "+ + + 3 + + 3 3 3 3",
    remove("cell-attendances", attendanceIn(ownCell)),
  ],
  [
    "deleting an attendance in another tree",
    "+ + + 3 4 4 3 3 3 3",
    remove("cell-attendances", attendanceIn(farCell)),
  ],
  [
    "the summaries of reports",
    "+ + + + + + + 3 3 3",
    ({ token: as }) => service.get("/v1/cell-report-summaries", { as }),
  ],
]);
