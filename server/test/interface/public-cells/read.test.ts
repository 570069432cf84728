import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { dayFromToday, join, makeCell } from "../../support/cells.ts";
import { makePerson } from "../../support/make.ts";
import { codes, ids, many, one, startService, type TestService } from "../../support/service.ts";
import { openPublicArea, visitorOf } from "../../support/visits.ts";

let service: TestService;
let accountId: string;
before(async () => {
  service = await startService();
  accountId = service.account.id;
  await openPublicArea(service.db, accountId);
});
after(() => service.stop());
beforeEach(() => service.db`delete from cells where account_id = ${service.account.id}`);

const get = (path = "") => service.get(`/p/v1/cells${path}`, visitorOf(accountId));

const address = {
  "street": "Rua das Flores",
  "number": "12",
  "neighborhood": "Cambuí",
  "city": "Campinas",
  "state": "SP",
  "latitude": -22.90556,
  "longitude": -47.06083,
};

async function makePublicCell(
  columns: Parameters<typeof makeCell>[2] = {},
  at?: Record<string, unknown>,
): Promise<string> {
  const id = await makeCell(service.db, accountId, { is_public: true, ...columns });
  if (at)
    await service.db`update cells set address = ${JSON.stringify(at)}::text::jsonb where id = ${id}`;
  return id;
}

const show = (id: string, settings: Record<string, boolean>) => service.db`
  update cells set public_settings = public_settings || ${JSON.stringify(settings)}::text::jsonb where id = ${id}`;

const attributesOf = async (id: string) => one(await get(`/${id}`)).attributes;

async function makeLeader(
  cellId: string,
  columns: Record<string, string | boolean> = {},
  membership: Record<string, string> = {},
): Promise<string> {
  const { id } = await makePerson(service.db, accountId, { fullName: "Ana Lima Souza" });
  for (const [column, value] of Object.entries(columns))
    await service.db`update people set ${service.db(column)} = ${value} where id = ${id}`;
  await join(service.db, accountId, cellId, id, { cell_role: "leader", ...membership });
  return id;
}

describe("members", () => {
  test("200 · a cell has what a website shows, and nothing else", async () => {
    const id = await makePublicCell(
      {
        name: "Cambuí",
        description: "Above the bakery.",
        category: "Families",
        gender_category: "mixed",
        age_min: 18,
        weekday: 3,
        starts_at: 1_200,
        ends_at: 1_290,
        online_url: "https://meet.example/secret",
      },
      address,
    );
    const attributes = {
      "name": "Cambuí",
      "category": "Families",
      "gender-category": "mixed",
      "age-min": 18,
      "age-max": null,
      "weekday": 3,
      "starts-at": 1_200,
      "ends-at": 1_290,
      "frequency": "weekly",
      "is-online": false,
      "neighborhood": "Cambuí",
      "city": "Campinas",
      "state": "SP",
      "location": { latitude: -22.91, longitude: -47.06 },
      "distance": null,
      "accepts-requests": true,
    };
    assert.deepEqual(many(await get())[0]?.attributes, attributes);
    assert.deepEqual(await attributesOf(id), {
      ...attributes,
      description: "Above the bakery.",
      leaders: [],
      address: null,
    });
  });

  test("200 · the address and the exact location are shown only if the cell shows its address", async () => {
    const id = await makePublicCell({}, address);
    assert.equal((await get(`/${id}`)).text.includes("Flores"), false);
    await show(id, { "show-address": true });
    const shown = await attributesOf(id);
    assert.deepEqual(shown["address"], address);
    assert.deepEqual(shown["location"], { latitude: -22.90556, longitude: -47.06083 });
  });

  test("200 · a cell without an address or with half a location has no location", async () => {
    const { longitude: _, ...half } = address;
    for (const at of [undefined, {}, half])
      assert.equal((await attributesOf(await makePublicCell({}, at)))["location"], null);
  });

  test("200 · leaders appear by the preferred or the first name, oldest first", async () => {
    const id = await makePublicCell();
    await makeLeader(id, { preferred_name: "Nana" }, { joined_on: "2026-03-01" });
    await makeLeader(id, {}, { joined_on: "2026-02-01" });
    await makeLeader(id, { first_name: "Bia" }, { cell_role: "co-leader" });
    await makeLeader(id, { first_name: "Gil" }, { status: "left", left_on: "2026-04-01" });
    assert.deepEqual((await attributesOf(id))["leaders"], [{ name: "Ana" }, { name: "Nana" }]);
  });

  test("200 · children and people who are not active are never named", async () => {
    const id = await makePublicCell();
    const [ten] = await service.db<
      { born: string }[]
    >`select (now() - interval '10 years')::date::text as born`;
    const child = await makeLeader(id, { birthdate: ten?.born ?? "" });
    await makeLeader(id, { is_active: false });
    await makeLeader(id, { deathdate: "2026-01-01" });
    assert.deepEqual((await attributesOf(id))["leaders"], []);
    // The account decides who is a child.
    await openPublicArea(service.db, accountId, { "child-age-limit": 9 });
    assert.deepEqual((await attributesOf(id))["leaders"], [{ name: "Ana" }]);
    await openPublicArea(service.db, accountId, { "child-age-limit": null });
    await service.db`delete from people where id = ${child}`;
  });

  test("200 · the contacts of leaders are shown only if the cell shows them", async () => {
    const id = await makePublicCell();
    const phones = [
      { "number": "+5511900000001" },
      { "number": "+5511900000002", "is-primary": true },
    ];
    const leader = await makeLeader(id, { email: "ana@church.example" });
    await service.db`update people set phones = ${JSON.stringify(phones)}::text::jsonb where id = ${leader}`;
    assert.deepEqual((await attributesOf(id))["leaders"], [{ name: "Ana" }]);
    await show(id, { "show-leader-email": true });
    assert.deepEqual((await attributesOf(id))["leaders"], [
      { name: "Ana", email: "ana@church.example" },
    ]);
    await show(id, { "show-leader-email": false, "show-leader-phone": true });
    assert.deepEqual((await attributesOf(id))["leaders"], [
      { "name": "Ana", "phone": "+5511900000002", "phone-display": "+55 11 90000 0002" },
    ]);
    await makeLeader(id, { first_name: "Bia" });
    assert.deepEqual((await attributesOf(id))["leaders"], [
      { "name": "Ana", "phone": "+5511900000002", "phone-display": "+55 11 90000 0002" },
      { name: "Bia" },
    ]);
  });

  test("200 · a cell accepts requests until it is full, closed to them or takes none", async () => {
    const id = await makePublicCell({ capacity: 1 });
    const accepts = async () => (await attributesOf(id))["accepts-requests"];
    assert.equal(await accepts(), true);
    await makeLeader(id);
    assert.equal(await accepts(), false);
    await service.db`update cells set capacity = 2 where id = ${id}`;
    assert.equal(await accepts(), true);
    await service.db`update cells set join_policy = 'closed' where id = ${id}`;
    assert.equal(await accepts(), false);
    await service.db`update cells set join_policy = 'open' where id = ${id}`;
    await show(id, { "accept-join-requests": false });
    assert.equal(await accepts(), false);
  });
});

test("404 · cells that are private, closed, planned or in recess do not exist", async () => {
  const hidden = await Promise.all([
    makePublicCell({ is_public: false }),
    makePublicCell({ closed_at: "2026-01-01T00:00:00Z" }),
    makePublicCell({ opened_at: "2999-01-01T00:00:00Z" }),
    makePublicCell({ recess_from: await dayFromToday(service.db, accountId, -1) }),
  ]);
  const open = await makePublicCell({
    recess_from: await dayFromToday(service.db, accountId, -9),
    recess_to: await dayFromToday(service.db, accountId, -1),
  });
  assert.deepEqual(ids(await get()), [open]);
  for (const id of hidden) assert.deepEqual(codes(await get(`/${id}`)), ["not-found"]);
});

describe("filters", () => {
  test("200 · cells are found by weekday, category, gender, city, neighborhood and place", async () => {
    const first = await makePublicCell(
      {
        weekday: 3,
        category: "Families",
        gender_category: "women",
      },
      address,
    );
    const second = await makePublicCell({ weekday: 0, is_online: true });
    const found = async (query: string) => ids(await get(`?${query}`));
    for (const query of [
      "filter[weekday]=3,4",
      "filter[category]=families",
      "filter[gender-category]=women",
      "filter[city]=CAMPINAS",
      "filter[neighborhood]=cambui",
      "filter[is-online]=false",
    ])
      assert.deepEqual(await found(query), [first], query);
    assert.deepEqual(await found("filter[is-online]=true"), [second]);
    for (const filter of ["q", "status", "near", "leader", "is-public"])
      assert.deepEqual(codes(await get(`?filter[${filter}]=x`)), ["unknown-parameter"], filter);
  });

  const at = "filter[lat]=-22.9&filter[lng]=-47.06";

  test("200 · cells near a place have a distance, and are sorted by it", async () => {
    const far = await makePublicCell({ name: "A" }, { latitude: -22.7, longitude: -47.06 });
    const near = await makePublicCell({ name: "B" }, { latitude: -22.95, longitude: -47.06 });
    await makePublicCell({ name: "C" }, { latitude: -24, longitude: -47.06 });
    await makePublicCell({ name: "D" });
    const answer = await get(`?${at}&filter[km]=50&sort=distance`);
    assert.deepEqual(
      many(answer).map(({ attributes, id }) => [id, attributes["distance"]]),
      [
        [near, 5.6],
        [far, 22.2],
      ],
    );
    assert.equal(answer.document.meta?.["total"], 2);
    assert.deepEqual(ids(await get(`?${at}&filter[km]=50&sort=-distance`)), [far, near]);
    assert.deepEqual(ids(await get(`?${at}&filter[km]=10`)), [near]);
    assert.equal(many(await get(`?${at}&filter[km]=10`))[0]?.attributes["distance"], 5.6);
  });

  test("200 · distances are measured from the location that is shown", async () => {
    const id = await makePublicCell({}, { latitude: -22.9049, longitude: -47.06 });
    // The rounded location is the place itself. The exact one is 0.5 km away.
    assert.deepEqual(ids(await get(`?${at}&filter[km]=0.1`)), [id]);
    await show(id, { "show-address": true });
    assert.deepEqual(ids(await get(`?${at}&filter[km]=0.1`)), []);
    assert.equal(many(await get(`?${at}&filter[km]=1`))[0]?.attributes["distance"], 0.5);
  });

  test("200 · pages keep the place in their links", async () => {
    for (const latitude of [-22.9, -22.91])
      await makePublicCell({}, { latitude, longitude: -47.06 });
    const first = await get(`?${at}&filter[km]=50&sort=distance&page[size]=1`);
    const { links } = first.document as { links?: Record<string, string> };
    const next = await service.get(links?.["next"] ?? "", visitorOf(accountId));
    assert.equal(many(next)[0]?.attributes["distance"], 1.1);
  });

  test("400 · a place needs all of its parts, each within its range", async () => {
    for (const [query, ...wrong] of [
      [at, "filter[km]"],
      ["filter[km]=5", "filter[lat]", "filter[lng]"],
      [`${at}&filter[km]=0`, "filter[km]"],
      [`${at}&filter[km]=50.1`, "filter[km]"],
      [`${at}&filter[km]=1e1`, "filter[km]"],
      ["filter[lat]=91&filter[lng]=181&filter[km]=5", "filter[lat]", "filter[lng]"],
      ["filter[lat]=&filter[lng]=NaN&filter[km]=5", "filter[lat]", "filter[lng]"],
      ["sort=distance", "sort"],
    ] as const) {
      const answer = await get(`?${query}`);
      assert.equal(answer.status, 400, query);
      assert.deepEqual(
        answer.document.errors?.map(({ source }) => source?.["parameter"]),
        wrong,
        answer.text,
      );
    }
  });
});
