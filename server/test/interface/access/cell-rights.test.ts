import { after } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { json } from "../../../src/store/sql.ts";
import { dayFromToday, join, makeCell } from "../../support/cells.ts";
import { makePerson, makeRow, type Member } from "../../support/make.ts";
import { identifiers, startService } from "../../support/service.ts";
import {
  type Act,
  type Make,
  makeStage,
  type Rights,
  sends,
  testRights,
  to,
} from "../../support/standings.ts";

/** The table of rights of the interface, for cells and everything that belongs to them. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const stage = await makeStage(service);
const { people, places } = stage;

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

const named = () => ({ attributes: { name: newId() } });
/** Moves a new cell under another one, or to the top. */
const move =
  (make: () => Promise<string>, parent: string | null): Act =>
  async ({ token: as }) => {
    const id = await make();
    const relationships = { parent: parent === null ? { data: null } : to("cells", parent) };
    const data = { type: "cells", id, relationships };
    return service.patch(`/v1/cells/${id}`, { data }, { as });
  };
const create =
  (
    type: string,
    sent: Record<string, unknown>,
    relationships: (by: Member) => Promise<object> | object,
  ): Act =>
  async (by) => {
    const data = { type, attributes: sent, relationships: await relationships(by) };
    return service.post(`/v1/${type}`, { data }, { as: by.token });
  };

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
const requestIn = (cell_id: string, person_id?: string) =>
  makeRow(db, "cell_join_requests", account.id, {
    cell_id,
    source: "staff",
    ...(person_id === undefined
      ? { contact: json({ "full-name": "Ana Lima", "phone": "+5511987654321" }) }
      : { person_id }),
  } as never);
const contact = { "full-name": "Ana Lima", "phone": "+5511987654321" };
const askFor = (cellId: string) =>
  create("cell-join-requests", { contact }, () => ({ cell: to("cells", cellId) }));

const memberOf = async (cellId: string): Promise<string> => {
  const { id } = await makePerson(db, account.id);
  await join(db, account.id, cellId, id);
  return id;
};
const propose = (make: () => Promise<string>) =>
  create("cell-multiplications", { "new-cell": { name: "Two" } }, async () => {
    const cellId = await make();
    const members = [await memberOf(cellId), await memberOf(cellId)];
    return {
      "parent-cell": to("cells", cellId),
      "members": identifiers("people", members),
      "leaders": identifiers("people", members.slice(0, 1)),
    };
  });
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
const mine =
  (make: (cellId: string, personId: string) => Promise<string>): Make =>
  async ({ id }) =>
    make(await farCell(), id);

const rights = {
  rows: {
    "cells": {
      "own": () => places.own,
      "sibling": () => places.sibling,
      "far": () => places.far,
      "area": () => places.area,
      "far sector": () => places.farSector,
      "new own": ownCell,
      "new sibling": siblingCell,
      "new far": farCell,
      "public": publicCell,
      "closed own": closed(ownCell),
      "closed far": closed(farCell),
    },
    "cell-multiplications": {
      own: proposal(ownCell),
      sibling: proposal(siblingCell),
      far: proposal(farCell),
    },
    "cell-memberships": {
      own: () => membershipIn(places.own),
      sibling: () => membershipIn(places.sibling),
      far: () => membershipIn(places.far),
      mine: mine(membershipIn),
    },
    "cell-join-requests": {
      own: () => requestIn(places.own),
      sibling: () => requestIn(places.sibling),
      far: () => requestIn(places.far),
      mine: mine(requestIn),
    },
    "cell-meetings": {
      "own": meetingIn(places.own),
      "sibling": meetingIn(places.sibling),
      "far": meetingIn(places.far),
      "today, own": heldIn(ownCell),
      "today, sibling": heldIn(siblingCell),
      "today, far": heldIn(farCell),
    },
    "cell-attendances": { own: attendanceIn(ownCell), far: attendanceIn(farCell) },
  },
  placed: {
    "cells": ["parent", "cells"],
    "cell-closings": ["cell", "cells"],
    "cell-reopenings": ["cell", "cells"],
    "cell-join-requests": ["cell", "cells"],
    "cell-meetings": ["cell", "cells"],
  },
  sent: {
    "create cells": named,
    "change cells": named,
    "describe cells": () => ({ attributes: { description: newId() } }),
    "publish cells": sends({ "is-public": true }),
    "approve cell-multiplications": sends({ status: "approved" }),
    "change cell-memberships": sends({ "cell-role": "host" }),
    "appoint cell-memberships": sends({ "cell-role": "co-leader" }),
    "end cell-memberships": sends({ status: "left" }),
    "create cell-join-requests": ({ id }) => ({ relationships: { person: to("people", id) } }),
    "approve cell-join-requests": sends({ status: "approved" }),
    "decline cell-join-requests": sends({ status: "declined" }),
    "cancel cell-join-requests": sends({ status: "cancelled" }),
    "create cell-meetings": async () => ({ attributes: { date: await nextDay() } }),
    "report cell-meetings": sends({ status: "held" }),
  },
  acts: {
    "create cells: without a parent": create("cells", { name: "New" }, () => ({})),
    "move cells: inside the tree": move(ownCell, places.sector),
    "move cells: out of the tree": move(ownCell, places.farSector),
    "move cells: to the top": move(ownCell, null),
    "move cells: into the tree": move(farCell, places.area),
    "close a cell and move its people to another tree": create("cell-closings", {}, async () => ({
      "cell": to("cells", await ownCell()),
      "moved-to": to("cells", await farCell()),
    })),
    "propose a multiplication: own": propose(ownCell),
    "propose a multiplication: sibling": propose(siblingCell),
    "propose a multiplication: far": propose(farCell),
    "add a visitor: own": addTo(places.own),
    "add a visitor: sibling": addTo(places.sibling),
    "add a visitor: far": addTo(places.far),
    "add a leader: own": addTo(places.own, "leader"),
    "add a co-leader: far": addTo(places.far, "co-leader"),
    "add a supervisor: area": addTo(places.area, "leader"),
    "ask for another person: own": askFor(places.own),
    "ask for another person: sibling": askFor(places.sibling),
    "ask for another person: far": askFor(places.far),
    "list cell-report-summaries": ({ token: as }) =>
      service.get("/v1/cell-report-summaries", { as }),
  },
} satisfies Rights;

// Full administrator, administrator, pastor, secretary, supervisor, cell leader, cell trainee, course coordinator, teacher,
// member.
testRights(
  service,
  stage,
  rights,
  `
  + + + + + + + 4 4 +  read cells: own
  + + + + + 4 4 4 4 4  read cells: sibling
  + + + + 4 4 4 4 4 4  read cells: far
  + + + + + + + + + +  read cells: public
  + + + 3 + 3 3 3 3 3  create cells: area
  + + + 3 3 3 3 3 3 3  create cells: far sector
  + + + 3 3 3 3 3 3 3  create cells: without a parent
  + + + 3 + 3 3 3 3 3  change cells: new own
  + + + 3 + 4 3 3 3 3  change cells: new sibling
  + + + 3 4 4 3 3 3 3  change cells: new far
  + + + 3 3 3 3 3 3 3  change cells: public
  + + + 3 + + 3 3 3 3  describe cells: new own
  + + + 3 + 4 3 3 3 3  describe cells: new sibling
  + + + 3 4 4 3 3 3 3  describe cells: new far
  + + + 3 3 3 3 3 3 3  describe cells: public
  + + + 3 3 3 3 3 3 3  publish cells: new own
  + + + 3 + 3 3 3 3 3  move cells: inside the tree
  + + + 3 3 3 3 3 3 3  move cells: out of the tree
  + + + 3 3 3 3 3 3 3  move cells: to the top
  + + + 3 4 4 3 3 3 3  move cells: into the tree
  + + 3 3 3 3 3 3 3 3  delete cells: new own

  + + + 3 + 3 3 3 3 3  create cell-closings: new own
  + + + 3 + 3 3 3 3 3  create cell-closings: new sibling
  + + + 3 3 3 3 3 3 3  create cell-closings: new far
  + + + 3 3 3 3 3 3 3  close a cell and move its people to another tree
  + + + 3 + 3 3 3 3 3  create cell-reopenings: closed own
  + + + 3 3 3 3 3 3 3  create cell-reopenings: closed far

  + + + 3 + + 3 3 3 3  propose a multiplication: own
  + + + 3 + 3 3 3 3 3  propose a multiplication: sibling
  + + + 3 3 3 3 3 3 3  propose a multiplication: far
  + + + 3 + 3 3 3 3 3  approve cell-multiplications: own
  + + + 3 + 4 3 3 3 3  approve cell-multiplications: sibling
  + + + 3 4 4 3 3 3 3  approve cell-multiplications: far
  + + + 3 + + 3 3 3 3  read cell-multiplications: own

  + + + + + + 3 3 3 3  add a visitor: own
  + + + + + 3 3 3 3 3  add a visitor: sibling
  + + + + 3 3 3 3 3 3  add a visitor: far
  + + + 3 + 3 3 3 3 3  add a leader: own
  + + + 3 3 3 3 3 3 3  add a co-leader: far
  + + + 3 3 3 3 3 3 3  add a supervisor: area
  + + + + + + 3 4 4 4  change cell-memberships: own
  + + + + + 4 4 4 4 4  change cell-memberships: sibling
  + + + + 4 4 4 4 4 4  change cell-memberships: far
  + + + + 3 3 3 3 3 3  change cell-memberships: mine
  + + + 3 + 3 3 4 4 4  appoint cell-memberships: own
  + + + + + + + + + +  end cell-memberships: mine
  + + 3 3 3 3 3 3 3 3  delete cell-memberships: own

  + + + + + + + + + +  create cell-join-requests: public
  + + + + 3 3 3 3 3 3  create cell-join-requests: new far
  + + + + + + 3 3 3 3  ask for another person: own
  + + + + + 3 3 3 3 3  ask for another person: sibling
  + + + + 3 3 3 3 3 3  ask for another person: far
  + + + 3 + + 4 4 4 4  approve cell-join-requests: own
  + + + 3 + 4 4 4 4 4  decline cell-join-requests: sibling
  + + + 3 4 4 4 4 4 4  approve cell-join-requests: far
  + + + 3 3 3 3 3 3 3  approve cell-join-requests: mine
  + + + + + + + + + +  cancel cell-join-requests: mine

  + + + + + + + 3 3 3  read cell-meetings: own
  + + + + + 4 4 3 3 3  read cell-meetings: sibling
  + + + + 4 4 4 3 3 3  read cell-meetings: far
  + + + 3 + + 3 3 3 3  create cell-meetings: own
  + + + 3 + 3 3 3 3 3  create cell-meetings: sibling
  + + + 3 3 3 3 3 3 3  create cell-meetings: far
  + + + 3 + + 3 3 3 3  report cell-meetings: today, own
  + + + 3 + 4 3 3 3 3  report cell-meetings: today, sibling
  + + + 3 4 4 3 3 3 3  report cell-meetings: today, far
  + + + 3 + + 3 3 3 3  delete cell-meetings: own
  + + + + + + 4 4 4 4  read cell-attendances: own
  + + + 3 + + 3 3 3 3  delete cell-attendances: own
  + + + 3 4 4 3 3 3 3  delete cell-attendances: far
  + + + + + + + 3 3 3  list cell-report-summaries
  `,
);
