import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCourse, makePerson } from "../../support/make.ts";
import {
  document,
  eventsOf,
  identifiers,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const course = await makeCourse(db, account.id);

const create = (attributes: Record<string, unknown>, teachers?: string[], courseId = course) =>
  service.post(
    "/v1/course-classes",
    document("course-classes", attributes, {
      relationships: {
        course: { data: { type: "courses", id: courseId } },
        ...(teachers && { teachers: identifiers("people", teachers) }),
      },
    }),
  );

test("201 · a class has the defaults of the interface and the time zone of the account", async () => {
  await db`
    update accounts set settings = settings || '{"time-zone": "America/Sao_Paulo"}' where id = ${account.id}`;
  const told = await eventsOf(async () => {
    const answer = await create({ name: "Autumn" });
    assert.equal(answer.status, 201, answer.text);
    assert.partialDeepStrictEqual(one(answer).attributes, {
      "name": "Autumn",
      "status": "draft",
      "seats": null,
      "waitlist-enabled": true,
      "starts": null,
      "ends": null,
      "schedule": [],
      "enrollment-opens-at": null,
      "enrollment-closes-at": null,
      "mode": "in-person",
      "location": null,
      "online-url": null,
      "time-zone": "America/Sao_Paulo",
      "is-public": false,
      "show-teachers": false,
      "has-started": false,
      "has-finished": false,
      "seats-taken": 0,
      "waitlist-count": 0,
      "custom-properties": {},
    });
    assert.deepEqual(one(answer).relationships["course"]?.data, { type: "courses", id: course });
  });
  assert.deepEqual(told, ["course-class.created"]);
});

test("201 · every attribute and the teachers are stored as sent", async () => {
  const { id: teacher } = await makePerson(db, account.id);
  const attributes = {
    "name": "Autumn, Tuesdays",
    "status": "open",
    "seats": 20,
    "waitlist-enabled": false,
    "starts": "2020-03-02T22:00:00.000Z",
    "ends": "2099-06-29T23:30:00.000Z",
    "schedule": [
      { "weekday": 2, "starts-at": 1_140, "ends-at": 1_230 },
      { "weekday": 2, "starts-at": 1_230, "ends-at": 1_290 },
    ],
    "enrollment-opens-at": "2020-01-01T00:00:00.000Z",
    "enrollment-closes-at": "2020-02-01T00:00:00.000Z",
    "mode": "hybrid",
    "location": "Room 3",
    "online-url": "https://meet.example.org/autumn",
    "time-zone": "Europe/Lisbon",
    "is-public": true,
    "show-teachers": true,
  };
  const answer = await create(attributes, [teacher]);
  assert.equal(answer.status, 201, answer.text);
  assert.partialDeepStrictEqual(one(answer).attributes, {
    ...attributes,
    "has-started": true,
    "has-finished": false,
  });
  assert.deepEqual(one(answer).relationships["teachers"]?.data, [{ type: "people", id: teacher }]);
});

const invalid: [what: string, attributes: Record<string, unknown>, pointers: string[]][] = [
  [
    "an end before the start",
    { starts: "2027-03-02T22:00:00Z", ends: "2027-03-02T21:59:00Z" },
    ["ends"],
  ],
  [
    "an enrollment that closes before it opens",
    {
      "enrollment-opens-at": "2027-03-02T22:00:00Z",
      "enrollment-closes-at": "2027-03-02T22:00:00Z",
    },
    ["enrollment-closes-at"],
  ],
  [
    "overlapping times and times past midnight",
    {
      schedule: [
        { "weekday": 2, "starts-at": 600, "ends-at": 700 },
        { "weekday": 2, "starts-at": 650, "ends-at": 750 },
        { "weekday": 3, "starts-at": 1_380, "ends-at": 60 },
      ],
    },
    ["schedule/1", "schedule/2"],
  ],
];

for (const [what, attributes, rejected] of invalid)
  test(`422 · ${what}`, async () => {
    const answer = await create({ name: "Autumn", ...attributes });
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(
      pointers(answer),
      rejected.map((place) => `/data/attributes/${place}`),
    );
  });
