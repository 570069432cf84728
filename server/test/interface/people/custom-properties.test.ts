import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeAssignment, makeAccount, makeCourse, makePerson } from "../../support/make.ts";
import {
  codes,
  document,
  etag,
  eventsOf,
  ids,
  one,
  parameters,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const other = await makeAccount(db);
const administrator = await makePerson(db, account.id, { administrativeStatus: "administrator" });

const define = async (people: Record<string, unknown>) => {
  const attributes = { "custom-properties": { people } };
  const answer = await service.patch(
    `/v1/accounts/${account.id}`,
    document("accounts", attributes, { id: account.id }),
  );
  assert.equal(answer.status, 200, answer.text);
};
const options = [{ value: "s" }, { value: "m" }, { value: "xl", archived: true }];
await define({
  "nickname": { "type": "string", "max-length": 5 },
  "story": { type: "text" },
  "shoe-size": { type: "integer", min: 20, max: 60 },
  "height": { type: "decimal", min: 0 },
  "weight": { type: "decimal" },
  "steps": { type: "integer" },
  "drives": { type: "boolean" },
  "since": { type: "date" },
  "seen-at": { type: "timestamp" },
  "shirt": { type: "select", options },
  "gifts": { type: "multi-select", options },
  "second-email": { type: "email" },
  "fax": { type: "phone" },
  "blog": { type: "url" },
  "mentor": { type: "person" },
  "constructor": { type: "string" },
  "own": { "type": "string", "self-editable": true },
  "staff-note": { "type": "string", "read-access": "staff", "write-access": "staff" },
  "secret": {
    "type": "string",
    "read-access": "full-administrator",
    "write-access": "full-administrator",
  },
});

const good = {
  "nickname": "Päule",
  "story": "Once upon\na time",
  "shoe-size": 43,
  "height": 1.875,
  "weight": 0.00000000001,
  "steps": 9_007_199_254_740_991,
  "drives": false,
  "since": "2020-02-29",
  "seen-at": "2020-02-29T10:00:00.000Z",
  "shirt": "m",
  "gifts": ["m", "s"],
  "second-email": "p@example.org",
  "fax": "+4930123456",
  "blog": "https://example.org/~paul?x=1",
  "mentor": account.administrator.id,
  "constructor": "built",
  "secret": "hidden",
};

const write = (id: string, values: unknown, as?: string): ReturnType<typeof service.patch> =>
  service.patch(
    `/v1/people/${id}`,
    document("people", { "custom-properties": values }, { id }),
    as === undefined ? {} : { as },
  );
const create = (values: unknown, as?: string) =>
  service.post(
    "/v1/people",
    document("people", { "full-name": "Paul", "custom-properties": values }),
    as === undefined ? {} : { as },
  );
const valuesOf = async (id: string, as?: string) =>
  one(await service.get(`/v1/people/${id}`, as === undefined ? {} : { as })).attributes[
    "custom-properties"
  ] as Record<string, unknown>;

const paul = one(await create(good)).id;

test("201 · values of every type are stored unchanged", async () => {
  assert.deepEqual(await valuesOf(paul), good);
});

test("422 · a value must fit the type of its field, and the error points to it", async () => {
  const bad: Record<string, unknown[]> = {
    "nickname": ["toolong", 5, {}, []],
    "story": ["x".repeat(20_001), true],
    "shoe-size": [19, 61, 43.5, "43", Number.POSITIVE_INFINITY],
    "height": [-1, "1.8", Number.POSITIVE_INFINITY],
    "drives": ["true", 1, 0],
    "since": ["2021-02-29", "29.02.2020", "2020-02-29T00:00:00Z", 5],
    "seen-at": ["yesterday", "2020-02-29", 5],
    "shirt": ["l", "xl", "M", ["m"], 5],
    "gifts": ["m", ["l"], ["m", "m"], [5], ["xl"]],
    "second-email": ["x", "a b@c", "@", 5],
    "fax": ["030 123", "+0301234567", 5],
    "blog": ["example.org", "javascript:alert(1)", "ftp://example.org", 5],
    "mentor": ["x", newId(), other.administrator.id, 5, { type: "people", id: paul }],
  };
  for (const [name, values] of Object.entries(bad))
    for (const value of values) {
      const answer = await service.patch(
        `/v1/people/${paul}`,
        JSON.stringify(
          document("people", { "custom-properties": { "own": "x", [name]: value } }, { id: paul }),
        ).replace(/(?<=":)null(?=\})/, "1e400"),
      );
      const at = `${name} ${JSON.stringify(value)} ${answer.text}`;
      assert.equal(answer.status, 422, at);
      const [pointer, ...others] = pointers(answer);
      assert.ok(pointer?.startsWith(`/data/attributes/custom-properties/${name}`), at);
      assert.deepEqual(others, [], at);
    }
  assert.deepEqual(await valuesOf(paul), good);
});

test("422 · the limit of a field may be reached and not passed", async () => {
  const { id } = one(await create({}));
  const limits: Record<string, [within: unknown[], beyond: unknown]> = {
    "nickname": [["ãbcde"], "ãbcdef"],
    "own": [["x".repeat(200)], "x".repeat(201)],
    "story": [["x".repeat(20_000)], "x".repeat(20_001)],
    "shoe-size": [[20, 60], 61],
    "height": [[0], -0.001],
    "fax": [["+123456789012345"], "+1234567890123456"],
  };
  for (const [name, [within, beyond]] of Object.entries(limits)) {
    for (const value of within) {
      assert.equal((await write(id, { [name]: value })).status, 200, name);
      assert.deepEqual((await valuesOf(id))[name], value);
    }
    const answer = await write(id, { [name]: beyond });
    assert.deepEqual(
      [answer.status, ...pointers(answer)],
      [422, `/data/attributes/custom-properties/${name}`],
    );
  }
});

test("422 · each unknown person is reported at its field", async () => {
  await define({ sponsor: { type: "person" } });
  const answer = await write(paul, { mentor: newId(), sponsor: other.administrator.id });
  assert.deepEqual(
    [answer.status, ...pointers(answer)],
    [
      422,
      "/data/attributes/custom-properties/mentor",
      "/data/attributes/custom-properties/sponsor",
    ],
  );
  assert.deepEqual(await valuesOf(paul), good);
});

test("422 · unknown fields and values other than an object are rejected", async () => {
  for (const name of ["unknown", "__proto__", "prototype", "toString", "hasOwnProperty", ""]) {
    const text = `{"data":{"type":"people","id":"${paul}","attributes":{"custom-properties":{"${name}":"x"}}}}`;
    const answer = await service.patch(`/v1/people/${paul}`, text);
    assert.deepEqual([answer.status, ...codes(answer)], [422, "unknown-attribute"], name);
    assert.deepEqual(pointers(answer), [`/data/attributes/custom-properties/${name}`]);
  }
  for (const value of [null, [], "x", 5])
    assert.deepEqual(pointers(await write(paul, value)), ["/data/attributes/custom-properties"]);
});

test("200 · a PATCH replaces the fields it sends, null removes one, and the others stay", async () => {
  const { id } = one(await create({ "nickname": "A", "drives": true, "since": "2020-01-01" }));
  await write(id, { "nickname": "B", "since": null });
  assert.deepEqual(await valuesOf(id), { nickname: "B", drives: true });
  const tag = etag(await service.get(`/v1/people/${id}`));
  const events = await eventsOf(async () => {
    assert.equal(etag(await write(id, { "nickname": "B", "since": null })), tag);
    assert.equal(etag(await write(id, {})), tag);
  });
  assert.deepEqual(events, []);
  assert.deepEqual(await eventsOf(() => write(id, { drives: null })), ["person.updated"]);
});

test("200 · concurrent changes to different fields all survive", async () => {
  const { id } = one(await create({}));
  const values = { "nickname": "x", "story": "y", "drives": true, "height": 2, "shirt": "s" };
  await Promise.all(Object.entries(values).map(([name, value]) => write(id, { [name]: value })));
  assert.deepEqual(await valuesOf(id), values);
});

test("200 · a timestamp is returned in UTC, and a filter accepts any zone", async () => {
  const { id } = one(await create({ "seen-at": "2019-12-31T22:30:00-02:00" }));
  assert.deepEqual(await valuesOf(id), { "seen-at": "2020-01-01T00:30:00.000Z" });
  const at = encodeURIComponent("2020-01-01T01:30:00+01:00");
  assert.deepEqual(ids(await service.get(`/v1/people?filter[custom-properties.seen-at]=${at}`)), [
    id,
  ]);
});

test("200 · filter[custom-properties.…] searches within text and compares other types exactly", async () => {
  const found = async (name: string, value: string) => {
    const filter = `filter[custom-properties.${name}]=${encodeURIComponent(value)}`;
    const answer = await service.get(`/v1/people?filter[id]=${paul}&${filter}`);
    assert.equal(answer.status, 200, answer.text);
    return ids(answer).length === 1;
  };
  for (const [name, value] of [
    ["nickname", "paul"],
    ["nickname", "PÄU"],
    ["story", "upon"],
    ["shoe-size", "43"],
    ["shoe-size", "42,43"],
    ["shoe-size", "43.0"],
    ["height", "1.875"],
    ["weight", "0.00000000001"],
    ["steps", "9007199254740991"],
    ["drives", "false"],
    ["since", "2020-02-29"],
    ["seen-at", "2020-02-29T10:00:00.000Z"],
    ["shirt", "m"],
    ["shirt", "s,m"],
    ["gifts", "s"],
    ["second-email", "P@EXAMPLE"],
    ["fax", "30123"],
    ["blog", "EXAMPLE.org/~"],
    ["mentor", account.administrator.id],
    ["mentor", "me"],
    ["constructor", "built"],
    ["secret", "hid"],
  ] as const)
    assert.ok(await found(name, value), `${name}=${value}`);
  for (const [name, value] of [
    ["nickname", "%"],
    ["nickname", "p_ule"],
    ["shoe-size", "4"],
    ["drives", "true"],
    ["shirt", "s"],
    ["gifts", "x"],
    ["since", "2020-02"],
  ] as const)
    assert.ok(!(await found(name, value)), `${name}=${value}`);
});

test("400 · a filter value must fit the type of the field", async () => {
  for (const [name, value] of [
    ["shoe-size", "big"],
    ["shoe-size", ""],
    ["drives", "yes"],
    ["seen-at", "now"],
    ["nickname", "%00"],
    ["shirt", "%00"],
    ["height", "1e5"],
  ]) {
    const answer = await service.get(`/v1/people?filter[custom-properties.${name}]=${value}`);
    assert.deepEqual(
      [answer.status, ...parameters(answer)],
      [400, `filter[custom-properties.${name}]`],
    );
  }
});

test("200 · read-access hides a field from responses and filters", async () => {
  await write(paul, { "staff-note": "kind" });
  const course = await makeCourse(db, account.id);
  await db`insert into course_teachers values (${account.id}, ${course}, ${paul})`;
  const supervisor = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: supervisor.id, role: "cell-supervisor" });
  const full = await valuesOf(paul);
  assert.deepEqual([full["staff-note"], full["secret"]], ["kind", "hidden"]);
  const staff = await valuesOf(paul, administrator.token);
  assert.deepEqual([staff["staff-note"], staff["secret"]], ["kind", undefined]);
  const scope = await valuesOf(paul, supervisor.token);
  assert.deepEqual(
    [scope["staff-note"], scope["secret"], scope["nickname"]],
    [undefined, undefined, "Päule"],
  );
  for (const [as, field] of [
    [administrator.token, "secret"],
    [supervisor.token, "staff-note"],
  ] as const) {
    const answer = await service.get(`/v1/people?filter[custom-properties.${field}]=x`, { as });
    assert.deepEqual(
      [answer.status, ...parameters(answer)],
      [400, `filter[custom-properties.${field}]`],
    );
    for (const path of ["/v1/people", "/v1/courses?include=teachers"])
      assert.ok(!(await service.get(path, { as })).text.includes("hidden"), path);
  }
});

test("200 · a person reads their own self-editable field even if read-access hides it from others", async () => {
  const notes = { "type": "string", "read-access": "staff", "self-editable": true };
  await define({ "own-note": notes });
  const member = await makePerson(db, account.id);
  assert.equal((await write(member.id, { "own-note": "mine" }, member.token)).status, 200);
  const supervisor = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: supervisor.id, role: "cell-supervisor" });
  for (const as of [member.token, administrator.token])
    assert.deepEqual(await valuesOf(member.id, as), { "own-note": "mine" });
  assert.deepEqual(await valuesOf(member.id, supervisor.token), {});
  const list = await service.get("/v1/people", { as: supervisor.token });
  assert.ok(!list.text.includes("own-note"));
});

test("403 · write-access protects a field, and the error points to it", async () => {
  const at = (name: string) => `/data/attributes/custom-properties/${name}`;
  const refused = await write(paul, { "secret": "x", "staff-note": "ok" }, administrator.token);
  assert.deepEqual([refused.status, ...pointers(refused)], [403, at("secret")]);
  assert.equal((await write(paul, { "staff-note": "ok" }, administrator.token)).status, 200);
  assert.equal((await create({ secret: "x" }, administrator.token)).status, 403);
  const member = await makePerson(db, account.id);
  const mine = await write(
    member.id,
    { "own": "me", "nickname": "me", "secret": "me" },
    member.token,
  );
  assert.deepEqual([mine.status, ...pointers(mine)], [403, at("nickname"), at("secret")]);
  const own = await write(member.id, { own: "me" }, member.token);
  assert.equal(own.status, 200);
  assert.deepEqual(await valuesOf(member.id), { own: "me" });
});

test("422 · an archived field is hidden and rejects values, and its values return with it", async () => {
  const { id } = one(await create({ story: "kept" }));
  await define({ story: null });
  assert.deepEqual(await valuesOf(id), {});
  const [refusal] = (await write(id, { story: "new" })).document.errors ?? [];
  assert.equal(refusal?.code, "unknown-attribute");
  assert.match(refusal?.detail ?? "", /"story"\. The field is archived\. To restore it/);
  const [filtered] =
    (await service.get("/v1/people?filter[custom-properties.story]=kept")).document.errors ?? [];
  assert.equal(filtered?.status, "400");
  assert.match(filtered?.detail ?? "", /The field is archived/);
  await define({ story: { type: "text" } });
  assert.deepEqual(await valuesOf(id), { story: "kept" });
});

test("422 · creating a person applies defaults and demands required fields", async () => {
  await define({
    "country": { type: "string", default: "BR" },
    "tribe": { type: "select", options, required: true },
  });
  const missing = await create({});
  assert.deepEqual([missing.status, ...codes(missing)], [422, "missing-attribute"]);
  assert.deepEqual(pointers(missing), ["/data/attributes/custom-properties/tribe"]);
  const none = await service.post("/v1/people", document("people", { "full-name": "Paul" }));
  assert.deepEqual(pointers(none), ["/data/attributes/custom-properties/tribe"]);
  const { id } = one(await create({ tribe: "s" }));
  assert.deepEqual(await valuesOf(id), { country: "BR", tribe: "s" });
  const chosen = one(await create({ country: "PT", tribe: "s" }));
  assert.deepEqual(await valuesOf(chosen.id), { country: "PT", tribe: "s" });
  const removed = await write(id, { tribe: null });
  assert.deepEqual(pointers(removed), ["/data/attributes/custom-properties/tribe"]);
  assert.equal(
    (await write(paul, { nickname: "Older" })).status,
    200,
    "existing records may lack it",
  );
  await define({ tribe: null, country: null });
  const later = one(await create({}));
  assert.deepEqual(
    await valuesOf(later.id),
    {},
    "an archived field has no default and is not required",
  );
});

test("200 · the custom fields of courses are separate from those of people", async () => {
  const attributes = { "custom-properties": { courses: { room: { type: "string" } } } };
  await service.patch(
    `/v1/accounts/${account.id}`,
    document("accounts", attributes, { id: account.id }),
  );
  const made = (values: unknown) =>
    service.post("/v1/courses", document("courses", { "name": "x", "custom-properties": values }));
  assert.equal((await made({ room: "B" })).status, 201);
  assert.deepEqual(codes(await made({ nickname: "B" })), ["unknown-attribute"]);
  const answer = await service.get("/v1/courses?filter[custom-properties.room]=b");
  assert.equal(answer.document.meta?.["total"], 1);
});

test("200 · staff fields of courses need courses:write, not people:write", async () => {
  const fields = { budget: { "type": "integer", "read-access": "staff" } };
  await service.patch(
    `/v1/accounts/${account.id}`,
    document("accounts", { "custom-properties": { courses: fields } }, { id: account.id }),
  );
  const course = document("courses", { "name": "x", "custom-properties": { budget: 5 } });
  const { id } = one(await service.post("/v1/courses", course));
  const seenBy = async (role: string) => {
    const reader = await makePerson(db, account.id);
    await makeAssignment(db, account.id, { personId: reader.id, role });
    const answer = await service.get(`/v1/courses/${id}`, { as: reader.token });
    return one(answer).attributes["custom-properties"];
  };
  assert.deepEqual(await seenBy("course-coordinator"), { budget: 5 });
  assert.deepEqual(await seenBy("secretary"), {});
});

test("403 · staff fields need a permission for the whole account", async () => {
  const staff = { "type": "string", "read-access": "staff", "write-access": "staff" };
  const courses = { "expenses": staff, "room-number": { type: "string" } };
  await service.patch(
    `/v1/accounts/${account.id}`,
    document("accounts", { "custom-properties": { courses } }, { id: account.id }),
  );
  const id = await makeCourse(db, account.id);
  const coordinator = await makePerson(db, account.id);
  await makeAssignment(db, account.id, {
    personId: coordinator.id,
    role: "course-coordinator",
    scopeType: "course",
    scopeIds: [id],
  });
  const set = (values: Record<string, string>, as: string) =>
    service.patch(
      `/v1/courses/${id}`,
      document("courses", { "custom-properties": values }, { id }),
      {
        as,
      },
    );
  assert.equal((await set({ expenses: "100" }, administrator.token)).status, 200);
  const refused = await set({ "expenses": "200", "room-number": "7" }, coordinator.token);
  assert.deepEqual(
    [refused.status, ...pointers(refused)],
    [403, "/data/attributes/custom-properties/expenses"],
  );
  const written = await set({ "room-number": "7" }, coordinator.token);
  assert.equal(written.status, 200, written.text);
  assert.deepEqual(one(written).attributes["custom-properties"], { "room-number": "7" });
  const whole = one(await service.get(`/v1/courses/${id}`)).attributes["custom-properties"];
  assert.deepEqual(whole, { "expenses": "100", "room-number": "7" });
});
