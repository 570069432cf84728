import assert from "node:assert/strict";
import { BlockList } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { formatAddress, type Network, parseAddress, parseNetworks } from "../../base/networks.ts";
import { isPublic, judgeAddresses, ranges, whyRefused } from "./public-address.ts";

const allowed = (list: string): readonly Network[] => {
  const parsed = parseNetworks(list);
  assert.ok("networks" in parsed);
  return parsed.networks;
};

const publicOnes: readonly [name: string, address: string][] = [
  ["a resolver", "1.1.1.1"],
  ["another", "8.8.8.8"],
  ["the first after this network", "1.0.0.0"],
  ["before 10/8", "9.255.255.255"],
  ["after 10/8", "11.0.0.0"],
  ["before the carriers' space", "100.63.255.255"],
  ["after the carriers' space", "100.128.0.0"],
  ["before loopback", "126.255.255.255"],
  ["after loopback", "128.0.0.0"],
  ["before link-local", "169.253.255.255"],
  ["after link-local", "169.255.0.0"],
  ["before Azure's host", "168.63.129.15"],
  ["after Azure's host", "168.63.129.17"],
  ["before 172.16/12", "172.15.255.255"],
  ["after 172.16/12", "172.32.0.0"],
  ["before the protocol assignments", "191.255.255.255"],
  ["after the protocol assignments", "192.0.1.0"],
  ["before documentation 1", "192.0.1.255"],
  ["after documentation 1", "192.0.3.0"],
  ["AS112", "192.31.196.1"],
  ["AMT", "192.52.193.1"],
  ["before the 6to4 relays", "192.88.98.255"],
  ["after the 6to4 relays", "192.88.100.0"],
  ["before 192.168/16", "192.167.255.255"],
  ["after 192.168/16", "192.169.0.0"],
  ["AS112, delegated", "192.175.48.1"],
  ["before benchmarking", "198.17.255.255"],
  ["after benchmarking", "198.20.0.0"],
  ["before documentation 2", "198.51.99.255"],
  ["after documentation 2", "198.51.101.0"],
  ["before documentation 3", "203.0.112.255"],
  ["after documentation 3", "203.0.114.0"],
  ["before multicast", "223.255.255.255"],
  ["a resolver over IPv6", "2606:4700:4700::1111"],
  ["another over IPv6", "2001:4860:4860::8888"],
  ["the same in capitals", "2001:4860:4860::8888".toUpperCase()],
  ["the same in full", "2001:4860:4860:0000:0000:0000:0000:8888"],
  ["the first global unicast", "2000::"],
  ["before the protocol assignments", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["after the protocol assignments", "2001:200::"],
  ["AMT over IPv6", "2001:3::1"],
  ["AS112 over IPv6", "2001:4:112::1"],
  ["before documentation", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["after documentation", "2001:db9::"],
  ["before 6to4", "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["after 6to4", "2003::"],
  ["AS112 over IPv6, delegated", "2620:4f:8000::1"],
  ["before documentation 2", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["after documentation 2", "3fff:1000::"],
  ["the last global unicast", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["mapped", "::ffff:8.8.8.8"],
  ["mapped, in groups", "::ffff:808:808"],
  ["mapped, in full", "0000:0000:0000:0000:0000:FFFF:0808:0808"],
  ["compatible", "::8.8.8.8"],
  ["NAT64", "64:ff9b::8.8.8.8"],
  ["NAT64 in groups", "64:ff9b::808:808"],
  ["6to4", "2002:808:808::1"],
  ["6to4 with a site behind it", "2002:808:808:a00:1:a00:1:1"],
  ["Teredo, server and client public", "2001:0:808:808:0:ffff:fefe:fefe"],
];

for (const [name, address] of publicOnes)
  test(`public, ${name}: ${address}`, () => {
    assert.equal(isPublic(address), true);
    const parsed = parseAddress(address);
    assert.ok(parsed);
    assert.equal(whyRefused(parsed), undefined);
  });

const refusedOnes: readonly [name: string, address: string, range: string][] = [
  ["unspecified", "0.0.0.0", "this host on this network"],
  ["the last of this network", "0.255.255.255", "this host on this network"],
  ["10/8", "10.0.0.0", "private use"],
  ["the last of 10/8", "10.255.255.255", "private use"],
  ["carriers' space", "100.64.0.0", "shared address space of carriers"],
  ["the last of carriers' space", "100.127.255.255", "shared address space of carriers"],
  ["Alibaba's metadata", "100.100.100.200", "shared address space of carriers"],
  ["loopback", "127.0.0.1", "loopback"],
  ["the first of loopback", "127.0.0.0", "loopback"],
  ["the last of loopback", "127.255.255.255", "loopback"],
  ["a resolver on this host", "127.0.0.53", "loopback"],
  ["link-local", "169.254.0.0", "link-local, where clouds serve their metadata"],
  ["metadata", "169.254.169.254", "link-local, where clouds serve their metadata"],
  ["a task's credentials", "169.254.170.2", "link-local, where clouds serve their metadata"],
  ["the last link-local", "169.254.255.255", "link-local, where clouds serve their metadata"],
  ["Azure's host", "168.63.129.16", "platform service of a cloud"],
  ["172.16/12", "172.16.0.0", "private use"],
  ["a container's network", "172.17.0.1", "private use"],
  ["the last of 172.16/12", "172.31.255.255", "private use"],
  ["protocol assignments", "192.0.0.0", "IETF protocol assignments"],
  ["dummy", "192.0.0.8", "IETF protocol assignments"],
  ["PCP anycast", "192.0.0.9", "IETF protocol assignments"],
  ["TURN anycast", "192.0.0.10", "IETF protocol assignments"],
  ["NAT64 discovery", "192.0.0.170", "IETF protocol assignments"],
  ["Oracle's metadata", "192.0.0.192", "IETF protocol assignments"],
  ["the last protocol assignment", "192.0.0.255", "IETF protocol assignments"],
  ["documentation 1", "192.0.2.0", "documentation"],
  ["the last of documentation 1", "192.0.2.255", "documentation"],
  ["6to4 relay", "192.88.99.1", "6to4 relay anycast"],
  ["6a44 relay", "192.88.99.2", "6to4 relay anycast"],
  ["192.168/16", "192.168.0.0", "private use"],
  ["the last of 192.168/16", "192.168.255.255", "private use"],
  ["benchmarking", "198.18.0.0", "benchmarking"],
  ["the last of benchmarking", "198.19.255.255", "benchmarking"],
  ["documentation 2", "198.51.100.7", "documentation"],
  ["documentation 3", "203.0.113.7", "documentation"],
  ["multicast", "224.0.0.0", "multicast"],
  ["service discovery", "239.255.255.250", "multicast"],
  ["the last multicast", "239.255.255.255", "multicast"],
  ["reserved", "240.0.0.0", "reserved"],
  ["the last reserved", "255.255.255.254", "reserved"],
  ["broadcast", "255.255.255.255", "limited broadcast"],

  ["unspecified IPv6", "::", "unspecified"],
  ["unspecified IPv6 in full", "0:0:0:0:0:0:0:0", "unspecified"],
  ["loopback IPv6", "::1", "loopback"],
  ["loopback IPv6 in full", "0000:0000:0000:0000:0000:0000:0000:0001", "loopback"],
  ["loopback IPv6, dotted", "::0.0.0.1", "loopback"],
  ["IPv4 translated", "::ffff:0:8.8.8.8", "not global unicast"],
  ["IPv4 translated, private", "::ffff:0:10.0.0.1", "not global unicast"],
  ["after compatible", "::1:0:0", "not global unicast"],
  ["after mapped", "::1:0:0:0", "not global unicast"],
  ["before NAT64", "64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff", "not global unicast"],
  ["after NAT64", "64:ff9b:0:0:0:1::", "not global unicast"],
  ["NAT64 of its own", "64:ff9b:1::", "local-use IPv4/IPv6 translation"],
  ["NAT64 of its own, public", "64:ff9b:1::8.8.8.8", "local-use IPv4/IPv6 translation"],
  [
    "the last NAT64 of its own",
    "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
    "local-use IPv4/IPv6 translation",
  ],
  ["discard-only", "100::", "discard-only"],
  ["the last discard-only", "100::ffff:ffff:ffff:ffff", "discard-only"],
  ["dummy prefix", "100:0:0:1::", "dummy prefix"],
  ["the last dummy", "100:0:0:1:ffff:ffff:ffff:ffff", "dummy prefix"],
  ["after the dummies", "100:0:0:2::", "not global unicast"],
  ["NSAP", "200::1", "not global unicast"],
  ["a mesh", "300::1", "not global unicast"],
  ["before global unicast", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "not global unicast"],
  ["PCP anycast over IPv6", "2001:1::1", "IETF protocol assignments"],
  ["TURN anycast over IPv6", "2001:1::2", "IETF protocol assignments"],
  ["DNS-SD anycast", "2001:1::3", "IETF protocol assignments"],
  ["benchmarking over IPv6", "2001:2::1", "benchmarking"],
  ["beside benchmarking", "2001:2:1::", "IETF protocol assignments"],
  ["beside AS112", "2001:4:113::", "IETF protocol assignments"],
  ["ORCHID", "2001:10::1", "ORCHID"],
  ["the last ORCHID", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", "ORCHID"],
  ["ORCHIDv2", "2001:20::1", "ORCHIDv2"],
  ["the last ORCHIDv2", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff", "ORCHIDv2"],
  ["drones", "2001:30::1", "drone remote identification"],
  [
    "the last protocol assignment over IPv6",
    "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
    "IETF protocol assignments",
  ],
  ["documentation over IPv6", "2001:db8::1", "documentation"],
  ["its last", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "documentation"],
  ["documentation 2 over IPv6", "3fff::1", "documentation"],
  ["its last", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "documentation"],
  ["after global unicast", "4000::", "not global unicast"],
  ["segment routing", "5f00::1", "segment routing"],
  ["its last", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "segment routing"],
  ["6bone", "5f01::1", "not global unicast"],
  ["never given out", "8000::1", "not global unicast"],
  ["unique local", "fc00::1", "unique local"],
  ["unique local with a random part", "fd12:3456:789a::1", "unique local"],
  ["Amazon's metadata over IPv6", "fd00:ec2::254", "unique local"],
  ["Google's metadata over IPv6", "fd20:ce::254", "unique local"],
  ["before link-local", "fe7f::1", "not global unicast"],
  ["link-local over IPv6", "fe80::1", "link-local"],
  ["metadata over IPv6", "fe80::a9fe:a9fe", "link-local"],
  ["its last", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "link-local"],
  ["site-local", "fec0::1", "site-local"],
  ["its last", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "site-local"],
  ["multicast over IPv6", "ff02::1", "multicast"],
  ["global multicast", "ff0e::1", "multicast"],
  ["the last address of all", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "multicast"],

  ["mapped loopback", "::ffff:127.0.0.1", "loopback"],
  ["mapped loopback in groups", "::ffff:7f00:1", "loopback"],
  ["mapped loopback in capitals", "::FFFF:7F00:0001", "loopback"],
  ["mapped loopback in full", "0:0:0:0:0:ffff:127.0.0.1", "loopback"],
  ["mapped metadata", "::ffff:a9fe:a9fe", "link-local, where clouds serve their metadata"],
  ["mapped private", "::ffff:10.1.2.3", "private use"],
  ["mapped Azure", "::ffff:168.63.129.16", "platform service of a cloud"],
  ["mapped unspecified", "::ffff:0:0", "this host on this network"],
  ["compatible loopback", "::127.0.0.1", "loopback"],
  ["compatible private", "::a00:1", "private use"],
  ["the second compatible", "::2", "this host on this network"],
  ["NAT64 loopback", "64:ff9b::127.0.0.1", "loopback"],
  ["NAT64 metadata", "64:ff9b::a9fe:a9fe", "link-local, where clouds serve their metadata"],
  ["NAT64 unspecified", "64:ff9b::", "this host on this network"],
  ["NAT64 carriers", "64:ff9b::100.64.0.1", "shared address space of carriers"],
  ["6to4 loopback", "2002:7f00:1::", "loopback"],
  ["6to4 private", "2002:a00:1::808:808", "private use"],
  ["6to4 metadata", "2002:a9fe:a9fe::1", "link-local, where clouds serve their metadata"],
  ["6to4 relay, wrapped", "2002:c058:6301::", "6to4 relay anycast"],
  ["6to4 multicast", "2002:e000:1::", "multicast"],
  ["Teredo with a private client", "2001:0:808:808:0:ffff:f5ff:fffe", "private use"],
  ["Teredo with a private server", "2001:0:a00:1:0:ffff:fefe:fefe", "private use"],
  ["Teredo with a loopback client", "2001:0:808:808::80ff:fffe", "loopback"],
  ["Teredo of nothing", "2001::", "this host on this network"],
];

for (const [name, address, range] of refusedOnes)
  test(`refused, ${name}: ${address}`, () => {
    assert.equal(isPublic(address), false);
    const parsed = parseAddress(address);
    assert.ok(parsed);
    assert.equal(whyRefused(parsed), range);
  });

const noAddresses = [
  "",
  "receiver.example",
  "localhost",
  "0177.0.0.1",
  "0x8.8.8.8",
  "8.8.8",
  "134744072",
];
for (const text of [
  ...noAddresses,
  "8.8.8.8.",
  " 8.8.8.8",
  "8.8.8.8\n",
  "[2606:4700::1]",
  "2606:4700::1%0",
])
  test(`text that is not an address is not public: ${JSON.stringify(text)}`, () =>
    assert.equal(isPublic(text), false));

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

const lots: readonly [
  name: string,
  answers: string[],
  allowed: string,
  refused: [address: string, range: string] | undefined,
][] = [
  ["one public", ["8.8.8.8"], "", undefined],
  ["one private", ["10.0.0.1"], "", ["10.0.0.1", "private use"]],
  ["private last", ["8.8.8.8", "1.1.1.1", "10.0.0.1"], "", ["10.0.0.1", "private use"]],
  ["private first", ["10.0.0.1", "8.8.8.8"], "", ["10.0.0.1", "private use"]],
  ["private in the other family", ["8.8.8.8", "fd00::1"], "", ["fd00::1", "unique local"]],
  [
    "a wrapped one among public ones",
    ["8.8.8.8", "::ffff:7f00:1"],
    "",
    ["::ffff:7f00:1", "loopback"],
  ],
  ["no address among public ones", ["8.8.8.8", "x.example"], "", ["x.example", "not an address"]],
  ["an empty answer", [""], "", ["", "not an address"]],
  ["a zone", ["fe80::1%eth0"], "fe80::/10", ["fe80::1%eth0", "not an address"]],
  ["an allowed one", ["10.0.0.1"], "10.0.0.0/8", undefined],
  ["an allowed one and a public one", ["10.0.0.1", "8.8.8.8"], "10.0.0.0/8", undefined],
  ["allowed by address", ["10.0.0.1"], "10.0.0.1", undefined],
  ["beside the allowed address", ["10.0.0.2"], "10.0.0.1", ["10.0.0.2", "private use"]],
  [
    "an allowed one and a private one",
    ["10.0.0.1", "192.168.0.1"],
    "10.0.0.0/8",
    ["192.168.0.1", "private use"],
  ],
  ["allowed, answered as mapped", ["::ffff:10.0.0.1"], "10.0.0.0/8", undefined],
  ["allowed as mapped", ["10.0.0.1"], "::ffff:10.0.0.0/104", undefined],
  ["the second of two networks", ["fd00::1"], "10.0.0.0/8,fd00::/8", undefined],
  [
    "allowed, but inside NAT64",
    ["64:ff9b::a00:1"],
    "10.0.0.0/8",
    ["64:ff9b::a00:1", "private use"],
  ],
  ["allowed, but inside 6to4", ["2002:a00:1::"], "10.0.0.0/8", ["2002:a00:1::", "private use"]],
  ["NAT64 allowed by its own name", ["64:ff9b::a00:1"], "64:ff9b::/96", undefined],
  ["a translator of its own", ["64:ff9b:1::a00:1"], "64:ff9b:1::/48", undefined],
  ["all of IPv6 is nothing of IPv4", ["10.0.0.1"], "::/0", ["10.0.0.1", "private use"]],
  ["nor is it mapped", ["::ffff:10.0.0.1"], "::/0", ["::ffff:10.0.0.1", "private use"]],
  ["all of IPv4 is nothing of IPv6", ["::1"], "0.0.0.0/0", ["::1", "loopback"]],
  ["this machine", ["127.0.0.1", "::1"], "127.0.0.0/8,::1", undefined],
];

for (const [name, answers, networks, refused] of lots)
  test(`answers, ${name}: ${JSON.stringify(answers)}${networks && ` with ${networks} allowed`}`, () => {
    const judgement = judgeAddresses(answers, allowed(networks));
    if (!refused) return assert.equal(judgement.verdict, "usable");
    const [address, range] = refused;
    assert.deepEqual(judgement, { verdict: "refused", address, range });
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
