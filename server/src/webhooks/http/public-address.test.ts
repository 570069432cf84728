import assert from "node:assert/strict";
import { BlockList } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { formatAddress, type Network, parseAddress, parseNetworks } from "../../base/networks.ts";
import { judgeAddresses, ranges, whyRefused } from "./public-address.ts";

const allowed = (list: string): readonly Network[] => {
  const parsed = parseNetworks(list);
  assert.ok("networks" in parsed);
  return parsed.networks;
};

function isPublic(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && whyRefused(address) === undefined;
}

const addressesIn = (text: string) => text.trim().split(/\s+/);

/** Resolvers, and the addresses next to each refused range. */
const publicAddresses = addressesIn(`
  1.1.1.1 8.8.8.8 1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  169.253.255.255 169.255.0.0 168.63.129.15 168.63.129.17 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0
  192.0.1.255 192.0.3.0 192.31.196.1 192.52.193.1 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0
  192.175.48.1 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
  2606:4700:4700::1111 2001:4860:4860::8888 2001:4860:4860::8888 2001:4860:4860:0000:0000:0000:0000:8888 2000::
  2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2001:200:: 2001:3::1 2001:4:112::1
  2001:db7:ffff:ffff:ffff:ffff:ffff:ffff 2001:db9:: 2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2003::
  2620:4f:8000::1 3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:1000:: 3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  ::ffff:8.8.8.8 ::ffff:808:808 0000:0000:0000:0000:0000:FFFF:0808:0808 ::8.8.8.8 64:ff9b::8.8.8.8
  64:ff9b::808:808 2002:808:808::1 2002:808:808:a00:1:a00:1:1 2001:0:808:808:0:ffff:fefe:fefe`);

test("addresses outside of every refused range are public", () => {
  for (const address of publicAddresses) {
    assert.equal(isPublic(address), true, address);
    const parsed = parseAddress(address);
    assert.ok(parsed);
    assert.equal(whyRefused(parsed), undefined, address);
  }
});

/** Refused ranges with their first and last addresses, and well-known addresses such as metadata services. */
const refusedAddresses: Readonly<Record<string, string>> = {
  "this host on this network": `
    0.0.0.0 0.255.255.255 ::ffff:0:0 ::2 64:ff9b:: 2001::`,
  "private use": `
    10.0.0.0 10.255.255.255 172.16.0.0 172.17.0.1 172.31.255.255 192.168.0.0 192.168.255.255 ::ffff:10.1.2.3
    ::a00:1 2002:a00:1::808:808 2001:0:808:808:0:ffff:f5ff:fffe 2001:0:a00:1:0:ffff:fefe:fefe`,
  "shared address space of carriers": `
    100.64.0.0 100.127.255.255 100.100.100.200 64:ff9b::100.64.0.1`,
  "loopback": `
    127.0.0.1 127.0.0.0 127.255.255.255 127.0.0.53 ::1 0000:0000:0000:0000:0000:0000:0000:0001 ::0.0.0.1
    ::ffff:127.0.0.1 ::ffff:7f00:1 ::FFFF:7F00:0001 0:0:0:0:0:ffff:127.0.0.1 ::127.0.0.1 64:ff9b::127.0.0.1
    2002:7f00:1:: 2001:0:808:808::80ff:fffe`,
  "link-local, where clouds serve their metadata": `
    169.254.0.0 169.254.169.254 169.254.170.2 169.254.255.255 ::ffff:a9fe:a9fe 64:ff9b::a9fe:a9fe
    2002:a9fe:a9fe::1`,
  "platform service of a cloud": `
    168.63.129.16 ::ffff:168.63.129.16`,
  "IETF protocol assignments": `
    192.0.0.0 192.0.0.8 192.0.0.9 192.0.0.10 192.0.0.170 192.0.0.192 192.0.0.255 2001:1::1 2001:1::2 2001:1::3
    2001:2:1:: 2001:4:113:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff`,
  "documentation": `
    192.0.2.0 192.0.2.255 198.51.100.7 203.0.113.7 2001:db8::1 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 3fff::1
    3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff`,
  "6to4 relay anycast": `
    192.88.99.1 192.88.99.2 2002:c058:6301::`,
  "benchmarking": `
    198.18.0.0 198.19.255.255 2001:2::1`,
  "multicast": `
    224.0.0.0 239.255.255.250 239.255.255.255 ff02::1 ff0e::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
    2002:e000:1::`,
  "reserved": `
    240.0.0.0 255.255.255.254`,
  "limited broadcast": `
    255.255.255.255`,
  "unspecified": `
    :: 0:0:0:0:0:0:0:0`,
  "not global unicast": `
    ::ffff:0:8.8.8.8 ::ffff:0:10.0.0.1 ::1:0:0 ::1:0:0:0 64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff 64:ff9b:0:0:0:1::
    100:0:0:2:: 200::1 300::1 1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 4000:: 5f01::1 8000::1 fe7f::1`,
  "local-use IPv4/IPv6 translation": `
    64:ff9b:1:: 64:ff9b:1::8.8.8.8 64:ff9b:1:ffff:ffff:ffff:ffff:ffff`,
  "discard-only": `
    100:: 100::ffff:ffff:ffff:ffff`,
  "dummy prefix": `
    100:0:0:1:: 100:0:0:1:ffff:ffff:ffff:ffff`,
  "ORCHID": `
    2001:10::1 2001:1f:ffff:ffff:ffff:ffff:ffff:ffff`,
  "ORCHIDv2": `
    2001:20::1 2001:2f:ffff:ffff:ffff:ffff:ffff:ffff`,
  "drone remote identification": `
    2001:30::1`,
  "segment routing": `
    5f00::1 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff`,
  "unique local": `
    fc00::1 fd12:3456:789a::1 fd00:ec2::254 fd20:ce::254`,
  "link-local": `
    fe80::1 fe80::a9fe:a9fe febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff`,
  "site-local": `
    fec0::1 feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff`,
};

for (const [range, addresses] of Object.entries(refusedAddresses))
  test(`an address is refused as ${range}`, () => {
    for (const address of addressesIn(addresses)) {
      assert.equal(isPublic(address), false, address);
      const parsed = parseAddress(address);
      assert.ok(parsed, address);
      assert.equal(whyRefused(parsed), range, address);
    }
  });

test("text that is not an address is not public", () => {
  const words = "receiver.example localhost 0177.0.0.1 0x8.8.8.8 8.8.8 134744072 8.8.8.8.";
  const bracketed = "[2606:4700::1] 2606:4700::1%0";
  const texts = addressesIn(`${words} ${bracketed}`);
  for (const text of [...texts, "", " 8.8.8.8", "8.8.8.8\n"])
    assert.equal(isPublic(text), false, JSON.stringify(text));
});

test("every range is in canonical form and unique", () => {
  const texts = ranges.map(([text]) => text);
  assert.equal(new Set(texts).size, texts.length);
  for (const text of texts) {
    const [base = ""] = text.split("/");
    const address = parseAddress(base);
    assert.equal(address && formatAddress(address), base);
  }
});

/** The refused ranges in node:net, an oracle that shares no code with ours. */
const family = (text: string) => (text.includes(":") ? "ipv6" : "ipv4");
const blockLists = ranges.map(([network, isOpen]) => {
  const [base = "", length] = network.split("/");
  const list = new BlockList();
  list.addSubnet(base, Number(length), family(base));
  return { list, isOpen, length: Number(length), family: family(base) };
});

function isOpenByBlockList(text: string): boolean | undefined {
  return blockLists
    .filter((each) => each.family === family(text) && each.list.check(text, each.family))
    .sort((a, b) => b.length - a.length)
    .at(0)?.isOpen;
}

const dotted = (value: bigint) => formatAddress({ version: 4, value });
const hex = (value: bigint) => `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
const any32 = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });

/** An address of a range, selected by its free bits. */
const within = (text: string, free: bigint) => {
  const [base = "", length] = text.split("/");
  const address = parseAddress(base);
  assert.ok(address);
  const bits = (address.version === 4 ? 32 : 128) - Number(length);
  return { ...address, value: address.value | BigInt.asUintN(bits, free) };
};
const any128 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
const inRanges = fc
  .tuple(fc.constantFrom(...ranges), any128)
  .map(([[text], free]) => within(text, free));

const fullGroups = (value: bigint) =>
  Array.from({ length: 8 }, (_, index) =>
    BigInt.asUintN(16, value >> BigInt(112 - 16 * index))
      .toString(16)
      .padStart(4, "0"),
  );

/** The same IPv6 address in another notation. */
const spellingsOf = (value: bigint) => {
  const groups = fullGroups(value);
  const short = formatAddress({ version: 6, value });
  const front = groups.slice(0, 6).map((group) => group.replace(/^0{1,3}/, ""));
  return [
    short,
    short.toUpperCase(),
    groups.join(":"),
    groups.join(":").toUpperCase(),
    [...front, dotted(value & 0xffff_ffffn)].join(":"),
  ];
};

/** The forms in which an IPv6 address contains an IPv4 address. */
const wrappingsOf = (value: bigint) => [
  `::ffff:${dotted(value)}`,
  `::ffff:${hex(value)}`,
  `0:0:0:0:0:FFFF:${dotted(value)}`,
  `64:ff9b::${dotted(value)}`,
  `64:FF9B:0:0:0:0:${hex(value)}`,
  `2002:${hex(value)}::1`,
  `2002:${hex(value)}:808:808:808:808:808`,
  `2001:0:808:808:0:0:${hex(BigInt.asUintN(32, ~value))}`,
  `2001:0:${hex(value)}:0:0:fefe:fefe`,
];

test("an IPv4 address is judged by its narrowest range", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        any32,
        inRanges.map(({ value }) => BigInt.asUintN(32, value)),
      ),
      (value) => assert.equal(isPublic(dotted(value)), isOpenByBlockList(dotted(value))),
    ),
    { numRuns: 2_000 },
  );
});

test("an IPv4 address is judged the same inside every IPv6 form", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        any32,
        inRanges.filter((each) => each.version === 4).map(({ value }) => value),
      ),
      (value) => {
        const expected = isPublic(dotted(value));
        // "::" and "::1" are not IPv4-compatible, but they are refused too.
        for (const text of [...wrappingsOf(value), `::${dotted(value)}`])
          assert.equal(isPublic(text), expected, text);
      },
    ),
    { numRuns: 1_000 },
  );
});

test("an IPv6 address without an IPv4 address is judged by its narrowest range, in every notation", () => {
  const wrapping = new BlockList();
  wrapping.addSubnet("::", 80, "ipv6");
  wrapping.addSubnet("64:ff9b::", 96, "ipv6");
  wrapping.addSubnet("2002::", 16, "ipv6");
  wrapping.addSubnet("2001::", 32, "ipv6");
  fc.assert(
    fc.property(
      fc.oneof(
        any128,
        inRanges.filter((each) => each.version === 6).map(({ value }) => value),
      ),
      (value) => {
        const expected = isOpenByBlockList(formatAddress({ version: 6, value }));
        if (wrapping.check(formatAddress({ version: 6, value }), "ipv6")) return;
        for (const text of spellingsOf(value)) assert.equal(isPublic(text), expected, text);
      },
    ),
    { numRuns: 1_000 },
  );
});

test("every address of a refused range is refused, in every notation and IPv6 form", () => {
  const judgedByOthers = new BlockList();
  // Public ranges inside 2001::/23, and Teredo, which is judged by the addresses it contains.
  for (const [base, length] of [
    ["2001:3::", 32],
    ["2001:4:112::", 48],
    ["2001::", 32],
  ] as const)
    judgedByOthers.addSubnet(base, length, "ipv6");
  const refusedRanges = ranges.filter(([text, isOpen]) => !isOpen && text !== "::/0");
  for (const [text] of refusedRanges)
    fc.assert(
      fc.property(any128, (free) => {
        const { version, value } = within(text, free);
        fc.pre(version === 4 || !judgedByOthers.check(formatAddress({ version, value }), "ipv6"));
        const spellings =
          version === 4 ? [dotted(value), ...wrappingsOf(value)] : spellingsOf(value);
        for (const each of spellings) assert.equal(isPublic(each), false, `${each} of ${text}`);
      }),
      { numRuns: 100 },
    );
});

test("public addresses are usable, in their order and in canonical form", () => {
  assert.deepEqual(judgeAddresses(["2606:4700:0:0::1111", "8.8.8.8", "::ffff:1.1.1.1"]), {
    verdict: "usable",
    addresses: [
      { address: "2606:4700::1111", family: 6 },
      { address: "8.8.8.8", family: 4 },
      { address: "1.1.1.1", family: 4 },
    ],
  });
});

test("a name without addresses is not usable", () => {
  assert.deepEqual(judgeAddresses([]), { verdict: "none" });
  assert.deepEqual(judgeAddresses([], allowed("0.0.0.0/0,::/0")), { verdict: "none" });
});

/** The addresses of a name, the networks that the operator allows, and the address that refuses the name. */
const answers: readonly [addresses: string, allowed: string, refused?: string, range?: string][] = [
  ["8.8.8.8", ""],
  ["10.0.0.1", "", "10.0.0.1", "private use"],
  ["8.8.8.8 1.1.1.1 10.0.0.1", "", "10.0.0.1", "private use"],
  ["10.0.0.1 8.8.8.8", "", "10.0.0.1", "private use"],
  ["8.8.8.8 fd00::1", "", "fd00::1", "unique local"],
  ["8.8.8.8 ::ffff:7f00:1", "", "::ffff:7f00:1", "loopback"],
  ["8.8.8.8 x.example", "", "x.example", "not an address"],
  ["fe80::1%eth0", "fe80::/10", "fe80::1%eth0", "not an address"],
  ["10.0.0.1", "10.0.0.0/8"],
  ["10.0.0.1 8.8.8.8", "10.0.0.0/8"],
  ["10.0.0.1", "10.0.0.1"],
  ["10.0.0.2", "10.0.0.1", "10.0.0.2", "private use"],
  ["10.0.0.1 192.168.0.1", "10.0.0.0/8", "192.168.0.1", "private use"],
  ["::ffff:10.0.0.1", "10.0.0.0/8"],
  ["10.0.0.1", "::ffff:10.0.0.0/104"],
  ["fd00::1", "10.0.0.0/8,fd00::/8"],
  ["64:ff9b::a00:1", "10.0.0.0/8", "64:ff9b::a00:1", "private use"],
  ["2002:a00:1::", "10.0.0.0/8", "2002:a00:1::", "private use"],
  ["64:ff9b::a00:1", "64:ff9b::/96"],
  ["64:ff9b:1::a00:1", "64:ff9b:1::/48"],
  ["10.0.0.1", "::/0", "10.0.0.1", "private use"],
  ["::ffff:10.0.0.1", "::/0", "::ffff:10.0.0.1", "private use"],
  ["::1", "0.0.0.0/0", "::1", "loopback"],
  ["127.0.0.1 ::1", "127.0.0.0/8,::1"],
];

for (const [addresses, networks, address, range] of answers)
  test(`a name with ${addresses} is ${address ? "refused" : "usable"}${networks && ` if ${networks} is allowed`}`, () => {
    const judgement = judgeAddresses(addresses.split(" "), allowed(networks));
    if (address === undefined) return assert.equal(judgement.verdict, "usable");
    assert.deepEqual(judgement, { verdict: "refused", address, range });
  });

test("an empty answer is not an address", () => {
  const expected = { verdict: "refused", address: "", range: "not an address" };
  assert.deepEqual(judgeAddresses([""]), expected);
});

test("one refused address refuses the name", () => {
  const good = any32.map(dotted).filter(isPublic);
  const bad = inRanges.map(formatAddress).filter((text) => !isPublic(text));
  fc.assert(
    fc.property(fc.array(good), bad, fc.array(good), (before, refused, after) => {
      const judgement = judgeAddresses([...before, refused, ...after]);
      assert.equal(judgement.verdict, "refused");
      assert.equal(judgement.verdict === "refused" && judgement.address, refused);
    }),
  );
});

test("usable addresses are public", () => {
  fc.assert(
    fc.property(any128, any32, (value, small) => {
      const texts = [formatAddress({ version: 6, value }), ...wrappingsOf(small)];
      for (const text of texts) {
        const judgement = judgeAddresses([text]);
        if (judgement.verdict !== "usable") continue;
        const again = judgeAddresses(judgement.addresses.map(({ address }) => address));
        assert.deepEqual(again, judgement);
      }
    }),
  );
});
