import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseNetworks } from "../../base/networks.ts";
import { judgeUrl } from "./url.ts";

const urlsIn = (text: string) => text.trim().split(/\s+/);

function accepted(raw: string, networks = "") {
  const parsed = parseNetworks(networks);
  assert.ok("networks" in parsed);
  const judged = judgeUrl(raw, parsed.networks);
  assert.ok(!("mistake" in judged), `${JSON.stringify(raw)}: ${JSON.stringify(judged)}`);
  return judged;
}

function assertRejected(raw: string, words: string) {
  const judged = judgeUrl(raw);
  assert.ok("mistake" in judged, JSON.stringify([raw, judged]));
  assert.ok(judged.mistake.includes(words), `${JSON.stringify(raw)}: ${judged.mistake}`);
  assert.match(judged.mistake, /^The URL.*\.$/);
}

/** URLs that are normalized already. */
const unchanged = urlsIn(`
  https://receiver.example/hooks https://receiver.example/a/ https://receiver.example//a//b
  https://receiver.example//b.example https://receiver.example:8443/ https://receiver.example:80/
  https://receiver.example:1/ https://receiver.example:65535/ https://1.2.3.example/ https://1receiver.example/
  https://receiver.example1/ https://receiver.cafe/ https://r3---a.example/ https://localhost.example/
  https://local.example/ https://receiver.notlocal/ https://receiver.internals/
  https://xn--bcher-kva.example/ https://xn--strae-oqa.example/ https://xn--1lqs71d.example/
  https://xn--ls8h.example/ https://receiver.xn--p1ai/ https://8.8.8.8/ https://[2606:4700::1111]/
  https://[2606:4700::1111]:8443/ https://[2606:4700:0:1:1:1:1:1]/ https://a.example/a%2Fb
  https://a.example/a%3Fb https://a.example/a%23b https://a.example/%40 https://a.example/%25
  https://a.example/%2541 https://a.example/a%20b https://a.example/?a=b+c https://a.example/it's
  https://a.example/!$&'()*+,;=:@-._~ https://a.example/@b.example https://a.example/?u=a@b.example
  https://a.example/?u=http://b.example/?c https://a.example/?? https://a.example/..a/.../b..
  https://a.example/?a=/../b https://a.example/:443`);

/** URLs and their normalized form. */
const changed: readonly [raw: string, normalized: string][] = [
  ["https://receiver.example", "https://receiver.example/"],
  ["https://receiver.example?a=1", "https://receiver.example/?a=1"],
  ["https://Receiver.EXAMPLE/Hooks", "https://receiver.example/Hooks"],
  ["HTTPS://receiver.example/", "https://receiver.example/"],
  ["hTtPs://receiver.example/", "https://receiver.example/"],
  ["https://receiver.example:443/", "https://receiver.example/"],
  ["https://receiver.example:443", "https://receiver.example/"],
  ["https://receiver.example:443?a", "https://receiver.example/?a"],
  ["https://receiver.example./a", "https://receiver.example/a"],
  ["https://receiver.example.:443/a", "https://receiver.example/a"],
  ["https://a.b", "https://a.b/"],
  ["https://XN--BCHER-KVA.example/", "https://xn--bcher-kva.example/"],
  ["https://8.8.8.8:443", "https://8.8.8.8/"],
  ["https://[2606:4700::ABCD]/", "https://[2606:4700::abcd]/"],
  ["https://a.example/%41%7a%30", "https://a.example/Az0"],
  ["https://a.example/%2D%2e%5f%7E", "https://a.example/-._~"],
  ["https://a.example/%c3%bc%2f", "https://a.example/%C3%BC%2F"],
  ["https://a.example/%0d%0a", "https://a.example/%0D%0A"],
  ["https://a.example/%5c", "https://a.example/%5C"],
  ["https://a.example/%ff", "https://a.example/%FF"],
  ["https://a.example/ü", "https://a.example/%C3%BC"],
  ["https://a.example/?q=ü", "https://a.example/?q=%C3%BC"],
  ["https://a.example/😀", "https://a.example/%F0%9F%98%80"],
  ['https://a.example/"<>[]^`{|}', "https://a.example/%22%3C%3E%5B%5D%5E%60%7B%7C%7D"],
  ['https://a.example/?"<>[]^`{|}', "https://a.example/?%22%3C%3E%5B%5D%5E%60%7B%7C%7D"],
  ["https://a.example/?it's", "https://a.example/?it%27s"],
  ["https://a.example?@b.example/", "https://a.example/?@b.example/"],
  ["https://a.example/?", "https://a.example/"],
  ["https://a.example?", "https://a.example/"],
  ["https://a.example/a/./b/../c", "https://a.example/a/c"],
  ["https://a.example/a/%2e%2E/b/%2e", "https://a.example/b/"],
  ["https://a.example/../../a", "https://a.example/a"],
];

test("a URL is normalized, and its normalized form stays the same", () => {
  const label = `https://${"a".repeat(63)}.example/`;
  const pairs = [...changed, ...[...unchanged, label].map((url) => [url, url] as const)];
  for (const [raw, normalized] of pairs) {
    const judged = accepted(raw);
    assert.equal(judged.normalized, normalized, raw);
    assert.equal(judged.url, raw);
    assert.equal(accepted(normalized).normalized, normalized, raw);
  }
});

test("host and port are those of the connection", () => {
  const parts: [string, string, number][] = [
    ["https://Receiver.example.", "receiver.example", 443],
    ["https://receiver.example:8443/a", "receiver.example", 8443],
    ["https://8.8.8.8:444", "8.8.8.8", 444],
    ["https://[2606:4700::ABCD]:65535", "[2606:4700::abcd]", 65535],
  ];
  for (const [raw, host, port] of parts) {
    const judged = accepted(raw);
    assert.deepEqual([judged.host, judged.port], [host, port]);
  }
});

/** Words of the message, and the URLs that are rejected with it. */
const rejected: Readonly<Record<string, string>> = {
  "https://": `
    receiver receiver.example receiver.example:443 /hooks //receiver.example/ http://receiver.example/
    http://receiver.example:443/ ftp://receiver.example/ file:///etc/passwd wss://receiver.example/
    javascript:alert(1) data:,a gopher://receiver.example/ blob:https://receiver.example/a
    view-source:https://receiver.example/ url:https://receiver.example/ https:/receiver.example
    https:receiver.example https https: https:/ https:://receiver.example httpss://receiver.example
    http\u017F://receiver.example ｈｔｔｐｓ://receiver.example https：//receiver.example https:／／receiver.example
    https%3A//receiver.example https:%2F%2Freceiver.example`,
  "no host": `
    https:// https:///hooks https:///receiver.example https:////receiver.example https://?a https://:443/`,
  "backslash": `
    https:\\\\receiver.example\\ https:/\\receiver.example/ https://receiver.example\\hooks
    https://receiver.example\\@b.example/ https://receiver.example/a\\b https://receiver.example/?a\\b`,
  "fragment": `
    https://receiver.example/#a https://receiver.example/# https://receiver.example#a
    https://receiver.example/?a#b https://receiver.example#@b.example/ https://user@receiver.example/#a`,
  "credentials": `
    https://user@receiver.example/ https://user@receiver.example/#a https://user:secret@receiver.example/
    https://:secret@receiver.example/ https://@receiver.example/ https://:@receiver.example/
    https://receiver.example@127.0.0.1/ https://receiver.example:443@b.example/ https://a@b@receiver.example/
    https://receiver.example@/ https://a%40b@receiver.example/ https://a@[2606:4700::1111]/
    https://user@receiver.example?a`,
  "port": `
    https://receiver.example:0/ https://receiver.example:00/ https://receiver.example:/
    https://receiver.example: https://receiver.example:00443/ https://receiver.example:0443/
    https://receiver.example:+443/ https://receiver.example:-443/ https://receiver.example:65536/
    https://receiver.example:4294967739/ https://receiver.example:443.0/ https://receiver.example:4e2/
    https://receiver.example:0x1bb/ https://receiver.example:https/ https://receiver.example:４４３/
    https://receiver.example:\u0664\u0664\u0663/ https://receiver.example:%34%34%33/ https://8.8.8.8:0/
    https://[2606:4700::1111]:0/ https://[2606:4700::1111]:/`,
  "host is invalid": `
    https://receiver.example:443:443/ https://[2606:4700::1111/ https://2606:4700::1111]/
    https://[2606:4700::1111]a/ https://[2606:4700::1111]./ https://a[2606:4700::1111]/ https://2606:4700::1111/
    https://::1/`,
  "local name": `
    https://localhost/ https://localhost:8443/ https://LOCALHOST/ https://localhost./
    https://receiver.localhost/ https://receiver.LocalHost./ https://printer.local/ https://printer.local./
    https://local/ https://metadata.google.internal/ https://METADATA.GOOGLE.INTERNAL/
    https://metadata.google.internal./ https://internal/`,
  "single word": `
    https://receiver/ https://receiver./ https://receiver:8443/`,
  "domain name": `
    https://receiver.example../ https://receiver..example/ https://.receiver.example/ https://./ https://../
    https://-receiver.example/ https://receiver-.example/ https://--.example/ https://my_receiver.example/
    https://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example/ https://*.example/
    https://a!.example/ https://a,b.example/ https://a;b.example/ https://r%65ceiver.example/
    https://receiver%2Eexample/ https://receiver.example%2Fa.b.example/ https://a%40receiver.example/
    https://receiver.example%00.b.example/ https://%31%32%37.0.0.a/ https://"receiver".example/
    https://<receiver>.example/ https://{receiver}.example/ https://a|b.example/ https://a^b.example/
    https://$a.example/ https://xn--.example/ https://xn--abc-.example/`,
  "xn--": `
    https://xn--a.example/ https://xn--abc.example/ https://xn--wca.example/ https://xn--u-ccb.example/
    https://xn--kba2n.example/ https://xn--1ug.example/ https://127.0.0.xn--8g7c/ https://xn---qdv.example/
    https://xn--0000h.example/`,
  "Write xn--bcher-kva.example.": `
    https://bücher.example/ https://bu\u0308cher.example/ https://BÜCHER.example/`,
  "Write xn--1lqs71d.example.": `
    https://東京.example/`,
  "Write xn--e1afmkfd.xn--p1ai.": `
    https://пример.рф/`,
  "Write xn--pple-43d.example.": `
    https://аpple.example/`,
  "Write receiver.example.": `
    https://ｒｅｃｅｉｖｅｒ.example/ https://receiver。example/ https://receiver．example/ https://receiver｡example/
    https://ⓡeceiver.example/`,
  "Write k.example.": `
    https://\u212A.example/`,
  "Write 8.8.8.8.": `
    https://８.８.８.８/`,
  "a to z": `
    https://１２７.０.０.１/ https://127。0。0。1/ https://①②⑦.0.0.1/ https://127.0.0.¹/ https://ｌｏｃａｌｈｏｓｔ/
    https://metadata.google.ｉｎｔｅｒｎａｌ/ https://localho\u017Ft/ https://receiver.example／b.example/
    https://a＠receiver.example/ https://receiver.example＃b.example/ https://receiver％2eexample/
    https://\u2100.example/ https://localhost\u2024/`,
  "number": `
    https://2130706433/ https://134744072/ https://017700000001/ https://0x7f000001/ https://0X7F000001/
    https://0/ https://0x/ https://127.1/ https://0x7f.1/ https://127.0.1/ https://0177.0.0.1/
    https://010.8.8.8/ https://0x7f.0x0.0x0.0x1/ https://8.8.8.0x8/ https://008.008.008.008/ https://8.8.8.256/
    https://4294967296/ https://8.8.8.8.8/ https://8.8.8.8./ https://127.0.0.1./ https://8..8.8/
    https://receiver.1/ https://receiver.0x1/ https://receiver.0x/ https://%31%32%37.0.0.1/ https://-1.0.0.1/`,
  "not public": `
    https://127.0.0.1/ https://127.0.0.1:8443/ https://0.0.0.0/ https://10.0.0.1/ https://172.16.0.1/
    https://192.168.1.1/ https://100.64.0.1/ https://169.254.169.254/latest/meta-data/ https://168.63.129.16/
    https://192.0.2.1/ https://224.0.0.1/ https://255.255.255.255/ https://[::1]/ https://[::]/
    https://[fd00::1]/ https://[fd00:ec2::254]/ https://[fe80::1]/ https://[fec0::1]/ https://[ff02::1]/
    https://[2001:db8::1]/ https://[100::1]/ https://[5f00::1]/ https://[64:ff9b:1::808:808]/
    https://[::ffff:0:808:808]/`,
  "contains an IPv4 address": `
    https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/ https://[::ffff:a9fe:a9fe]/ https://[::ffff:8.8.8.8]/
    https://[0:0:0:0:0:ffff:808:808]/ https://[::127.0.0.1]/ https://[::808:808]/ https://[64:ff9b::8.8.8.8]/
    https://[64:ff9b::7f00:1]/ https://[2002:808:808::1]/ https://[2002:a00:1::1]/
    https://[2001:0:808:808::fefe:fefe]/`,
  "short form": `
    https://[2606:4700:0000:0000:0000:0000:0000:1111]/ https://[2606:4700::0111]/
    https://[2606:4700:0:0:0:0:0:1111]/ https://[2606:4700:0::1111]/ https://[2606:4700::1:1:1:1:1]/
    https://[2606:0:0:1::1:1]/ https://[2606:4700::8.8.8.8]/ https://[0:0:0:0:0:0:0:1]/`,
  "zone": `
    https://[fe80::1%eth0]/ https://[fe80::1%25eth0]/ https://[2606:4700::1111%25eth0]/
    https://[2606:4700::1111%]/`,
  "IPv6": `
    https://[]/ https://[8.8.8.8]/ https://[receiver.example]/ https://[v1.a]/ https://[1:2:3:4:5:6:7:8:9]/
    https://[2606::4700::1111]/ https://[2606:4700::g]/ https://[[2606:4700::1111]:443]/`,
  "hexadecimal": `
    https://receiver.example/100% https://receiver.example/%2 https://receiver.example/%zz
    https://receiver.example/%２０ https://receiver.example/%u0041 https://receiver.example/?a=50%
    https://receiver.example/%%41`,
};

for (const [words, urls] of Object.entries(rejected))
  test(`a URL is rejected with "${words}"`, () => {
    for (const url of urlsIn(urls)) assertRejected(url, words);
  });

/** White space, control characters, invisible characters and unpaired surrogates. */
const forbidden = [
  0x00, 0x01, 0x09, 0x0a, 0x0d, 0x1f, 0x20, 0x7f, 0x85, 0xa0, 0xad, 0x034f, 0x1680, 0x180e, 0x2003,
  0x200b, 0x200c, 0x200d, 0x200e, 0x202e, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x2066, 0x3000,
  0x3164, 0xfe0f, 0xfeff, 0xd800, 0xdc00, 0xfff9, 0xe0041,
];

test("a forbidden character is named, wherever it stands", () => {
  for (const code of forbidden) {
    const it = String.fromCodePoint(code);
    const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    for (const raw of [
      `${it}https://receiver.example/`,
      `ht${it}tps://receiver.example/`,
      `https:/${it}/receiver.example/`,
      `https://rec${it}eiver.example/`,
      `https://127.0${it}.0.1/`,
      `https://receiver.example/a${it}b`,
      `https://receiver.example/?a${it}b`,
      `https://receiver.example/${it}`,
    ])
      assertRejected(raw, name);
  }
});

test("a URL has at most 2,048 characters, as sent and when normalized", () => {
  const start = "https://receiver.example/";
  const longest = 2_048 - start.length;
  accepted(start + "a".repeat(longest));
  assertRejected(start + "a".repeat(longest + 1), "2049");
  const emojis = Math.floor(longest / "%F0%9F%98%80".length);
  accepted(start + "😀".repeat(emojis));
  assertRejected(start + "😀".repeat(emojis + 1), "percent-encoded");
  // A character outside the BMP counts once, although it has two UTF-16 units.
  assertRejected(start + "😀".repeat(longest), "percent-encoded");
});

test("a name has at most 253 characters without a final dot, and a label at most 63", () => {
  const name = `${`${"a".repeat(61)}.`.repeat(4)}abcde`;
  assert.equal(accepted(`https://${name}./`).host, name);
  assertRejected(`https://${name}f/`, "domain name");
  assertRejected(`https://${"a".repeat(64)}.example/`, "domain name");
  assertRejected(`https://receiver.example:${"9".repeat(400)}/`, "port");
  assertRejected("", "https://");
});

const ownNetworks: readonly [raw: string, networks: string, isAllowed: boolean][] = [
  ["https://10.0.0.5/", "10.0.0.0/8", true],
  ["https://10.0.0.5/", "192.168.0.0/16", false],
  ["https://127.0.0.1:8443/", "127.0.0.1", true],
  ["https://127.0.0.2:8443/", "127.0.0.1", false],
  ["https://[::1]:8443/", "::1", true],
  ["https://[fd00::1]/", "fd00::/8", true],
  ["https://[fe80::1%25eth0]/", "fe80::/10", false],
  ["https://[::ffff:10.0.0.5]/", "10.0.0.0/8", false],
  ["https://127.1/", "127.0.0.0/8", false],
  ["https://localhost/", "127.0.0.0/8", false],
];

for (const [raw, networks, isAllowed] of ownNetworks)
  test(`${raw} is ${isAllowed ? "accepted" : "rejected"} if ${networks} is allowed`, () => {
    const parsed = parseNetworks(networks);
    assert.ok("networks" in parsed);
    assert.equal("mistake" in judgeUrl(raw, parsed.networks), !isAllowed);
  });

const letters = (from: string) => fc.constantFrom(...Array.from(from));
const labels = fc
  .tuple(
    letters("abcxyzABC019"),
    fc.string({ unit: letters("abcXYZ019-"), maxLength: 8 }),
    letters("abcXYZ019"),
  )
  .map((parts) => parts.join(""))
  .filter((each) => !/^xn--/i.test(each));
const names = fc
  .tuple(fc.array(labels, { minLength: 1, maxLength: 4 }), letters("abcdef"), labels)
  .map(([front, first, last]) => [...front, `${first}${last}`].join("."));
const hosts = fc.oneof(
  fc.tuple(names, fc.constantFrom("", ".")).map((parts) => parts.join("")),
  fc.constantFrom("8.8.8.8", "1.1.1.1", "[2606:4700::1111]", "[2A00:1450::1]", "xn--bcher-kva.de"),
);
const ports = fc.oneof(
  fc.constantFrom("", ":443"),
  fc.integer({ min: 1, max: 65_535 }).map((port) => `:${port}`),
);
const code = fc.nat(255).map((byte) => `%${byte.toString(16).padStart(2, "0")}`);
const pieces = fc.array(
  fc.oneof(
    code,
    code.map((each) => each.toUpperCase()),
    letters("abcXYZ019-._~!$&'()*+,;=:@/[]{}|^`\"<>"),
    fc.constantFrom("/../", "/./", "%2e%2e/", "/%2E/", "..", "//", "ü", "東", "😀", "?"),
  ),
  { maxLength: 24 },
);
const paths = fc.oneof(
  fc.constant(""),
  pieces.map((each) => `/${each.join("").replaceAll("?", "")}`),
);
const queries = fc.oneof(
  fc.constant(""),
  pieces.map((each) => `?${each.join("")}`),
);
const scheme = fc.constantFrom("https://", "HTTPS://", "Https://");
const urls = fc.tuple(scheme, hosts, ports, paths, queries).map((parts) => parts.join(""));

/** The parts of a connection according to `new URL()`. */
function target(text: string) {
  const { protocol, hostname, port, username, password, hash } = new URL(text);
  return {
    protocol,
    host: hostname.replace(/\.$/, ""),
    port: port === "" ? 443 : Number(port),
    rest: username + password + hash,
  };
}

function assertSameTarget(raw: string, judged: { host: string; port: number }) {
  const { host, port } = judged;
  assert.deepEqual(target(raw), { protocol: "https:", host, port, rest: "" });
}

test("normalizing twice changes nothing", () => {
  fc.assert(
    fc.property(urls, (raw) => {
      const once = accepted(raw);
      const twice = accepted(once.normalized);
      assert.deepEqual(twice, { ...once, url: once.normalized });
    }),
    { numRuns: 3_000 },
  );
});

test("a URL and its normalized form connect to the host and port of new URL()", () => {
  fc.assert(
    fc.property(urls, (raw) => {
      const judged = accepted(raw);
      assertSameTarget(raw, judged);
      assertSameTarget(judged.normalized, judged);
      assert.equal(new URL(judged.normalized).href, judged.normalized);
    }),
    { numRuns: 3_000 },
  );
});

test("a normalized URL requests the same path and query", () => {
  const decoded = (text: string) =>
    text.replaceAll(/%[\da-f]{2}/gi, (each) => String.fromCharCode(Number(`0x${each.slice(1)}`)));
  // Split before decoding, because an encoded slash belongs to its segment.
  const meaning = ({ pathname, search }: URL) => ({
    segments: pathname.split("/").map(decoded),
    words: search.split(/([?&=+;])/).map(decoded),
  });
  fc.assert(
    fc.property(urls, (raw) =>
      assert.deepEqual(meaning(new URL(accepted(raw).normalized)), meaning(new URL(raw))),
    ),
    { numRuns: 1_000 },
  );
});

test("the case of scheme and host does not matter", () => {
  fc.assert(
    fc.property(hosts, ports, paths, queries, (host, port, path, query) => {
      const one = accepted(`https://${host.toLowerCase()}${port}${path}${query}`);
      const other = accepted(`HTTPS://${host.toUpperCase()}${port}${path}${query}`);
      assert.equal(one.normalized, other.normalized);
    }),
  );
});

/** Pieces that URL parsers interpret differently. */
const traps = fc.constantFrom(
  ..."https:// http:// HTTPS: / // \\ @ : :443 :0 ? # % %2e %00 . .. [ ] [::1] ::ffff:".split(" "),
  ..."127.0.0.1 127.1 0x7f 0 1 8.8.8.8 localhost .local a.example b xn-- xn--a - _ ü".split(" "),
  ..."。 ． ① ß \u212A \u017F 😀 １".split(" "),
  " ",
  "\t",
  "\n",
  "\0",
  "\u00AD",
  "\u200B",
  "\uFEFF",
  "\uD800",
);

test("every accepted URL connects to the host and port of new URL()", () => {
  const texts = fc.oneof(
    fc.array(traps, { maxLength: 10 }).map((each) => each.join("")),
    fc.array(traps, { maxLength: 8 }).map((each) => `https://${each.join("")}`),
    fc
      .tuple(hosts, fc.array(traps, { maxLength: 3 }), hosts, fc.array(traps, { maxLength: 3 }))
      .map(([one, some, other, more]) => `https://${one}${some.join("")}${other}${more.join("")}`),
    fc.string({ unit: "binary" }).map((text) => `https://${text}`),
    fc.tuple(urls, fc.nat(), traps).map(([url, at, trap]) => {
      const place = at % (url.length + 1);
      return url.slice(0, place) + trap + url.slice(place);
    }),
  );
  fc.assert(
    fc.property(texts, (raw) => {
      const judged = judgeUrl(raw);
      if ("mistake" in judged) return assert.match(judged.mistake, /^The URL.*\.$/);
      assertSameTarget(raw, judged);
      assertSameTarget(judged.normalized, judged);
      assert.match(judged.normalized, /^https:\/\/[!-~]+$/);
      assert.equal(accepted(judged.normalized).normalized, judged.normalized);
    }),
    { numRuns: 10_000 },
  );
});
