import assert from "node:assert/strict";
import { BlockList } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import {
  type Address,
  contains,
  formatAddress,
  parseAddress,
  parseNetwork,
  parseNetworks,
  unmapped,
} from "./networks.ts";

const spelt: readonly [text: string, canonical: string][] = [
  ["0.0.0.0", "0.0.0.0"],
  ["1.2.3.4", "1.2.3.4"],
  ["255.255.255.255", "255.255.255.255"],
  ["::", "::"],
  ["0:0:0:0:0:0:0:0", "::"],
  ["::1", "::1"],
  ["0::1", "::1"],
  ["1::", "1::"],
  ["1::0", "1::"],
  ["2001:DB8::A", "2001:db8::a"],
  ["2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1"],
  ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
  ["2001:db8::1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
  ["1:0:0:2:0:0:0:3", "1:0:0:2::3"],
  ["1:0:0:0:2:0:0:3", "1::2:0:0:3"],
  ["1:0:0:2:3:0:0:4", "1::2:3:0:0:4"],
  ["0:0:1:2:3:4:5:6", "::1:2:3:4:5:6"],
  ["1:2:3:4:5:6:0:0", "1:2:3:4:5:6::"],
  ["10:0:0:100:0:0:0:1000", "10:0:0:100::1000"],
  ["::ffff:1.2.3.4", "::ffff:102:304"],
  ["::1.2.3.4", "::102:304"],
  ["64:ff9b::1.2.3.4", "64:ff9b::102:304"],
  ["1:2:3:4:5:6:7.8.9.10", "1:2:3:4:5:6:708:90a"],
  ["ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
];

for (const [text, canonical] of spelt)
  test(`${text} is ${canonical}`, () => {
    const address = parseAddress(text);
    assert.ok(address);
    assert.equal(formatAddress(address), canonical);
  });

const noAddresses: readonly [name: string, text: string][] = [
  ["nothing", ""],
  ["a name", "receiver.example"],
  ["three parts", "1.2.3"],
  ["five parts", "1.2.3.4.5"],
  ["a part too large", "1.2.3.256"],
  ["a leading zero", "01.2.3.4"],
  ["octal", "0177.0.0.1"],
  ["hexadecimal", "0x7f.0.0.1"],
  ["one number", "2130706433"],
  ["a sign", "+1.2.3.4"],
  ["white space before", " 1.2.3.4"],
  ["white space behind", "1.2.3.4 "],
  ["a new line behind", "1.2.3.4\n"],
  ["a dot behind", "1.2.3.4."],
  ["an empty part", "1..2.3"],
  ["full-width digits", "１.2.3.4"],
  ["a port", "1.2.3.4:443"],
  ["a length", "1.2.3.4/32"],
  ["a zone", "fe80::1%eth0"],
  ["a numeric zone", "fe80::1%1"],
  ["an empty zone", "fe80::1%"],
  ["a zone on a public address", "2606:4700::1%eth0"],
  ["brackets", "[::1]"],
  ["two compressions", "1::2::3"],
  ["seven groups", "1:2:3:4:5:6:7"],
  ["nine groups", "1:2:3:4:5:6:7:8:9"],
  ["a group too long", "00001::"],
  ["a letter too many", "g::"],
  ["one colon", ":"],
  ["three colons", ":::"],
  ["a colon before", ":1::2"],
  ["a colon behind", "1::2:"],
  ["a dotted middle", "::1.2.3.4:5"],
  ["a dotted end with a zero", "::ffff:01.2.3.4"],
  ["a dotted end of three", "::ffff:1.2.3"],
  ["a NUL", "1.2.3.4\0"],
];

for (const [name, text] of noAddresses)
  test(`${name} is no address: ${JSON.stringify(text)}`, () =>
    assert.equal(parseAddress(text), undefined));

const networks: readonly [text: string, canonical: string | undefined][] = [
  ["10.0.0.0/8", "10.0.0.0/8"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["192.168.7.9", "192.168.7.9/32"],
  ["192.168.7.9/32", "192.168.7.9/32"],
  ["fd00::/8", "fd00::/8"],
  ["FD00:0::/8", "fd00::/8"],
  ["::/0", "::/0"],
  ["::1", "::1/128"],
  ["::ffff:10.0.0.0/104", "10.0.0.0/8"],
  ["::ffff:10.0.0.1", "10.0.0.1/32"],
  ["::ffff:0:0/96", "0.0.0.0/0"],
  ["10.0.0.1/8", undefined],
  ["0.0.0.1/0", undefined],
  ["fd00::1/8", undefined],
  ["10.0.0.0/33", undefined],
  ["fd00::/129", undefined],
  ["10.0.0.0/", undefined],
  ["10.0.0.0/08", undefined],
  ["10.0.0.0/+8", undefined],
  ["10.0.0.0/-1", undefined],
  ["10.0.0.0/8.0", undefined],
  ["10.0.0.0/8/8", undefined],
  ["10.0.0.0/255.0.0.0", undefined],
  ["10.0.0.0 /8", undefined],
  ["10/8", undefined],
  ["10.0.0.*", undefined],
  ["/8", undefined],
  ["", undefined],
  ["fe80::%eth0/10", undefined],
  ["receiver.internal", undefined],
];

for (const [text, canonical] of networks)
  test(`${JSON.stringify(text)} is ${canonical ?? "no network"}`, () => {
    const network = parseNetwork(text);
    assert.equal(network && `${formatAddress(network)}/${network.length}`, canonical);
  });

test("no networks are allowed where none are named", () => {
  assert.deepEqual(parseNetworks(""), { networks: [] });
  assert.deepEqual(parseNetworks("  "), { networks: [] });
});

test("a list of networks may have white space around its commas", () => {
  assert.deepEqual(parseNetworks(" 10.0.0.0/8 ,\tfd00::/8 "), {
    networks: [parseNetwork("10.0.0.0/8"), parseNetwork("fd00::/8")],
  });
});

for (const list of ["10.0.0.0/8,", ",", "10.0.0.0/8,,fd00::/8", "10.0.0.0/8 fd00::/8"])
  test(`a list is refused as a whole: ${JSON.stringify(list)}`, () =>
    assert.ok("mistake" in parseNetworks(list)));

test("the mistake names every network that is none", () => {
  const parsed = parseNetworks("10.0.0.0/8, 10.0.0.1/8, cellar");
  assert.ok("mistake" in parsed);
  assert.match(parsed.mistake, /Invalid: "10\.0\.0\.1\/8", "cellar"$/);
});

const ipv4 = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
// Zeros and neighbours of IPv4 are where spellings differ; random bits have neither.
const ipv6 = fc
  .tuple(
    ...Array.from({ length: 8 }, () =>
      fc.oneof(fc.constantFrom(0n, 0n, 0xffffn), fc.bigInt({ min: 0n, max: 0xffffn })),
    ),
  )
  .map((groups) => groups.reduce((value, group) => value * 65_536n + group, 0n));
const addresses: fc.Arbitrary<Address> = fc.oneof(
  ipv4.map((value) => ({ version: 4, value }) as const),
  ipv6.map((value) => ({ version: 6, value }) as const),
);

test("an address written and read is the same address", () => {
  fc.assert(
    fc.property(addresses, (address) =>
      assert.deepEqual(parseAddress(formatAddress(address)), address),
    ),
    { numRuns: 1_000 },
  );
});

test("an address is written as new URL() writes it", () => {
  fc.assert(
    fc.property(addresses, (address) => {
      const text = formatAddress(address);
      const host = address.version === 6 ? `[${text}]` : text;
      assert.equal(new URL(`https://${host}`).hostname, host);
    }),
    { numRuns: 1_000 },
  );
});

test("a network holds the addresses that node:net says it holds", () => {
  const lengthsAndNeighbours = fc.tuple(addresses, fc.nat(128), addresses, fc.nat(128));
  fc.assert(
    fc.property(lengthsAndNeighbours, ([address, lengthOf128, other, shared]) => {
      const bits = address.version === 4 ? 32 : 128;
      const length = Math.min(lengthOf128, bits);
      const low = BigInt(bits - length);
      const network = { ...address, value: (address.value >> low) << low, length };
      // An address that shares some bits with the network: random ones are never in it.
      const free = BigInt(Math.max(0, bits - shared));
      const near = {
        ...address,
        value: ((address.value >> free) << free) | BigInt.asUintN(Number(free), other.value),
      };
      const family = address.version === 4 ? "ipv4" : "ipv6";
      const list = new BlockList();
      list.addSubnet(formatAddress(network), length, family);
      for (const each of [near, address])
        assert.equal(contains(network, each), list.check(formatAddress(each), family));
    }),
    { numRuns: 1_000 },
  );
});

test("a network holds no address of the other family", () => {
  const [all4, all6] = [parseNetwork("0.0.0.0/0"), parseNetwork("::/0")];
  assert.ok(all4 && all6);
  assert.equal(contains(all4, { version: 6, value: 1n }), false);
  assert.equal(contains(all6, { version: 4, value: 1n }), false);
});

test("a mapped address is the IPv4 address, and nothing else is", () => {
  fc.assert(
    fc.property(addresses, (address) => {
      const mapped = {
        version: 6,
        value: (0xffffn << 32n) | (address.value & 0xffff_ffffn),
      } as const;
      assert.deepEqual(unmapped(mapped), { version: 4, value: address.value & 0xffff_ffffn });
      if (address.value >> 32n !== 0xffffn) assert.deepEqual(unmapped(address), address);
    }),
  );
});
