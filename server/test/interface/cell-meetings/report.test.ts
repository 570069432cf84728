import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { dayFromToday, join, makeCell, makeMember } from "../../support/cells.ts";
import { makeAccount, makeEndpoint, makePerson } from "../../support/make.ts";
import { codes, document, many, one, pointers, startService } from "../../support/service.ts";
import { statementsOf } from "../../support/statements.ts";
import { meanwhile, untilWaiting } from "../../support/together.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const today = await dayFromToday(db, account.id, 0);
await makeEndpoint(db, account.id, { events: ["cell-meeting.reported"] });

const create = (cell: string, attributes: Record<string, unknown>, query = "") =>
  service.post(
    `/v1/cell-meetings${query}`,
    document("cell-meetings", attributes, {
      relationships: { cell: { data: { type: "cells", id: cell } } },
    }),
  );

const change = (id: string, attributes: Record<string, unknown>, query = "") =>
  service.patch(`/v1/cell-meetings/${id}${query}`, document("cell-meetings", attributes, { id }));

const rowsOf = async (meeting: string) =>
  many(await service.get(`/v1/cell-attendances?filter[meeting]=${meeting}&include=person`));

const personOf = (row: { relationships: Record<string, { data?: unknown }> }) =>
  (row.relationships["person"]?.data as { id: string } | null)?.id;

/** The captured events since the last call, with their batches. */
let seen = "";
async function newEvents() {
  const events = await db<{ id: string; type: string; batch: string | null; subject: string }[]>`
    select id, event_type as type, batch_id as batch, subject_id as subject from webhook_events
    where account_id = ${account.id} order by id`;
  const since = events.filter(({ id }) => id > seen);
  seen = since.at(-1)?.id ?? seen;
  return since;
}

test("a report takes a limited number of statements", async () => {
  const cell = await makeCell(db, account.id);
  const ana = await makeMember(db, account.id, cell);
  const attendance = [{ "person-id": ana.id, "status": "present" }];
  const visitors = [{ "full-name": "Noa Lima" }];
  const planned = one(await create(cell, { date: today }));
  const statementsFor = async (attributes: Record<string, unknown>) => {
    const { length } = await statementsOf(async () => {
      assert.equal((await change(planned.id, attributes)).status, 200);
    });
    return length;
  };
  // The first request of an hour also records that the token was used.
  await statementsFor({ theme: "Faith" });
  const first = await statementsFor({ theme: "Hope", attendance });
  assert.ok(first <= 10, `The first report took ${first} statements.`);
  const correction = await statementsFor({ attendance, visitors });
  assert.ok(correction <= 22, `A correction with a visitor took ${correction} statements.`);
});

test("201 · a meeting is created and reported in one call", async () => {
  const cell = await makeCell(db, account.id);
  const [ana, ben, outsider] = [
    await makeMember(db, account.id, cell),
    await makeMember(db, account.id, cell),
    await makePerson(db, account.id),
  ];
  await newEvents();
  const answer = await create(
    cell,
    {
      "date": today,
      "theme": "Hope",
      "children-count": 4,
      "attendance": [
        { "person-id": ana.id, "status": "present", "note": "Sang" },
        { "person-id": ben.id, "status": "excused" },
        { "person-id": outsider.id, "status": "online", "first-time": true },
      ],
      "visitors": [
        { "full-name": "Rui Melo", "phone": "+5511912345678", "email": null, "note": "Neighbour" },
        { "full-name": "Lia Reis" },
      ],
    },
    "?include=attendances.person",
  );
  assert.equal(answer.status, 201, answer.text);
  const meeting = one(answer);
  assert.partialDeepStrictEqual(meeting.attributes, {
    "status": "held",
    "theme": "Hope",
    "present-count": 4,
    "visitors-count": 2,
    "children-count": 4,
    "members-count": 2,
    "report-status": "submitted",
  });
  const me = { type: "people", id: account.administrator.id };
  assert.deepEqual(meeting.relationships["submitted-by"]?.data, me);
  const included = Map.groupBy(answer.document.included ?? [], ({ type }) => type);
  assert.equal(included.get("cell-attendances")?.length, 5);
  assert.equal(included.get("people")?.length, 5);

  const rows = new Map((await rowsOf(meeting.id)).map((row) => [personOf(row), row.attributes]));
  assert.partialDeepStrictEqual(rows.get(ana.id), {
    "status": "present",
    "is-visitor": false,
    "first-time": false,
    "note": "Sang",
    "date": today,
  });
  assert.equal(rows.get(ben.id)?.["status"], "excused");
  assert.partialDeepStrictEqual(rows.get(outsider.id), { "is-visitor": true, "first-time": true });

  const rui = included
    .get("people")
    ?.find(({ attributes }) => attributes["full-name"] === "Rui Melo");
  assert.partialDeepStrictEqual(rui?.attributes, {
    "membership-status": "prospect",
    "phones": [{ number: "+5511912345678" }],
  });
  assert.partialDeepStrictEqual(rows.get(rui?.id), {
    "status": "present",
    "is-visitor": true,
    "first-time": true,
    "note": "Neighbour",
  });
  const [membership] = many(
    await service.get(`/v1/cell-memberships?filter[person]=${rui?.id}&filter[cell]=${cell}`),
  );
  assert.partialDeepStrictEqual(membership?.attributes, {
    "cell-role": "visitor",
    "status": "active",
  });

  const events = await newEvents();
  assert.deepEqual(events.map(({ type }) => type).sort(), [
    "cell-meeting.reported",
    "cell-membership.created",
    "cell-membership.created",
    "person.created",
    "person.created",
  ]);
  assert.equal(new Set(events.map(({ batch }) => batch)).size, 1);
  assert.ok(events[0]?.batch);
  assert.equal(events.at(-1)?.subject, meeting.id);
});

test("200 · a correction sets the rows it names and keeps the others", async () => {
  const cell = await makeCell(db, account.id);
  const [ana, ben] = [
    await makeMember(db, account.id, cell),
    await makeMember(db, account.id, cell),
  ];
  const meeting = one(await create(cell, { date: today }));
  const entry = (person: { id: string }, status: string, more = {}) => ({
    "person-id": person.id,
    status,
    ...more,
  });
  const first = await change(meeting.id, {
    attendance: [
      entry(ana, "present", { "first-time": true, "note": "New" }),
      entry(ben, "absent"),
    ],
  });
  assert.equal(first.status, 200, first.text);
  assert.partialDeepStrictEqual(one(first).attributes, { "status": "held", "visitors-count": 0 });
  const submitted = one(first).attributes["submitted-at"];
  await newEvents();

  const second = one(await change(meeting.id, { attendance: [entry(ben, "present")] }));
  assert.equal(second.attributes["present-count"], 2);
  assert.equal(second.attributes["submitted-at"], submitted);
  const rows = await rowsOf(meeting.id);
  assert.equal(rows.length, 2);
  assert.partialDeepStrictEqual(rows.find((row) => personOf(row) === ana.id)?.attributes, {
    "status": "present",
    "first-time": true,
    "note": "New",
  });
  assert.deepEqual(
    (await newEvents()).map(({ type }) => type),
    ["cell-meeting.reported"],
  );

  await change(meeting.id, { attendance: [entry(ana, "online", { note: null })] });
  const row = (await rowsOf(meeting.id)).find((one) => personOf(one) === ana.id);
  assert.partialDeepStrictEqual(row?.attributes, { "status": "online", "note": null });
});

test("200 · a list with missed meetings has those of a member without a row, in reach and in pages", async () => {
  const cell = await makeCell(db, account.id);
  const day = async (days: number) => dayFromToday(db, account.id, days);
  const dates = await Promise.all([-40, -30, -20, -10, -5].map(day));
  const [early = "", first = "", second = "", third = "", unreported = ""] = dates;
  const ana = await makeMember(db, account.id, cell, { joined_on: first });
  // A second membership of the same days counts no meeting twice.
  await join(db, account.id, cell, ana.id, { joined_on: first, left_on: third, status: "left" });
  const meetings: string[] = [];
  for (const date of dates) meetings.push(one(await create(cell, { date })).id);
  const present = [{ "person-id": ana.id, "status": "present" }];
  for (const [place, date] of dates.entries())
    if (date !== unreported)
      assert.equal(
        (await change(meetings[place] ?? "", { attendance: date === second ? present : [] }))
          .status,
        200,
      );

  const read = (query: string, as?: string) =>
    service.get(`/v1/cell-attendances?${query}`, as === undefined ? {} : { as });
  const shown = async (query: string, as?: string) =>
    many(await read(`filter[person]=${ana.id}&filter[with-missed]=true${query}`, as)).map(
      ({ attributes }) => [attributes["date"], attributes["status"]],
    );
  const missed = [third, "missed"];
  assert.deepEqual(await shown(""), [missed, [second, "present"], [first, "missed"]]);
  assert.ok(early < first);
  assert.deepEqual(await shown("&filter[status]=missed&sort=date"), [[first, "missed"], missed]);
  assert.deepEqual(await shown(`&filter[from]=${third}`), [missed]);
  assert.deepEqual(await shown("&page[size]=1&page[number]=2"), [[second, "present"]]);

  const answer = await read(
    `filter[person]=${ana.id}&filter[with-missed]=true&include=meeting,cell,person&page[size]=1`,
  );
  assert.equal(answer.document.meta?.["total"], 3);
  const [row] = many(answer);
  assert.equal(row?.id, `${meetings[3]}.${ana.id}`);
  assert.equal(row && personOf(row), ana.id);
  assert.equal(answer.document.included?.length, 3);
  assert.equal((await service.get(`/v1/cell-attendances/${row?.id}`)).status, 404);
  const { attributes } = one(
    await service.get(`/v1/people/${ana.id}?fields[people]=attendance-summary`),
  );
  assert.partialDeepStrictEqual(attributes["attendance-summary"], { "absent-streak": 1 });

  // The person reads the own rows, a stranger reads none, and without the filter the list is as before.
  assert.equal((await shown("", ana.token)).length, 3);
  assert.deepEqual(await shown("", (await makePerson(db, account.id)).token), []);
  assert.equal(many(await read(`filter[person]=${ana.id}`)).length, 1);
  assert.equal(many(await read(`filter[person]=${ana.id}&filter[with-missed]=false`)).length, 1);
  for (const query of ["", `&filter[cell]=${cell}`, `&filter[person]=${ana.id}&page[after]=`]) {
    const refused = await read(`filter[with-missed]=true${query}`);
    assert.deepEqual([refused.status, codes(refused)], [400, ["invalid-parameter"]], query);
  }
});

test("200 · a correction to not-held removes attendances and counts, in one event", async () => {
  const cell = await makeCell(db, account.id);
  const ana = await makeMember(db, account.id, cell);
  const meeting = one(
    await create(cell, {
      "date": today,
      "children-count": 4,
      "decisions-count": 1,
      "attendance": [{ "person-id": ana.id, "status": "present" }],
      "visitors": [{ "full-name": "Rui Melo" }],
    }),
  );
  const summaryOf = async () => {
    const person = await service.get(`/v1/people/${ana.id}?fields[people]=attendance-summary`);
    return one(person).attributes["attendance-summary"];
  };
  assert.partialDeepStrictEqual(await summaryOf(), { "last-attended-at": today, "rate-90d": 100 });
  await newEvents();
  const answer = await change(meeting.id, { "status": "not-held", "not-held-reason": "Rain" });
  assert.equal(answer.status, 200, answer.text);
  assert.partialDeepStrictEqual(one(answer).attributes, {
    "status": "not-held",
    "present-count": 0,
    "visitors-count": null,
    "children-count": null,
    "decisions-count": null,
    "members-count": 1,
  });
  assert.deepEqual(await rowsOf(meeting.id), []);
  assert.deepEqual(
    (await newEvents()).map(({ type }) => type),
    ["cell-meeting.reported"],
  );
  assert.partialDeepStrictEqual(await summaryOf(), {
    "last-attended-at": null,
    "rate-90d": null,
    "absent-streak": 0,
  });
  const deleted = await db`
    select from journal where account_id = ${account.id} and action = 'deleted' and resource_type = 'cell-attendances'`;
  assert.equal(deleted.length, 2);
});

test("200 · a visitor of a report that was taken back is not added twice", async () => {
  const cell = await makeCell(db, account.id);
  const rui = { "full-name": "Rui Melo", "note": "Neighbor" };
  const meeting = one(await create(cell, { date: today, visitors: [rui, { "full-name": "Eva" }] }));
  const before = new Set((await rowsOf(meeting.id)).map(personOf));
  await change(meeting.id, { "status": "not-held", "not-held-reason": "Rain" });
  await newEvents();
  const visitors = [
    rui,
    { "full-name": "EVA" },
    { "full-name": "Ivo" },
    { "full-name": "rui melo" },
  ];
  const answer = await change(meeting.id, { status: "held", visitors });
  assert.equal(answer.status, 200, answer.text);
  assert.partialDeepStrictEqual(one(answer).attributes, {
    "present-count": 3,
    "visitors-count": 3,
  });
  const rows = await rowsOf(meeting.id);
  const people = new Set(rows.map(personOf));
  assert.deepEqual(before.intersection(people), before);
  const noted = rows.filter(({ attributes }) => attributes["note"] === "Neighbor");
  assert.equal(noted.length, 1);
  assert.partialDeepStrictEqual(noted[0]?.attributes, { "is-visitor": true, "first-time": true });
  assert.deepEqual((await newEvents()).map(({ type }) => type).sort(), [
    "cell-meeting.reported",
    "cell-membership.created",
    "person.created",
  ]);
});

test("200 · every report is a new version and an event, even if it changes nothing", async () => {
  const cell = await makeCell(db, account.id);
  const ana = await makeMember(db, account.id, cell);
  const attendance = [{ "person-id": ana.id, "status": "present" }];
  const created = await create(cell, { date: today, attendance });
  await newEvents();
  const again = await change(one(created).id, { attendance });
  assert.notEqual(again.headers.get("etag"), created.headers.get("etag"));
  assert.deepEqual(
    (await newEvents()).map(({ type }) => type),
    ["cell-meeting.reported"],
  );
  const stale = await service.patch(
    `/v1/cell-meetings/${one(created).id}`,
    document("cell-meetings", { attendance }, { id: one(created).id }),
    { headers: { "If-Match": created.headers.get("etag") } },
  );
  assert.deepEqual([stale.status, codes(stale)], [409, ["stale-version"]]);
  assert.deepEqual(await newEvents(), []);
});

test("200 · the present status changes nothing, and a theme is no report", async () => {
  const cell = await makeCell(db, account.id);
  const created = await create(cell, { date: today, status: "held" });
  await newEvents();
  const same = await change(one(created).id, { status: "held" });
  assert.deepEqual([same.status, same.headers.get("etag")], [200, created.headers.get("etag")]);
  assert.deepEqual(await newEvents(), []);
  await change(one(created).id, { theme: "Grace" });
  assert.deepEqual(
    (await newEvents()).map(({ type }) => type),
    ["cell-meeting.updated"],
  );
});

test("visitors-count · the leader's own count wins, and corrections never lower it", async () => {
  const cell = await makeCell(db, account.id);
  const rui = { "full-name": "Rui Melo" };
  const counted = one(
    await create(cell, { "date": today, "visitors": [rui], "visitors-count": 7 }),
  );
  assert.equal(counted.attributes["visitors-count"], 7);
  assert.equal(
    one(await change(counted.id, { visitors: [{ "full-name": "Lia Reis" }] })).attributes[
      "visitors-count"
    ],
    7,
  );
  const own = one(
    await create(cell, { date: "2026-02-01", visitors: [rui, { "full-name": "Eva" }] }),
  );
  assert.equal(own.attributes["visitors-count"], 2);
  const third = one(await change(own.id, { visitors: [{ "full-name": "Ivo" }] }));
  assert.equal(third.attributes["visitors-count"], 3);
});

test("visitors · a visitor with that name already has a row and is not added again", async () => {
  const cell = await makeCell(db, account.id);
  const name = { "full-name": "João Sá" };
  const meeting = one(
    await create(cell, { date: today, visitors: [name, { "full-name": "JOAO SA" }] }),
  );
  assert.equal((await rowsOf(meeting.id)).length, 1);
  await change(meeting.id, { visitors: [name, { "full-name": "João Sá Filho" }] });
  assert.equal((await rowsOf(meeting.id)).length, 2);
});

test("visitors · an e-mail address of another person does not show who is in the account", async () => {
  const cell = await makeCell(db, account.id);
  await makePerson(db, account.id, { email: "known@example.org" });
  const answer = await create(
    cell,
    { date: today, visitors: [{ "full-name": "Ana", "email": "known@example.org" }] },
    "?include=attendances.person",
  );
  assert.equal(answer.status, 201, answer.text);
  const person = answer.document.included?.find(({ type }) => type === "people");
  assert.partialDeepStrictEqual(person?.attributes, {
    "email": null,
    "other-emails": ["known@example.org"],
  });
});

test("is-visitor · a member on that day is none, and neither later members nor members as visitor count", async () => {
  const cell = await makeCell(db, account.id);
  const left = await makeMember(db, account.id, cell, {
    status: "left",
    left_on: "2026-03-20",
  });
  const joined = await makeMember(db, account.id, cell, { joined_on: "2026-03-15" });
  const visitor = await makeMember(db, account.id, cell, { cell_role: "visitor" });
  const attendance = [left, joined, visitor].map(({ id }) => ({
    "person-id": id,
    "status": "present",
  }));
  const before = one(await create(cell, { date: "2026-03-04", attendance }));
  assert.equal(before.attributes["members-count"], 1);
  const isVisitor = async (meeting: string) =>
    new Map((await rowsOf(meeting)).map((row) => [personOf(row), row.attributes["is-visitor"]]));
  const then = await isVisitor(before.id);
  assert.deepEqual(
    [left, joined, visitor].map(({ id }) => then.get(id)),
    [false, true, true],
  );
  const later = one(await create(cell, { date: "2026-03-20", attendance }));
  assert.equal(later.attributes["members-count"], 1);
  assert.equal((await isVisitor(later.id)).get(left.id), true);
});

test("members-count · counted by the first report, and kept", async () => {
  const cell = await makeCell(db, account.id);
  await makeMember(db, account.id, cell);
  const meeting = one(
    await create(cell, { "date": today, "status": "not-held", "not-held-reason": "Rain" }),
  );
  assert.equal(meeting.attributes["members-count"], 1);
  await makeMember(db, account.id, cell);
  const held = one(await change(meeting.id, { status: "held" }));
  assert.partialDeepStrictEqual(held.attributes, { "members-count": 1, "not-held-reason": null });
});

test("422 · entries are reported at their place, and nothing is written", async () => {
  const cell = await makeCell(db, account.id);
  const ana = await makeMember(db, account.id, cell);
  const foreign = await makeAccount(db);
  const present = (id: string) => ({ "person-id": id, "status": "present" });
  const bad: [attendance: unknown[], pointers: string[]][] = [
    [[present(ana.id), present(newId())], ["1/person-id"]],
    [[present(foreign.administrator.id)], ["0/person-id"]],
    [[present(ana.id), present(ana.id)], ["1/person-id"]],
    [[present("nobody"), present(ana.id)], ["0/person-id"]],
    [[present(ana.id.toUpperCase())], ["0/person-id"]],
    [[{ ...present(ana.id), status: "late" }], ["0/status"]],
    [[{ ...present(ana.id), note: "x".repeat(201) }], ["0/note"]],
    [[{ "person-id": ana.id }], ["0/status"]],
  ];
  for (const [attendance, places] of bad) {
    const answer = await create(cell, {
      date: today,
      visitors: [{ "full-name": "Rui" }],
      attendance,
    });
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(
      pointers(answer),
      places.map((place) => `/data/attributes/attendance/${place}`),
      answer.text,
    );
  }
  const visitors = [{ "full-name": "Rui", "phone": "911" }, { "full-name": " " }];
  const answer = await create(cell, { date: today, visitors });
  assert.deepEqual(
    new Set(pointers(answer)),
    new Set(["/data/attributes/visitors/0/phone", "/data/attributes/visitors/1/full-name"]),
  );
  const many300 = Array.from({ length: 301 }, () => present(ana.id));
  assert.equal((await create(cell, { date: today, attendance: many300 })).status, 422);
  const list = await service.get(`/v1/cell-meetings?filter[cell]=${cell}`);
  assert.equal(list.document.meta?.["total"], 0);
  const people = await service.get("/v1/people?filter[name]=Rui&fields[people]=full-name");
  assert.ok(many(people).every(({ attributes }) => attributes["full-name"] !== "Rui"));
});

test("409 · a report of a cancelled meeting is an invalid transition", async () => {
  const cell = await makeCell(db, account.id);
  const ana = await makeMember(db, account.id, cell);
  const meeting = one(await create(cell, { date: today, status: "cancelled" }));
  const attendance = [{ "person-id": ana.id, "status": "present" }];
  const answer = await change(meeting.id, { attendance });
  assert.deepEqual([answer.status, codes(answer)], [409, ["invalid-transition"]]);
  assert.partialDeepStrictEqual(answer.document.errors?.[0]?.meta, {
    from: "cancelled",
    to: "held",
    allowed: ["scheduled"],
  });
});

test("parallel · reports of one meeting keep one row per person and lose no entry", async () => {
  const cell = await makeCell(db, account.id);
  const members = await Promise.all(
    Array.from({ length: 6 }, () => makeMember(db, account.id, cell)),
  );
  const meeting = one(await create(cell, { date: today }));
  const reports = Array.from({ length: 6 }, (_, n) => ({
    attendance: [members[n], members[(n + 1) % 6]].map((person) => ({
      "person-id": person?.id ?? "",
      "status": "present",
    })),
    visitors: [{ "full-name": "Rui Melo" }, { "full-name": `Visitor ${n}` }],
  }));
  let answers: Promise<number[]> | undefined;
  await db.begin(account.id, async (tx) => {
    await tx`select from cell_meetings where account_id = ${account.id} and id = ${meeting.id} for update`;
    answers = Promise.all(reports.map(async (report) => (await change(meeting.id, report)).status));
    await untilWaiting(db, reports.length);
  });
  assert.deepEqual(
    await answers,
    reports.map(() => 200),
  );
  const rows = await rowsOf(meeting.id);
  assert.equal(rows.length, 6 + 1 + 6);
  assert.equal(new Set(rows.map(personOf)).size, rows.length);
  const read = one(await service.get(`/v1/cell-meetings/${meeting.id}`));
  assert.partialDeepStrictEqual(read.attributes, { "present-count": 13, "visitors-count": 7 });
});

test("parallel · two reports that create the meeting of a date create it once", async () => {
  const cell = await makeCell(db, account.id);
  const visitors = [{ "full-name": "Once Only" }];
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => create(cell, { date: today, visitors })),
  );
  const countOf = (status: number) => answers.filter((answer) => answer.status === status).length;
  assert.deepEqual([countOf(201), countOf(409)], [1, 5]);
  const people = await service.get("/v1/people?filter[name]=Once Only");
  assert.equal(people.document.meta?.["total"], 1);
});

test("404 · a report that waits while the meeting is deleted finds nothing", async () => {
  const cell = await makeCell(db, account.id);
  const meeting = one(await create(cell, { date: today }));
  const answer = await meanwhile(
    db,
    (tx) => tx`
      delete from cell_meetings where account_id = ${account.id} and id = ${meeting.id}`,
    () => change(meeting.id, { visitors: [{ "full-name": "Nowhere Man" }] }),
  );
  assert.equal(answer.status, 404, answer.text);
  const people = await service.get("/v1/people?filter[name]=Nowhere Man");
  assert.equal(people.document.meta?.["total"], 0);
});

test("200 · a deleted person leaves a row that still counts", async () => {
  const cell = await makeCell(db, account.id);
  const ana = await makePerson(db, account.id);
  await join(db, account.id, cell, ana.id);
  const attendance = [{ "person-id": ana.id, "status": "present" }];
  const meeting = one(await create(cell, { date: today, attendance }));
  assert.equal((await service.delete(`/v1/people/${ana.id}`)).status, 204);
  const [row] = await rowsOf(meeting.id);
  assert.equal(row && personOf(row), undefined);
  const read = one(await service.get(`/v1/cell-meetings/${meeting.id}`));
  assert.equal(read.attributes["present-count"], 1);
});
