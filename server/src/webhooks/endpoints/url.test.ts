import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseNetworks } from "../../base/networks.ts";
import { judgeUrl } from "./url.ts";

function good(raw: string, networks = "") {
  const parsed = parseNetworks(networks);
  assert.ok("networks" in parsed);
  const judged = judgeUrl(raw, parsed.networks);
  assert.ok(!("mistake" in judged), `${JSON.stringify(raw)}: ${JSON.stringify(judged)}`);
  return judged;
}

const normalized: readonly [name: string, raw: string, normalized: string][] = [
  ["nothing to do", "https://receiver.example/hooks", "https://receiver.example/hooks"],
  ["an empty path", "https://receiver.example", "https://receiver.example/"],
  ["an empty path before a query", "https://receiver.example?a=1", "https://receiver.example/?a=1"],
  ["a slash at the end is kept", "https://receiver.example/a/", "https://receiver.example/a/"],
  ["two slashes are kept", "https://receiver.example//a//b", "https://receiver.example//a//b"],
  [
    "a path that looks like a host",
    "https://receiver.example//b.example",
    "https://receiver.example//b.example",
  ],
  ["a host in capitals", "https://Receiver.EXAMPLE/Hooks", "https://receiver.example/Hooks"],
  ["a scheme in capitals", "HTTPS://receiver.example/", "https://receiver.example/"],
  ["a scheme in both", "hTtPs://receiver.example/", "https://receiver.example/"],
  ["the default port", "https://receiver.example:443/", "https://receiver.example/"],
  ["the default port, no path", "https://receiver.example:443", "https://receiver.example/"],
  [
    "the default port before a query",
    "https://receiver.example:443?a",
    "https://receiver.example/?a",
  ],
  ["another port", "https://receiver.example:8443/", "https://receiver.example:8443/"],
  ["http's port", "https://receiver.example:80/", "https://receiver.example:80/"],
  ["the least port", "https://receiver.example:1/", "https://receiver.example:1/"],
  ["the greatest port", "https://receiver.example:65535/", "https://receiver.example:65535/"],
  ["a dot behind the host", "https://receiver.example./a", "https://receiver.example/a"],
  [
    "a dot behind the host, with a port",
    "https://receiver.example.:443/a",
    "https://receiver.example/a",
  ],
  ["two labels", "https://a.b", "https://a.b/"],
  ["labels of digits before a name", "https://1.2.3.example/", "https://1.2.3.example/"],
  ["a label that begins with a digit", "https://1receiver.example/", "https://1receiver.example/"],
  ["a top-level domain with digits", "https://receiver.example1/", "https://receiver.example1/"],
  ["hexadecimal letters without 0x", "https://receiver.cafe/", "https://receiver.cafe/"],
  ["hyphens in the third and fourth place", "https://r3---a.example/", "https://r3---a.example/"],
  ["localhost as a label of a name", "https://localhost.example/", "https://localhost.example/"],
  ["local as a label of a name", "https://local.example/", "https://local.example/"],
  ["a name that ends like local", "https://receiver.notlocal/", "https://receiver.notlocal/"],
  [
    "a name that begins like internal",
    "https://receiver.internals/",
    "https://receiver.internals/",
  ],
  ["a label of 63", `https://${"a".repeat(63)}.example/`, `https://${"a".repeat(63)}.example/`],
  ["an A-label", "https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"],
  ["an A-label in capitals", "https://XN--BCHER-KVA.example/", "https://xn--bcher-kva.example/"],
  ["an A-label with a sharp s", "https://xn--strae-oqa.example/", "https://xn--strae-oqa.example/"],
  ["an A-label of two signs", "https://xn--1lqs71d.example/", "https://xn--1lqs71d.example/"],
  ["an A-label of a face", "https://xn--ls8h.example/", "https://xn--ls8h.example/"],
  ["an A-label as top-level domain", "https://receiver.xn--p1ai/", "https://receiver.xn--p1ai/"],
  ["an IPv4 address", "https://8.8.8.8/", "https://8.8.8.8/"],
  ["an IPv4 address with the default port", "https://8.8.8.8:443", "https://8.8.8.8/"],
  ["an IPv6 address", "https://[2606:4700::1111]/", "https://[2606:4700::1111]/"],
  [
    "an IPv6 address with a port",
    "https://[2606:4700::1111]:8443/",
    "https://[2606:4700::1111]:8443/",
  ],
  ["an IPv6 address in capitals", "https://[2606:4700::ABCD]/", "https://[2606:4700::abcd]/"],
  [
    "an IPv6 address with one zero group",
    "https://[2606:4700:0:1:1:1:1:1]/",
    "https://[2606:4700:0:1:1:1:1:1]/",
  ],
  ["unreserved letters, encoded", "https://a.example/%41%7a%30", "https://a.example/Az0"],
  ["unreserved marks, encoded", "https://a.example/%2D%2e%5f%7E", "https://a.example/-._~"],
  ["codes in small letters", "https://a.example/%c3%bc%2f", "https://a.example/%C3%BC%2F"],
  ["a slash, encoded, stays", "https://a.example/a%2Fb", "https://a.example/a%2Fb"],
  ["a question mark, encoded, stays", "https://a.example/a%3Fb", "https://a.example/a%3Fb"],
  ["a hash, encoded, stays", "https://a.example/a%23b", "https://a.example/a%23b"],
  ["an at sign, encoded, stays", "https://a.example/%40", "https://a.example/%40"],
  ["a percent sign, encoded, stays", "https://a.example/%25", "https://a.example/%25"],
  ["what is encoded twice stays so", "https://a.example/%2541", "https://a.example/%2541"],
  ["white space, encoded, stays", "https://a.example/a%20b", "https://a.example/a%20b"],
  ["a plus stays", "https://a.example/?a=b+c", "https://a.example/?a=b+c"],
  ["a line break, encoded, stays", "https://a.example/%0d%0a", "https://a.example/%0D%0A"],
  ["a backslash, encoded, stays", "https://a.example/%5c", "https://a.example/%5C"],
  ["no UTF-8, encoded, stays", "https://a.example/%ff", "https://a.example/%FF"],
  ["letters beyond ASCII in a path", "https://a.example/ü", "https://a.example/%C3%BC"],
  ["letters beyond ASCII in a query", "https://a.example/?q=ü", "https://a.example/?q=%C3%BC"],
  ["a face in a path", "https://a.example/😀", "https://a.example/%F0%9F%98%80"],
  [
    "quotes and brackets in a path",
    'https://a.example/"<>[]^`{|}',
    "https://a.example/%22%3C%3E%5B%5D%5E%60%7B%7C%7D",
  ],
  [
    "quotes and brackets in a query",
    'https://a.example/?"<>[]^`{|}',
    "https://a.example/?%22%3C%3E%5B%5D%5E%60%7B%7C%7D",
  ],
  ["an apostrophe in a path", "https://a.example/it's", "https://a.example/it's"],
  ["an apostrophe in a query", "https://a.example/?it's", "https://a.example/?it%27s"],
  [
    "what a path may hold",
    "https://a.example/!$&'()*+,;=:@-._~",
    "https://a.example/!$&'()*+,;=:@-._~",
  ],
  ["an at sign in a path", "https://a.example/@b.example", "https://a.example/@b.example"],
  ["an at sign in a query", "https://a.example/?u=a@b.example", "https://a.example/?u=a@b.example"],
  [
    "an at sign behind an empty path",
    "https://a.example?@b.example/",
    "https://a.example/?@b.example/",
  ],
  [
    "a URL in a query",
    "https://a.example/?u=http://b.example/?c",
    "https://a.example/?u=http://b.example/?c",
  ],
  ["an empty query", "https://a.example/?", "https://a.example/"],
  ["an empty query, no path", "https://a.example?", "https://a.example/"],
  ["a query of a question mark", "https://a.example/??", "https://a.example/??"],
  ["dot segments", "https://a.example/a/./b/../c", "https://a.example/a/c"],
  ["dot segments, encoded", "https://a.example/a/%2e%2E/b/%2e", "https://a.example/b/"],
  ["dot segments beyond the top", "https://a.example/../../a", "https://a.example/a"],
  ["dots that are no segment", "https://a.example/..a/.../b..", "https://a.example/..a/.../b.."],
  ["dots in a query", "https://a.example/?a=/../b", "https://a.example/?a=/../b"],
  ["a colon in a path", "https://a.example/:443", "https://a.example/:443"],
];

for (const [name, raw, expected] of normalized)
  test(`normalised, ${name}: ${raw}`, () => {
    const judged = good(raw);
    assert.equal(judged.normalized, expected);
    assert.equal(judged.url, raw);
    assert.equal(good(judged.normalized).normalized, expected);
  });

test("host and port are what a connection is made to", () => {
  const parts: [string, string, number][] = [
    ["https://Receiver.example.", "receiver.example", 443],
    ["https://receiver.example:8443/a", "receiver.example", 8443],
    ["https://8.8.8.8:444", "8.8.8.8", 444],
    ["https://[2606:4700::ABCD]:65535", "[2606:4700::abcd]", 65535],
  ];
  for (const [raw, host, port] of parts) {
    const judged = good(raw);
    assert.deepEqual([judged.host, judged.port], [host, port]);
  }
});

/** A word of the sentence that must be in the answer, the name of the case, and the URL. */
const refused: readonly [word: string, name: string, raw: string][] = [
  ["https://", "nothing", ""],
  ["https://", "a word", "receiver"],
  ["https://", "a host", "receiver.example"],
  ["https://", "a host and a port", "receiver.example:443"],
  ["https://", "a path", "/hooks"],
  ["https://", "no scheme", "//receiver.example/"],
  ["https://", "http", "http://receiver.example/"],
  ["https://", "http on 443", "http://receiver.example:443/"],
  ["https://", "ftp", "ftp://receiver.example/"],
  ["https://", "a file", "file:///etc/passwd"],
  ["https://", "a socket", "wss://receiver.example/"],
  ["https://", "javascript", "javascript:alert(1)"],
  ["https://", "data", "data:,a"],
  ["https://", "gopher", "gopher://receiver.example/"],
  ["https://", "a blob", "blob:https://receiver.example/a"],
  ["https://", "view-source", "view-source:https://receiver.example/"],
  ["https://", "a scheme before the scheme", "url:https://receiver.example/"],
  ["https://", "one slash", "https:/receiver.example"],
  ["https://", "no slashes", "https:receiver.example"],
  ["https://", "only the scheme", "https"],
  ["https://", "the scheme and a colon", "https:"],
  ["https://", "the scheme and a slash", "https:/"],
  ["https://", "two colons", "https:://receiver.example"],
  ["https://", "httpss", "httpss://receiver.example"],
  ["https://", "a long s", "http\u017F://receiver.example"],
  ["https://", "full-width scheme", "ｈｔｔｐｓ://receiver.example"],
  ["https://", "full-width colon", "https：//receiver.example"],
  ["https://", "full-width slashes", "https:／／receiver.example"],
  ["https://", "encoded colon", "https%3A//receiver.example"],
  ["https://", "encoded slashes", "https:%2F%2Freceiver.example"],
  ["no host", "no host", "https://"],
  ["no host", "no host, a path", "https:///hooks"],
  ["no host", "three slashes", "https:///receiver.example"],
  ["no host", "four slashes", "https:////receiver.example"],
  ["no host", "no host, a query", "https://?a"],
  ["no host", "no host, a port", "https://:443/"],

  ["U+0020", "white space before", " https://receiver.example/"],
  ["U+0020", "white space behind", "https://receiver.example/ "],
  ["U+0020", "white space in the host", "https://receiver .example/"],
  ["U+0020", "white space in the path", "https://receiver.example/a b"],
  ["U+0020", "white space in the query", "https://receiver.example/?a b"],
  ["U+0020", "white space in the scheme", "https ://receiver.example/"],
  ["U+0009", "a tab in the scheme", "ht\ttps://receiver.example/"],
  ["U+000A", "a line break in the scheme", "https:\n//receiver.example/"],
  ["U+000D", "a return in the scheme", "https:/\r/receiver.example/"],
  ["U+0009", "a tab in the host", "https://receiver\t.example/"],
  ["U+000A", "a line break in the host", "https://receiver.exa\nmple/"],
  ["U+000D", "a return in the path", "https://receiver.example/a\r\nHost: b"],
  ["U+0009", "a tab in an address", "https://127.0\t.0.1/"],
  ["U+000A", "a line break before", "\nhttps://receiver.example/"],
  ["U+000A", "a line break behind", "https://receiver.example/\n"],
  ["U+0000", "a NUL before", "\0https://receiver.example/"],
  ["U+0000", "a NUL in the host", "https://receiver.example\0.b.example/"],
  ["U+0000", "a NUL in the path", "https://receiver.example/\0"],
  ["U+0001", "a control character", "https://receiver.example/\u0001"],
  ["U+001F", "a control character before", "\u001Fhttps://receiver.example/"],
  ["U+007F", "delete", "https://receiver.example/\u007F"],
  ["U+0085", "next line", "https://receiver.example/\u0085"],
  ["U+00A0", "a no-break space", "https://receiver.example/\u00A0"],
  ["U+00AD", "a soft hyphen in the host", "https://rec\u00ADeiver.example/"],
  ["U+00AD", "a soft hyphen in the path", "https://receiver.example/\u00AD"],
  ["U+034F", "a grapheme joiner", "https://receiver\u034F.example/"],
  ["U+1680", "an Ogham space", "https://receiver.example/\u1680"],
  ["U+180E", "a Mongolian separator", "https://receiver\u180E.example/"],
  ["U+2003", "an em space", "https://receiver.example/\u2003"],
  ["U+200B", "a zero-width space in the host", "https://receiver\u200B.example/"],
  ["U+200B", "a zero-width space in an address", "https://127.0.0.\u200B1/"],
  ["U+200C", "a zero-width non-joiner", "https://receiver\u200C.example/"],
  ["U+200D", "a zero-width joiner", "https://receiver\u200D.example/"],
  ["U+200E", "a left-to-right mark", "https://receiver.example/\u200E"],
  ["U+202E", "a right-to-left override", "https://receiver.example/\u202Egro.b"],
  ["U+2028", "a line separator", "https://receiver.example/\u2028"],
  ["U+2029", "a paragraph separator", "https://receiver.example/\u2029"],
  ["U+202F", "a narrow no-break space", "https://receiver.example/\u202F"],
  ["U+205F", "a mathematical space", "https://receiver.example/\u205F"],
  ["U+2060", "a word joiner", "https://receiver\u2060.example/"],
  ["U+2066", "an isolate", "https://receiver.example/\u2066"],
  ["U+3000", "an ideographic space", "https://receiver.example/\u3000"],
  ["U+3164", "a Hangul filler", "https://receiver.example/\u3164"],
  ["U+FE0F", "a variation selector", "https://receiver\uFE0F.example/"],
  ["U+FEFF", "a byte order mark before", "\uFEFFhttps://receiver.example/"],
  ["U+FEFF", "a byte order mark in the host", "https://receiver\uFEFF.example/"],
  ["U+D800", "half a surrogate pair", "https://receiver.example/\uD800"],
  ["U+DC00", "the other half", "https://receiver.example/\uDC00a"],
  ["U+FFF9", "an annotation", "https://receiver.example/\uFFF9"],
  ["U+E0041", "a tag", "https://receiver.example/\u{E0041}"],

  ["backslash", "backslashes for slashes", "https:\\\\receiver.example\\"],
  ["backslash", "one backslash for a slash", "https:/\\receiver.example/"],
  ["backslash", "a backslash behind the host", "https://receiver.example\\hooks"],
  ["backslash", "a backslash before an at sign", "https://receiver.example\\@b.example/"],
  ["backslash", "a backslash in the path", "https://receiver.example/a\\b"],
  ["backslash", "a backslash in the query", "https://receiver.example/?a\\b"],

  ["fragment", "a fragment", "https://receiver.example/#a"],
  ["fragment", "an empty fragment", "https://receiver.example/#"],
  ["fragment", "a fragment behind the host", "https://receiver.example#a"],
  ["fragment", "a fragment behind a query", "https://receiver.example/?a#b"],
  ["fragment", "a fragment before an at sign", "https://receiver.example#@b.example/"],

  ["credentials", "a user", "https://user@receiver.example/"],
  ["credentials", "a user, before a fragment", "https://user@receiver.example/#a"],
  ["fragment", "a fragment, behind a user", "https://user@receiver.example/#a"],
  ["credentials", "a user and a password", "https://user:secret@receiver.example/"],
  ["credentials", "a password", "https://:secret@receiver.example/"],
  ["credentials", "an empty user", "https://@receiver.example/"],
  ["credentials", "an empty user and password", "https://:@receiver.example/"],
  ["credentials", "a host as user", "https://receiver.example@127.0.0.1/"],
  ["credentials", "a host and a port as user", "https://receiver.example:443@b.example/"],
  ["credentials", "two at signs", "https://a@b@receiver.example/"],
  ["credentials", "an at sign behind the host", "https://receiver.example@/"],
  ["credentials", "an encoded at sign before one", "https://a%40b@receiver.example/"],
  ["credentials", "an at sign before brackets", "https://a@[2606:4700::1111]/"],
  ["credentials", "a user, a query", "https://user@receiver.example?a"],

  ["port", "port 0", "https://receiver.example:0/"],
  ["port", "port 00", "https://receiver.example:00/"],
  ["port", "an empty port", "https://receiver.example:/"],
  ["port", "an empty port, no path", "https://receiver.example:"],
  ["port", "zeros before the port", "https://receiver.example:00443/"],
  ["port", "a zero before the port", "https://receiver.example:0443/"],
  ["port", "a plus before the port", "https://receiver.example:+443/"],
  ["port", "a minus before the port", "https://receiver.example:-443/"],
  ["port", "a port too large", "https://receiver.example:65536/"],
  ["port", "a port of 32 bits", "https://receiver.example:4294967739/"],
  ["port", "a port of many digits", `https://receiver.example:${"9".repeat(400)}/`],
  ["port", "a port with a point", "https://receiver.example:443.0/"],
  ["port", "a port with an exponent", "https://receiver.example:4e2/"],
  ["port", "a hexadecimal port", "https://receiver.example:0x1bb/"],
  ["port", "a port of letters", "https://receiver.example:https/"],
  ["port", "a full-width port", "https://receiver.example:４４３/"],
  ["port", "an Arabic port", "https://receiver.example:\u0664\u0664\u0663/"],
  ["port", "an encoded port", "https://receiver.example:%34%34%33/"],
  ["host is invalid", "two ports", "https://receiver.example:443:443/"],
  ["port", "port 0 of an address", "https://8.8.8.8:0/"],
  ["port", "port 0 of an IPv6 address", "https://[2606:4700::1111]:0/"],
  ["port", "an empty port of an IPv6 address", "https://[2606:4700::1111]:/"],

  ["local name", "localhost", "https://localhost/"],
  ["local name", "localhost with a port", "https://localhost:8443/"],
  ["local name", "localhost in capitals", "https://LOCALHOST/"],
  ["local name", "localhost with a dot behind", "https://localhost./"],
  ["local name", "below localhost", "https://receiver.localhost/"],
  ["local name", "below localhost, a dot behind", "https://receiver.LocalHost./"],
  ["local name", "local", "https://printer.local/"],
  ["local name", "local with a dot behind", "https://printer.local./"],
  ["local name", "just local", "https://local/"],
  ["local name", "internal", "https://metadata.google.internal/"],
  ["local name", "internal in capitals", "https://METADATA.GOOGLE.INTERNAL/"],
  ["local name", "internal with a dot behind", "https://metadata.google.internal./"],
  ["local name", "just internal", "https://internal/"],

  ["single word", "one label", "https://receiver/"],
  ["single word", "one label with a dot behind", "https://receiver./"],
  ["single word", "one label and a port", "https://receiver:8443/"],
  ["domain name", "two dots behind", "https://receiver.example../"],
  ["domain name", "an empty label", "https://receiver..example/"],
  ["domain name", "a dot before", "https://.receiver.example/"],
  ["domain name", "a dot", "https://./"],
  ["domain name", "two dots", "https://../"],
  ["domain name", "a hyphen before", "https://-receiver.example/"],
  ["domain name", "a hyphen behind", "https://receiver-.example/"],
  ["domain name", "a label of hyphens", "https://--.example/"],
  ["domain name", "an underscore", "https://my_receiver.example/"],
  ["domain name", "a label of 64", `https://${"a".repeat(64)}.example/`],
  ["domain name", "a name of 254", `https://${`${"a".repeat(61)}.`.repeat(4)}abcdef/`],
  ["domain name", "a wildcard", "https://*.example/"],
  ["domain name", "an exclamation mark", "https://a!.example/"],
  ["domain name", "a comma", "https://a,b.example/"],
  ["domain name", "a semicolon", "https://a;b.example/"],
  ["domain name", "an encoded letter", "https://r%65ceiver.example/"],
  ["domain name", "an encoded dot", "https://receiver%2Eexample/"],
  ["domain name", "an encoded slash", "https://receiver.example%2Fa.b.example/"],
  ["domain name", "an encoded at sign", "https://a%40receiver.example/"],
  ["domain name", "an encoded NUL", "https://receiver.example%00.b.example/"],
  ["domain name", "an encoded address", "https://%31%32%37.0.0.a/"],
  ["domain name", "quotes", 'https://"receiver".example/'],
  ["domain name", "angle brackets", "https://<receiver>.example/"],
  ["domain name", "a brace", "https://{receiver}.example/"],
  ["domain name", "a bar", "https://a|b.example/"],
  ["domain name", "a circumflex", "https://a^b.example/"],
  ["domain name", "a dollar sign", "https://$a.example/"],
  ["xn--", "an A-label of nothing", "https://xn--a.example/"],
  ["xn--", "an A-label of plain letters", "https://xn--abc.example/"],
  ["xn--", "an A-label of a capital letter", "https://xn--wca.example/"],
  ["xn--", "an A-label of two characters for one", "https://xn--u-ccb.example/"],
  ["xn--", "an A-label of a soft hyphen", "https://xn--kba2n.example/"],
  ["xn--", "an A-label of a joiner", "https://xn--1ug.example/"],
  ["xn--", "an A-label of a full-width digit", "https://127.0.0.xn--8g7c/"],
  ["xn--", "an A-label with a hyphen too many", "https://xn---qdv.example/"],
  ["xn--", "an A-label that cannot be decoded", "https://xn--0000h.example/"],
  ["domain name", "an A-label without its end", "https://xn--.example/"],
  ["domain name", "an A-label that ends in a hyphen", "https://xn--abc-.example/"],

  ["Write xn--bcher-kva.example.", "a name with an umlaut", "https://bücher.example/"],
  ["Write xn--bcher-kva.example.", "the same, composed otherwise", "https://bu\u0308cher.example/"],
  ["Write xn--bcher-kva.example.", "the same in capitals", "https://BÜCHER.example/"],
  ["Write xn--1lqs71d.example.", "a name in signs", "https://東京.example/"],
  ["Write xn--e1afmkfd.xn--p1ai.", "a name in another script", "https://пример.рф/"],
  ["Write xn--pple-43d.example.", "a name that looks like another", "https://аpple.example/"],
  ["Write receiver.example.", "full-width letters", "https://ｒｅｃｅｉｖｅｒ.example/"],
  ["Write receiver.example.", "an ideographic dot", "https://receiver。example/"],
  ["Write receiver.example.", "a full-width dot", "https://receiver．example/"],
  ["Write receiver.example.", "a half-width dot", "https://receiver｡example/"],
  ["Write k.example.", "a Kelvin sign", "https://\u212A.example/"],
  ["Write receiver.example.", "circled letters", "https://ⓡeceiver.example/"],
  ["Write 8.8.8.8.", "full-width digits", "https://８.８.８.８/"],
  ["a to z", "full-width loopback", "https://１２７.０.０.１/"],
  ["a to z", "loopback with ideographic dots", "https://127。0。0。1/"],
  ["a to z", "circled loopback", "https://①②⑦.0.0.1/"],
  ["a to z", "superscript loopback", "https://127.0.0.¹/"],
  ["a to z", "full-width localhost", "https://ｌｏｃａｌｈｏｓｔ/"],
  ["a to z", "full-width internal", "https://metadata.google.ｉｎｔｅｒｎａｌ/"],
  ["a to z", "a long s in localhost", "https://localho\u017Ft/"],
  ["a to z", "a full-width slash in the host", "https://receiver.example／b.example/"],
  ["a to z", "a full-width at sign", "https://a＠receiver.example/"],
  ["a to z", "a full-width hash", "https://receiver.example＃b.example/"],
  ["a to z", "a full-width percent sign", "https://receiver％2eexample/"],
  ["a to z", "account of", "https://\u2100.example/"],
  ["a to z", "a one dot leader", "https://localhost\u2024/"],

  ["number", "one decimal number", "https://2130706433/"],
  ["number", "one decimal number, public", "https://134744072/"],
  ["number", "one octal number", "https://017700000001/"],
  ["number", "one hexadecimal number", "https://0x7f000001/"],
  ["number", "one hexadecimal number in capitals", "https://0X7F000001/"],
  ["number", "zero", "https://0/"],
  ["number", "an empty hexadecimal number", "https://0x/"],
  ["number", "two parts", "https://127.1/"],
  ["number", "two parts, hexadecimal", "https://0x7f.1/"],
  ["number", "three parts", "https://127.0.1/"],
  ["number", "octal parts", "https://0177.0.0.1/"],
  ["number", "octal parts, public", "https://010.8.8.8/"],
  ["number", "hexadecimal parts", "https://0x7f.0x0.0x0.0x1/"],
  ["number", "a hexadecimal part", "https://8.8.8.0x8/"],
  ["number", "zeros before", "https://008.008.008.008/"],
  ["number", "a part too large", "https://8.8.8.256/"],
  ["number", "a number too large", "https://4294967296/"],
  ["number", "five parts", "https://8.8.8.8.8/"],
  ["number", "a dot behind an address", "https://8.8.8.8./"],
  ["number", "a dot behind loopback", "https://127.0.0.1./"],
  ["number", "an empty part", "https://8..8.8/"],
  ["number", "a name that ends in a number", "https://receiver.1/"],
  ["number", "a name that ends in a hexadecimal number", "https://receiver.0x1/"],
  ["number", "a name that ends in 0x", "https://receiver.0x/"],
  ["number", "an encoded address", "https://%31%32%37.0.0.1/"],
  ["number", "a negative address", "https://-1.0.0.1/"],

  ["not public", "loopback", "https://127.0.0.1/"],
  ["not public", "loopback with a port", "https://127.0.0.1:8443/"],
  ["not public", "unspecified", "https://0.0.0.0/"],
  ["not public", "private", "https://10.0.0.1/"],
  ["not public", "private, 172", "https://172.16.0.1/"],
  ["not public", "private, 192", "https://192.168.1.1/"],
  ["not public", "carriers' space", "https://100.64.0.1/"],
  ["not public", "metadata", "https://169.254.169.254/latest/meta-data/"],
  ["not public", "Azure's host", "https://168.63.129.16/"],
  ["not public", "documentation", "https://192.0.2.1/"],
  ["not public", "multicast", "https://224.0.0.1/"],
  ["not public", "broadcast", "https://255.255.255.255/"],
  ["not public", "loopback over IPv6", "https://[::1]/"],
  ["not public", "unspecified over IPv6", "https://[::]/"],
  ["not public", "unique local", "https://[fd00::1]/"],
  ["not public", "Amazon's metadata over IPv6", "https://[fd00:ec2::254]/"],
  ["not public", "link-local", "https://[fe80::1]/"],
  ["not public", "site-local", "https://[fec0::1]/"],
  ["not public", "multicast over IPv6", "https://[ff02::1]/"],
  ["not public", "documentation over IPv6", "https://[2001:db8::1]/"],
  ["not public", "discard-only", "https://[100::1]/"],
  ["not public", "segment routing", "https://[5f00::1]/"],
  ["not public", "local NAT64", "https://[64:ff9b:1::808:808]/"],
  ["not public", "IPv4 translated", "https://[::ffff:0:808:808]/"],

  ["contains an IPv4 address", "mapped loopback", "https://[::ffff:127.0.0.1]/"],
  ["contains an IPv4 address", "mapped loopback in groups", "https://[::ffff:7f00:1]/"],
  ["contains an IPv4 address", "mapped metadata", "https://[::ffff:a9fe:a9fe]/"],
  ["contains an IPv4 address", "mapped and public", "https://[::ffff:8.8.8.8]/"],
  ["contains an IPv4 address", "mapped in full", "https://[0:0:0:0:0:ffff:808:808]/"],
  ["contains an IPv4 address", "compatible loopback", "https://[::127.0.0.1]/"],
  ["contains an IPv4 address", "compatible and public", "https://[::808:808]/"],
  ["contains an IPv4 address", "NAT64", "https://[64:ff9b::8.8.8.8]/"],
  ["contains an IPv4 address", "NAT64 loopback", "https://[64:ff9b::7f00:1]/"],
  ["contains an IPv4 address", "6to4", "https://[2002:808:808::1]/"],
  ["contains an IPv4 address", "6to4 private", "https://[2002:a00:1::1]/"],
  ["contains an IPv4 address", "Teredo", "https://[2001:0:808:808::fefe:fefe]/"],

  ["short form", "IPv6 in full", "https://[2606:4700:0000:0000:0000:0000:0000:1111]/"],
  ["short form", "zeros before a group", "https://[2606:4700::0111]/"],
  ["short form", "no compression", "https://[2606:4700:0:0:0:0:0:1111]/"],
  ["short form", "too little compression", "https://[2606:4700:0::1111]/"],
  ["short form", "compression of one group", "https://[2606:4700::1:1:1:1:1]/"],
  ["short form", "the second of two runs", "https://[2606:0:0:1::1:1]/"],
  ["short form", "a dotted end", "https://[2606:4700::8.8.8.8]/"],
  ["short form", "loopback in full", "https://[0:0:0:0:0:0:0:1]/"],
  ["zone", "a zone", "https://[fe80::1%eth0]/"],
  ["zone", "an encoded zone", "https://[fe80::1%25eth0]/"],
  ["zone", "a zone on a public address", "https://[2606:4700::1111%25eth0]/"],
  ["zone", "an empty zone", "https://[2606:4700::1111%]/"],
  ["IPv6", "empty brackets", "https://[]/"],
  ["IPv6", "an IPv4 address in brackets", "https://[8.8.8.8]/"],
  ["IPv6", "a name in brackets", "https://[receiver.example]/"],
  ["IPv6", "an address of the future", "https://[v1.a]/"],
  ["IPv6", "too many groups", "https://[1:2:3:4:5:6:7:8:9]/"],
  ["IPv6", "two compressions", "https://[2606::4700::1111]/"],
  ["IPv6", "a letter too many", "https://[2606:4700::g]/"],
  ["IPv6", "a port inside", "https://[[2606:4700::1111]:443]/"],
  ["host is invalid", "no closing bracket", "https://[2606:4700::1111/"],
  ["host is invalid", "no opening bracket", "https://2606:4700::1111]/"],
  ["host is invalid", "a letter behind the bracket", "https://[2606:4700::1111]a/"],
  ["host is invalid", "a dot behind the bracket", "https://[2606:4700::1111]./"],
  ["host is invalid", "a letter before the bracket", "https://a[2606:4700::1111]/"],
  ["host is invalid", "no brackets", "https://2606:4700::1111/"],
  ["host is invalid", "no brackets, compressed", "https://::1/"],

  ["hexadecimal", "a percent sign at the end", "https://receiver.example/100%"],
  ["hexadecimal", "a percent sign and one digit", "https://receiver.example/%2"],
  ["hexadecimal", "a percent sign and other letters", "https://receiver.example/%zz"],
  ["hexadecimal", "a percent sign and full-width digits", "https://receiver.example/%２０"],
  ["hexadecimal", "a percent sign of JavaScript", "https://receiver.example/%u0041"],
  ["hexadecimal", "a percent sign in the query", "https://receiver.example/?a=50%"],
  ["hexadecimal", "a percent sign before an encoded one", "https://receiver.example/%%41"],
];

for (const [word, name, raw] of refused)
  test(`refused, ${name}: ${JSON.stringify(raw.length > 100 ? `${raw.slice(0, 100)}…` : raw)}`, () => {
    const judged = judgeUrl(raw);
    assert.ok("mistake" in judged, JSON.stringify(judged));
    assert.ok(judged.mistake.includes(word), judged.mistake);
    assert.match(judged.mistake, /^The URL.*\.$/);
  });

test("a URL has at most 2,048 characters", () => {
  const start = "https://receiver.example/";
  good(start + "a".repeat(2_048 - start.length));
  const judged = judgeUrl(start + "a".repeat(2_049 - start.length));
  assert.ok("mistake" in judged);
  assert.match(judged.mistake, /has 2049 characters; the maximum is 2048/);
});

test("a URL has at most 2,048 characters once it is normalised, too", () => {
  const start = "https://receiver.example/";
  const faces = Math.floor((2_048 - start.length) / 12);
  good(start + "😀".repeat(faces));
  const judged = judgeUrl(start + "😀".repeat(faces + 1));
  assert.ok("mistake" in judged);
  assert.match(judged.mistake, /percent-encoded/);
});

test("characters are counted, not halves of them", () => {
  const judged = judgeUrl(`https://receiver.example/${"😀".repeat(2_023)}`);
  assert.ok("mistake" in judged);
  assert.match(judged.mistake, /percent-encoded/);
});

test("a name has at most 253 characters, without the dot behind it", () => {
  const name = `${"a".repeat(61)}.`.repeat(4) + "abcde";
  assert.equal(name.length, 253);
  assert.equal(good(`https://${name}./`).host, name);
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
  test(`${raw} is ${isAllowed ? "possible" : "refused"} where ${networks} is allowed`, () => {
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

/** What `new URL()` says a connection is made to. */
function target(text: string) {
  const { protocol, hostname, port, username, password, hash } = new URL(text);
  return {
    protocol,
    host: hostname.replace(/\.$/, ""),
    port: port === "" ? 443 : Number(port),
    rest: username + password + hash,
  };
}

function assertTargetIsWhatWasJudged(raw: string, judged: { host: string; port: number }) {
  const { host, port } = judged;
  assert.deepEqual(target(raw), { protocol: "https:", host, port, rest: "" });
}

test("a normalised URL is its own normalised form", () => {
  fc.assert(
    fc.property(urls, (raw) => {
      const once = good(raw);
      const twice = good(once.normalized);
      assert.deepEqual(twice, { ...once, url: once.normalized });
    }),
    { numRuns: 3_000 },
  );
});

test("a judged URL leads where new URL() says it leads, before and after", () => {
  fc.assert(
    fc.property(urls, (raw) => {
      const judged = good(raw);
      assertTargetIsWhatWasJudged(raw, judged);
      assertTargetIsWhatWasJudged(judged.normalized, judged);
      assert.equal(new URL(judged.normalized).href, judged.normalized);
    }),
    { numRuns: 3_000 },
  );
});

test("a normalised URL asks for what was written, but for its encoding", () => {
  const decoded = (text: string) =>
    text.replaceAll(/%[\da-f]{2}/gi, (each) => String.fromCharCode(Number(`0x${each.slice(1)}`)));
  // Divided first: an encoded slash is a letter of its segment.
  const meaning = ({ pathname, search }: URL) => ({
    segments: pathname.split("/").map(decoded),
    words: search.split(/([?&=+;])/).map(decoded),
  });
  fc.assert(
    fc.property(urls, (raw) =>
      assert.deepEqual(meaning(new URL(good(raw).normalized)), meaning(new URL(raw))),
    ),
    { numRuns: 1_000 },
  );
});

test("the letters of scheme and host make no difference", () => {
  fc.assert(
    fc.property(hosts, ports, paths, queries, (host, port, path, query) => {
      const one = good(`https://${host.toLowerCase()}${port}${path}${query}`);
      const other = good(`HTTPS://${host.toUpperCase()}${port}${path}${query}`);
      assert.equal(one.normalized, other.normalized);
    }),
  );
});

/** Pieces that readers of URLs take differently, in any order. */
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

test("whatever is accepted leads where new URL() says it leads", () => {
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
      assertTargetIsWhatWasJudged(raw, judged);
      assertTargetIsWhatWasJudged(judged.normalized, judged);
      assert.match(judged.normalized, /^https:\/\/[!-~]+$/);
      assert.equal(good(judged.normalized).normalized, judged.normalized);
    }),
    { numRuns: 10_000 },
  );
});
