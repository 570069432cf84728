import assert from "node:assert/strict";
import { test } from "node:test";
import { deviceCookie, knows, parseDevice } from "./known-device.ts";

const key = Buffer.alloc(32, 5);
const who = (email: string) => ["grace", email];
const remembered = (cookie: string, email: string) => {
  const device = parseDevice(cookie);
  return device !== undefined && knows(device, key, who(email));
};

test("a device is known for the people who logged in with it, in the same account and with the same key", () => {
  const first = deviceCookie(undefined, key, who("ana@x.example"));
  const both = deviceCookie(parseDevice(first), key, who("ben@x.example"));
  assert.equal(remembered(first, "ana@x.example"), true);
  assert.equal(remembered(first, "ben@x.example"), false);
  for (const email of ["ana@x.example", "ben@x.example"]) assert.ok(remembered(both, email));
  const device = parseDevice(both);
  assert.ok(device && !knows(device, key, ["other", "ana@x.example"]));
  assert.ok(device && !knows(device, Buffer.alloc(32, 6), who("ana@x.example")));
  assert.ok(!both.includes("ana"));
});

test("a device knows the last five people, each once", () => {
  let cookie = deviceCookie(undefined, key, who("0"));
  for (const email of ["1", "2", "1", "3", "4", "5"])
    cookie = deviceCookie(parseDevice(cookie), key, who(email));
  assert.deepEqual(
    ["0", "1", "2", "3", "4", "5"].map((email) => remembered(cookie, email)),
    [false, true, true, true, true, true],
  );
});

test("another text is no device", () => {
  const cookie = deviceCookie(undefined, key, who("ana@x.example"));
  for (const wrong of [undefined, "", "x", cookie.slice(1), `${cookie}.`, cookie.slice(0, 22)])
    assert.equal(parseDevice(wrong), undefined, String(wrong));
  assert.equal(remembered(cookie.replace(/.{22}$/, "a".repeat(22)), "ana@x.example"), false);
});
