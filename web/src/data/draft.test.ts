import assert from "node:assert/strict";
import { test } from "node:test";
import { now } from "../ui/clock.ts";
import { cleaned, drafts, valueAt, withValue } from "./draft.ts";
import { forgetPerson, setOwner } from "./kept.ts";

const place = { type: "people", id: "1", card: "contact" };
const draft = { values: { email: "new@example.org" }, base: { email: null }, etag: '"7"' };

/** The storage of a tab. Its names are the properties of the object, as in a browser. */
function useStorage(storage: object | undefined): void {
  Object.defineProperty(globalThis, "sessionStorage", {
    configurable: true,
    get: () => storage ?? assert.fail("denied"),
  });
  Object.defineProperty(globalThis, "localStorage", { configurable: true, value: {} });
}

function memory(): Record<string, string> {
  const entries: Record<string, string> = {};
  return Object.defineProperties(entries, {
    getItem: { value: (key: string) => entries[key] ?? null },
    setItem: { value: (key: string, value: string) => (entries[key] = value) },
    removeItem: { value: (key: string) => delete entries[key] },
  });
}

test("a draft comes back to the person who typed it and to no other person", () => {
  const storage = memory();
  useStorage(storage);
  setOwner("ana");
  const before = now();
  drafts.keep(place, draft);
  const { at = 0, ...kept } = drafts.read(place) ?? {};
  assert.deepEqual(kept, draft);
  assert.ok(at >= before && at <= now());
  assert.equal(drafts.read({ ...place, card: "church" }), undefined);
  setOwner("bruno");
  assert.equal(drafts.read(place), undefined);
  setOwner("ana");
  assert.deepEqual(drafts.read(place)?.values, draft.values);
  drafts.drop(place);
  assert.equal(drafts.read(place), undefined);
});

test("the log-out deletes the drafts of the person", () => {
  useStorage(memory());
  setOwner("ana");
  drafts.keep(place, draft);
  forgetPerson("ana");
  assert.equal(drafts.read(place), undefined);
});

test("a storage that is denied or full keeps nothing and breaks nothing", () => {
  useStorage(undefined);
  assert.equal(drafts.keep(place, draft), false);
  drafts.drop(place);
  assert.equal(drafts.read(place), undefined);
});

test("a damaged draft is no draft", () => {
  for (const text of ["", "{", "null", "7", '{"values":1}', '{"values":{}}']) {
    useStorage({ getItem: () => text });
    assert.equal(drafts.read(place), undefined);
  }
});

test("values are read and replaced along a path", () => {
  const values = { phones: [{ number: "1" }, { number: "2" }], address: null };
  assert.equal(valueAt(values, "phones.1.number"), "2");
  assert.equal(valueAt(values, "address.city"), undefined);
  assert.deepEqual(withValue(values, "phones.1.number", "3"), {
    phones: [{ number: "1" }, { number: "3" }],
    address: null,
  });
  assert.deepEqual(withValue(values, "address.city", "Porto")["address"], { city: "Porto" });
  assert.deepEqual(values.phones[1], { number: "2" });
});

test("texts lose the spaces around them, and an empty text is no value", () => {
  assert.deepEqual(cleaned({ a: " x ", b: "  ", c: [{ d: "" }, 1, false], e: null }), {
    a: "x",
    b: null,
    c: [{ d: null }, 1, false],
    e: null,
  });
});
