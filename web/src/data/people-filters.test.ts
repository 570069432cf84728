import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseSearch, stringifySearch } from "../app/search.ts";
import {
  PEOPLE_FILTERS,
  PEOPLE_SORTS,
  type PeopleFilterName,
  peopleFilters,
  readPeopleSearch,
  readPrintSearch,
} from "./people-filters.ts";

const now = { today: "2026-11-23", timeZone: "America/Sao_Paulo" };
const id = "01a20a22-201f-77f6-b7f6-1e56b0700b3c";
const other = "01a20a22-201f-77f6-b7f6-1e56b0700b3d";

/** Each parameter with values of the address and the filters that they mean. */
const MEANINGS: Record<PeopleFilterName, Record<string, object>> = {
  q: { "maria": { q: "maria" }, "a=b&c%20+é 🙂": { q: "a=b&c%20+é 🙂" } },
  status: {
    "visitor": { "membership-status": ["visitor"] },
    "member,former-member": { "membership-status": ["member", "former-member"] },
  },
  active: { "false": { "is-active": false }, "all": {} },
  sex: { "female": { sex: ["female"] } },
  baptized: { "true": { "is-baptized": true }, "false": { "is-baptized": false } },
  age: {
    "18-30": { "age-min": 18, "age-max": 30 },
    "65-": { "age-min": 65 },
    "-12": { "age-max": 12 },
  },
  month: { "1,12": { "birth-month": [1, 12] } },
  cell: { "none": { "without-cell": true }, [`${id},${other}`]: { cell: [id, other] } },
  tree: { [id]: { "cell-tree": [id] } },
  course: { [id]: { course: [id] } },
  class: { [id]: { "course-class": [id] } },
  role: { [id]: { role: [id] } },
  tag: { [id]: { tag: [id] } },
  household: { [id]: { household: [id] }, "none": { "without-household": true } },
  missing: { "email,photo": { missing: ["email", "photo"] } },
  login: { "false": { "has-login": false } },
  birthday: {
    "7": { "birthday-from": "11-23", "birthday-to": "11-29" },
    "60": { "birthday-from": "11-23", "birthday-to": "01-21" },
  },
  absent: { "3": { "absent-streak-min": 3 } },
  new: {
    "month": { "created-since": "2026-11-01T00:00:00-03:00" },
    "7": { "created-since": "2026-11-16T00:00:00-03:00" },
  },
};

const MALFORMED: Partial<Record<PeopleFilterName, string[]>> = {
  q: [" ", "x".repeat(256)],
  status: ["bishop", "member,", ""],
  active: ["true", "yes"],
  age: ["-", "x-", "151-", "18", "18-30-40"],
  month: ["0", "13", "1,x", "1e1"],
  cell: [
    "none,none",
    "1",
    `${id},none`,
    Array.from({ length: 101 }, (_, at) => other.slice(0, -3) + String(100 + at)).join(),
  ],
  absent: ["0", "-1", "1.5", "1001"],
  new: ["0", "year", "367"],
};

describe("search parameters of people", () => {
  for (const name of PEOPLE_FILTERS)
    it(`${name}: an address means the same after a round trip`, () => {
      for (const [value, filters] of Object.entries(MEANINGS[name])) {
        const search = readPeopleSearch(parseSearch(stringifySearch({ [name]: value })));
        assert.deepEqual(search, { [name]: value });
        const { "is-active": isActive, ...others } = peopleFilters(search, now);
        if (name === "active") assert.deepEqual(peopleFilters(search, now), filters);
        else {
          assert.equal(isActive, true);
          assert.deepEqual(others, filters);
        }
      }
    });

  it("all parameters together survive a round trip", () => {
    const all = Object.fromEntries(
      PEOPLE_FILTERS.map((name) => [name, Object.keys(MEANINGS[name])[0] ?? ""]),
    );
    const search = {
      ...all,
      "field.shirt-size": "m",
      "sort": "-created-at",
      "view": "pages",
      "page": "3",
      "columns": "email,field.shirt-size",
    };
    assert.deepEqual(readPeopleSearch(parseSearch(stringifySearch(search))), search);
  });

  it("malformed values and unknown parameters are dropped", () => {
    for (const [name, values] of Object.entries(MALFORMED))
      for (const value of values)
        assert.deepEqual(readPeopleSearch({ [name]: value }), {}, `${name}=${value}`);
    const unknown = {
      "other": "1",
      "field.": "x",
      "field.A": "x",
      "sort": "email",
      "view": "tree",
      "page": "0",
      "columns": "<b>",
      "__proto__": "x",
    };
    assert.deepEqual(readPeopleSearch(unknown), {});
  });

  it("custom fields are filters by their names", () => {
    const search = readPeopleSearch({ "field.shirt-size": "m" });
    assert.deepEqual(peopleFilters(search, now), {
      "is-active": true,
      "custom-properties.shirt-size": "m",
    });
  });

  it("a print is of some people, or of all except some", () => {
    const search = { q: "maria", layout: "directory" } as const;
    for (const chosen of [{ ids: `${id},${other}` }, { except: `${id},${other}` }, {}])
      assert.deepEqual(readPrintSearch(parseSearch(stringifySearch({ ...search, ...chosen }))), {
        ...search,
        ...chosen,
      });
    assert.deepEqual(readPrintSearch({ ids: id, except: other }), { ids: id });
    assert.deepEqual(readPrintSearch({ ids: "1", except: "2", layout: "labels" }), {});
  });

  it("every sort exists in both directions", () => {
    for (const name of PEOPLE_SORTS)
      for (const sort of [name, `-${name}`]) assert.deepEqual(readPeopleSearch({ sort }), { sort });
  });
});
