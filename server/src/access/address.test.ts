import assert from "node:assert/strict";
import { test } from "node:test";
import { networkForLog, networkOf, networksOf, storableAddress } from "./address.ts";

const cases: [string, string][] = [
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:c000:207", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["1:2:3:4:5:6:192.0.2.1", "1:2:3:4::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["", "unknown"],
  ["example.org", "unknown"],
  ["192.0.2.7, 10.0.0.1", "unknown"],
];

for (const [address, network] of cases)
  test(`${JSON.stringify(address)} is counted as ${network}`, () =>
    assert.equal(networkOf(address), network));

test("an IPv6 address is also counted by its /56 and its /48", () => {
  assert.deepEqual(networksOf("2001:db8:1:2fe::9"), [
    "2001:db8:1:2fe::/64",
    "2001:db8:1:200::/56",
    "2001:db8:1::/48",
  ]);
  assert.deepEqual(
    networksOf("2001:db8:1:2ff::9").slice(1),
    networksOf("2001:db8:1:2fe::9").slice(1),
  );
  assert.notEqual(networksOf("2001:db8:1:300::9")[1], networksOf("2001:db8:1:2fe::9")[1]);
  for (const address of ["192.0.2.7", "::ffff:192.0.2.7", "unknown"])
    assert.equal(networksOf(address).length, 1);
});

test("the log contains the /24 or the /48", () => {
  for (const [address, network] of [
    ["192.0.2.7", "192.0.2.0/24"],
    ["::ffff:192.0.2.7", "192.0.2.0/24"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
    ["::1", "0:0:0::/48"],
    ["example.org", "unknown"],
  ] as const)
    assert.equal(networkForLog(address), network);
});

test("an address is stored without its zone, and a word of a proxy is not", () => {
  assert.equal(storableAddress("fe80::1%eth0"), "fe80::1");
  assert.equal(storableAddress("203.0.113.7"), "203.0.113.7");
  for (const word of ["unknown", "", "203.0.113.7:443", "_hidden"])
    assert.equal(storableAddress(word), undefined, word);
});
