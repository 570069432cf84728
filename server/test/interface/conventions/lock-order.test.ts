import assert from "node:assert/strict";
import { after, test } from "node:test";
import { onObservation } from "../../../src/base/observe.ts";
import type { Tx } from "../../../src/store/db.ts";
import { join, makeCell, makeMember } from "../../support/cells.ts";
import { makeClass, makeEnrollment, makeOpenClass } from "../../support/courses.ts";
import { fillIn, makeForm, makeSubmission, moderate } from "../../support/forms.ts";
import { makeCourse, makePerson, makeRow } from "../../support/make.ts";
import { merge } from "../../support/merges.ts";
import { type Answer, document, startService } from "../../support/service.ts";
import { queued } from "../../support/together.ts";

/** Pairs of writes that lock the same rows. They follow one order of locks, so that neither of them is a deadlock's victim. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const to = (type: string, id: string) => ({ data: { type, id } });
const remove = (type: string, id: string) => () => service.delete(`/v1/${type}/${id}`);
const change = (type: string, id: string, attributes: object) => () =>
  service.patch(`/v1/${type}/${id}`, document(type, { ...attributes }, { id }));
const create = (type: string, attributes: object, relationships: object) => () =>
  service.post(
    `/v1/${type}`,
    document(type, { ...attributes }, { relationships: { ...relationships } }),
  );

type Request = () => Promise<Answer>;

interface Pair {
  requests: [Request, Request];
  /** The rows that both requests need, and that the test holds until both wait. */
  locked: { table: string; ids: string[] };
}

/** Each call makes rows of its own, because both orders of the requests are tried. */
const pairs: Record<string, () => Promise<Pair>> = {
  "deleting a person × changing the role of a membership": async () => {
    const cell = await makeCell(db, account.id);
    const { id: person } = await makePerson(db, account.id);
    const membership = await makeRow(db, "cell_memberships", account.id, {
      cell_id: cell,
      person_id: person,
      cell_role: "host",
    });
    return {
      requests: [
        remove("people", person),
        change("cell-memberships", membership, { "cell-role": "participant" }),
      ],
      locked: { table: "people", ids: [person] },
    };
  },
  "closing a cell × approving its request": async () => {
    const cell = await makeCell(db, account.id);
    const { id: person } = await makePerson(db, account.id);
    const request = await makeRow(db, "cell_join_requests", account.id, {
      cell_id: cell,
      person_id: person,
      source: "self",
    });
    return {
      requests: [
        create("cell-closings", {}, { cell: to("cells", cell) }),
        change("cell-join-requests", request, { status: "approved" }),
      ],
      locked: { table: "cells", ids: [cell] },
    };
  },
  "merging × closing with moved-to": async () => {
    const [cell, other] = [await makeCell(db, account.id), await makeCell(db, account.id)];
    const kept = await makeMember(db, account.id, cell, { cell_role: "leader" });
    const removed = await makeMember(db, account.id, cell, { cell_role: "leader" });
    return {
      requests: [
        () => merge(service, kept.id, [removed.id]),
        create("cell-closings", {}, { "cell": to("cells", cell), "moved-to": to("cells", other) }),
      ],
      locked: { table: "people", ids: [kept.id, removed.id] },
    };
  },
  "merging × a report that names two of the people": async () => {
    const cell = await makeCell(db, account.id);
    const kept = await makeMember(db, account.id, cell);
    const removed = await makeMember(db, account.id, cell);
    const meeting = await makeRow(db, "cell_meetings", account.id, {
      cell_id: cell,
      date: "2026-03-04",
    });
    const attendance = [removed, kept].map(({ id }) => ({ "person-id": id, "status": "present" }));
    return {
      requests: [
        () => merge(service, kept.id, [removed.id]),
        change("cell-meetings", meeting, { status: "held", attendance }),
      ],
      locked: { table: "people", ids: [kept.id] },
    };
  },
  "creating a household × merging its contact": async () => {
    const [kept, removed] = [await makePerson(db, account.id), await makePerson(db, account.id)];
    return {
      requests: [
        create("households", { name: "Lima" }, { "primary-contact": to("people", removed.id) }),
        () => merge(service, kept.id, [removed.id]),
      ],
      locked: { table: "people", ids: [removed.id] },
    };
  },
  "deleting a session × deleting an enrollment": async () => {
    const course_id = await makeCourse(db, account.id);
    const class_id = await makeClass(db, account.id, course_id);
    const enrollment_id = await makeEnrollment(db, account.id, class_id);
    const place = { course_id, class_id };
    const session_id = await makeRow(db, "course_sessions", account.id, {
      ...place,
      date: "2026-03-04",
    });
    const attendance = await makeRow(db, "course_attendances", account.id, {
      ...place,
      session_id,
      enrollment_id,
      date: "2026-03-04",
      status: "present",
    });
    return {
      requests: [
        remove("course-sessions", session_id),
        remove("course-enrollments", enrollment_id),
      ],
      locked: { table: "course_attendances", ids: [attendance] },
    };
  },
  "carrying out a multiplication × closing the cell": async () => {
    const cell = await makeCell(db, account.id);
    const { id: person } = await makePerson(db, account.id);
    await join(db, account.id, cell, person);
    const multiplication = await makeRow(db, "cell_multiplications", account.id, {
      parent_cell_id: cell,
      new_cell: '{"name": "Second"}',
    });
    for (const table of ["cell_multiplication_members", "cell_multiplication_leaders"])
      await db`insert into ${db(table)} values (${account.id}, ${multiplication}, ${person})`;
    return {
      requests: [
        change("cell-multiplications", multiplication, { status: "approved" }),
        create("cell-closings", {}, { cell: to("cells", cell) }),
      ],
      locked: { table: "cells", ids: [cell] },
    };
  },
  "deleting a membership of a household × merging the person": async () => {
    const [kept, removed] = [await makePerson(db, account.id), await makePerson(db, account.id)];
    const household_id = await makeRow(db, "households", account.id, {
      name: "Lima",
      primary_contact_id: removed.id,
    });
    const membership = await makeRow(db, "household_memberships", account.id, {
      household_id,
      person_id: removed.id,
    });
    return {
      requests: [
        remove("household-memberships", membership),
        () => merge(service, kept.id, [removed.id]),
      ],
      locked: { table: "household_memberships", ids: [membership] },
    };
  },
  "deleting a form × a submission of it": async () => {
    const form = await makeForm(service);
    return {
      requests: [remove("forms", form), () => fillIn(service, form, { "full-name": "Ana" })],
      locked: { table: "forms", ids: [form] },
    };
  },
  "merging the owner of a form × a submission of it": async () => {
    const [kept, owner] = [await makePerson(db, account.id), await makePerson(db, account.id)];
    const form = await makeForm(service, {}, { owner: owner.id });
    return {
      requests: [
        () => merge(service, kept.id, [owner.id]),
        () => fillIn(service, form, { "full-name": "Ana" }),
      ],
      locked: { table: "people", ids: [owner.id] },
    };
  },
  "merging × a submission that places the person in a cell and a class": async () => {
    const [kept, removed] = [await makePerson(db, account.id), await makePerson(db, account.id)];
    const submission = await placing();
    return {
      requests: [
        () => merge(service, kept.id, [removed.id]),
        () => moderate(service, submission, { status: "processed" }, { person: removed.id }),
      ],
      locked: { table: "people", ids: [removed.id] },
    };
  },
  "deleting a person × a submission that places the person in a cell and a class": async () => {
    const { id: person } = await makePerson(db, account.id);
    const submission = await placing();
    return {
      requests: [
        remove("people", person),
        () => moderate(service, submission, { status: "processed" }, { person }),
      ],
      locked: { table: "people", ids: [person] },
    };
  },
  "closing a cell × a submission that creates a person there": async () => {
    const cell = await makeCell(db, account.id);
    const submission = await placing({ cell });
    return {
      requests: [
        create("cell-closings", {}, { cell: to("cells", cell) }),
        () => moderate(service, submission, { status: "processed" }),
      ],
      locked: { table: "cells", ids: [cell] },
    };
  },
};

/** A submission of a form that places people in a cell and a class. */
async function placing({ cell }: { cell?: string } = {}): Promise<string> {
  const { classId } = await makeOpenClass(db, account.id);
  const form = await makeForm(service, {
    actions: {
      "create-or-match-person": true,
      "add-to-cell": cell ?? (await makeCell(db, account.id)),
      "enroll-in-class": classId,
    },
  });
  return makeSubmission(service, form, { "full-name": "Ana Lima" });
}

/** Runs both requests until they wait, the first one before the second, and returns how often a transaction was repeated. */
async function race({ locked: { ids, table }, requests }: Pair): Promise<[Answer[], number]> {
  let repeated = 0;
  const end = onObservation((one) => {
    if (one.kind === "transaction-repeated" && one.accountId === account.id) repeated += 1;
  });
  const hold = (tx: Tx) =>
    tx`select from ${tx(table)} where account_id = ${account.id} and id = any(${ids}::uuid[]) for update`;
  const answers = await queued(db, hold, requests);
  end();
  return [answers, repeated];
}

for (const [name, make] of Object.entries(pairs))
  for (const isTurned of [false, true])
    test(`2xx · 4xx · ${name}${isTurned ? ", in the other order" : ""}`, async () => {
      const pair = await make();
      if (isTurned) pair.requests.reverse();
      const [answers, repeated] = await race(pair);
      for (const answer of answers) assert.ok(answer.status < 500, answer.text);
      assert.ok(answers.some(({ status }) => status < 300));
      assert.equal(repeated, 0, "no deadlock");
    });
