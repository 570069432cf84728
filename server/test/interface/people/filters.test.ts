import assert from "node:assert/strict";
import { after, test } from "node:test";
import { dayFromToday, join, makeCell } from "../../support/cells.ts";
import { makeAccount, makePerson, makeRow } from "../../support/make.ts";
import { ids, parameters, startService } from "../../support/service.ts";

/** Filters and sorts by which a church finds people to greet, to complete and to visit. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const add = async (fullName: string, columns: Readonly<Record<string, string | null>> = {}) => {
  const { id } = await makePerson(db, account.id, { fullName });
  for (const [name, value] of Object.entries(columns))
    await db.query(`update people set ${name} = $3 where account_id = $1 and id = $2`, [
      account.id,
      id,
      value,
    ]);
  return id;
};

const found = async (query: string, token = account.administrator.token) => {
  const answer = await service.get(`/v1/people?${query}`, { as: token });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.document.meta?.["total"], ids(answer).length);
  return ids(answer);
};

const ana = await add("Ana", { birthdate: "1990-12-30", email: "ana@example.org" });
const ben = await add("Ben", { birth_month_day: "01-02", membership_status: "member" });
const leap = await add("Leap", { birthdate: "2000-02-29", membership_status: "prospect" });
const mia = await add("Mia", { birthdate: "1985-06-15", membership_status: "former-member" });
await db`update people set membership_status = 'deceased' where id = ${ana}`;
const administrator = account.administrator.id;

test("200 · birthdays are found between two days of the year, also over the new year", async () => {
  const between = (from: string, to: string) =>
    found(`filter[birthday-from]=${from}&filter[birthday-to]=${to}`);
  assert.deepEqual(await between("12-28", "01-03"), [ana, ben]);
  assert.deepEqual(await between("12-30", "12-30"), [ana]);
  assert.deepEqual(await between("12-31", "01-01"), []);
  assert.deepEqual(await between("01-02", "06-15"), [ben, leap, mia]);
  assert.deepEqual(await between("06-16", "06-14"), [ana, ben, leap]);
  assert.deepEqual(await found("filter[birthday-from]=06-15"), [ana, mia]);
  assert.deepEqual(await found("filter[birthday-to]=02-27"), [ben]);
});

test("200 · 29 February is a day of its own in a leap year, and 28 February in the others", async () => {
  const on = (day: string) => found(`filter[birthday-from]=${day}&filter[birthday-to]=${day}`);
  assert.deepEqual(await on("02-29"), [leap]);
  const today = await dayFromToday(db, account.id, 0);
  const year = Number(today.slice(0, 4)) + (today.slice(5) > "02-28" ? 1 : 0);
  const isLeap = new Date(`${year}-02-29T00:00:00Z`).getUTCDate() === 29;
  assert.deepEqual(await on("02-28"), isLeap ? [] : [leap]);
  assert.deepEqual(await found("filter[birthday-from]=02-28&filter[birthday-to]=03-01"), [leap]);
});

test("400 · a birthday filter takes a day that exists", async () => {
  for (const day of ["2-9", "02-30", "13-01", "1990-02-01", "", "02-29,03-01"])
    for (const name of ["birthday-from", "birthday-to"])
      assert.deepEqual(parameters(await service.get(`/v1/people?filter[${name}]=${day}`)), [
        `filter[${name}]`,
      ]);
});

test("200 · people without a household, with a log-in, and with missing data are found", async () => {
  const household = await makeRow(db, "households", account.id, { name: "Lima" });
  const join_household = (person_id: string) =>
    makeRow(db, "household_memberships", account.id, { household_id: household, person_id });
  await join_household(ana);
  await join_household(mia);
  assert.deepEqual(await found("filter[without-household]=true"), [administrator, ben, leap]);
  assert.deepEqual(await found("filter[without-household]=false"), [ana, mia]);

  const withLogin = await found("filter[has-login]=true");
  const without = await found("filter[has-login]=false");
  const [known] = await db<{ count: number }[]>`
    select count(*)::int as count from people where account_id = ${account.id} and has_login`;
  assert.equal(withLogin.length, known?.count);
  assert.equal(withLogin.length + without.length, 5);

  await db`update people set phones = '[{"number": "+351912345678"}]' where id = ${ana}`;
  await db`update people set birthdate = '1970-01-01', email = 'mia@example.org' where id = ${mia}`;
  const all = [administrator, ana, ben, leap, mia];
  const rest = (...names: string[]) => all.filter((id) => !names.includes(id));
  assert.deepEqual(await found("filter[missing]=phone"), rest(ana));
  assert.deepEqual(await found("filter[missing]=photo"), all);
  assert.ok(!(await found("filter[missing]=email")).includes(mia));
  assert.ok(!(await found("filter[missing]=birthdate")).includes(leap));
  // Several values mean any of them.
  assert.ok((await found("filter[missing]=email,phone")).includes(mia));
  assert.deepEqual(parameters(await service.get("/v1/people?filter[missing]=name")), [
    "filter[missing]",
  ]);
});

test("200 · people are sorted by their status in the order of the statuses, and by their last attendance", async () => {
  const cell = await makeCell(db, account.id);
  const attend = async (person_id: string, daysAgo: number, status = "present") => {
    const date = await dayFromToday(db, account.id, -daysAgo);
    const [known] = await db<{ id: string }[]>`
      select id from cell_meetings where account_id = ${account.id} and cell_id = ${cell} and date = ${date}`;
    const meeting_id =
      known?.id ??
      (await makeRow(db, "cell_meetings", account.id, {
        cell_id: cell,
        date,
        status: "held",
        submitted_at: "2026-01-01T00:00:00Z",
      }));
    await makeRow(db, "cell_attendances", account.id, {
      meeting_id,
      cell_id: cell,
      date,
      person_id,
      status,
    });
  };
  await attend(ben, 7);
  await attend(mia, 14);
  await attend(mia, 7, "absent");
  await attend(leap, 7, "excused");
  const of = `filter[id]=${[ana, ben, leap, mia].join(",")}`;
  assert.deepEqual(await found(`${of}&sort=membership-status`), [leap, ben, mia, ana]);
  assert.deepEqual(await found(`${of}&sort=-membership-status`), [ana, mia, ben, leap]);
  assert.deepEqual((await found(`${of}&sort=last-attended-at`)).slice(0, 2), [mia, ben]);
  assert.deepEqual(await found(`${of}&sort=-last-attended-at,full-name`), [ben, mia, ana, leap]);

  // A leader sees when the members came last, and so may sort by it.
  const leader = await makePerson(db, account.id, { fullName: "Zoe" });
  await join(db, account.id, cell, leader.id, { cell_role: "leader" });
  for (const person of [ben, mia]) await join(db, account.id, cell, person);
  assert.deepEqual(await found("sort=last-attended-at", leader.token), [mia, ben, leader.id]);
});

test("200 · a caller with the reduced view learns nothing by filters of members that it hides", async () => {
  const cell = await makeCell(db, account.id);
  const [leader, member] = [
    await makePerson(db, account.id, { fullName: "Lea" }),
    await makePerson(db, account.id, { fullName: "Max" }),
  ];
  await join(db, account.id, cell, leader.id, { cell_role: "leader" });
  await join(db, account.id, cell, member.id);
  await db`update people set birthdate = '1999-05-05', has_login = has_login where id = ${member.id}`;
  const as = leader.token;
  assert.ok((await found("", as)).includes(member.id));
  const hidden = ["has-login=true,false", "missing=email,phone,birthdate,photo"];
  for (const filter of hidden)
    assert.ok(
      !(await found(`filter[${filter.replace("=", "]=")}`, as)).includes(member.id),
      filter,
    );
  // The day of the birthday is a part of the reduced view.
  const day = "filter[birthday-from]=05-05&filter[birthday-to]=05-05";
  assert.deepEqual(await found(day, as), [member.id]);
  const refused = await service.get("/v1/people?filter[without-household]=true", { as });
  assert.deepEqual(parameters(refused), ["filter[without-household]"]);
});

test("200 · no filter finds people of another account", async () => {
  const other = await makeAccount(db);
  for (const filter of [
    "filter[birthday-from]=01-01",
    "filter[missing]=photo",
    "filter[has-login]=true,false",
    "filter[without-household]=true",
    "sort=last-attended-at",
  ]) {
    const seen = await found(filter, other.administrator.token);
    assert.ok(
      seen.every((id) => id === other.administrator.id),
      filter,
    );
  }
});
