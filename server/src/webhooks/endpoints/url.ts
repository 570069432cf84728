import { domainToASCII, domainToUnicode } from "node:url";
import {
  type Address,
  formatAddress,
  type Network,
  parseAddress,
  unmapped,
} from "../../base/networks.ts";
import { whyRefused, wrappedIn } from "../http/public-address.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";

/**
 * Validates the URL of an endpoint as written, before `new URL()` repairs it. `new URL()` drops tabs, normalizes
 * backslashes and full-width dots, and reads 0x7f.1 as 127.0.0.1. Other parsers may repair it differently, so a URL
 * that needs a repair is rejected with advice.
 */

const HTTPS_PORT = 443;

export interface JudgedUrl {
  /** The URL as written. */
  readonly url: string;
  /** The URL that is called and compared with other endpoints. */
  readonly normalized: string;
  /** In lower case, without a trailing dot. An IPv6 address is in brackets. */
  readonly host: string;
  readonly port: number;
}

/** `allowed` lists private networks that the operator allows. */
export function judgeUrl(
  raw: string,
  allowed: readonly Network[] = [],
): JudgedUrl | { readonly mistake: string } {
  try {
    return judge(raw, allowed);
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    return { mistake: error.message };
  }
}

/** Its message is shown to the client. */
class Mistake extends Error {}

function judge(raw: string, allowed: readonly Network[]): JudgedUrl {
  checkLength(raw, "");
  checkCharacters(raw);
  checkLeftOut(raw);
  const { authority, path, query } = divide(raw);
  const { hostText, portText } = divideAuthority(authority);
  const host = judgeHost(hostText, allowed);
  const port = judgePort(portText);
  const normalized = normalize({ host, port, path, query });
  // The column is indexed, and percent-encoding can make a character twelve times as long.
  checkLength(normalized, " once it is percent-encoded");
  return { url: raw, normalized, host, port };
}

function checkLength(text: string, when: string): void {
  // Counts code points, so that an emoji is one character.
  const { length } = Array.from(text);
  if (length > webhookLimits.urlLengthMax)
    throw new Mistake(
      `The URL has ${length} characters${when}; the maximum is ${webhookLimits.urlLengthMax}.`,
    );
}

/** White space, control and format characters, lone surrogates, and invisible characters. */
const unseen = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

function checkCharacters(raw: string): void {
  const [found] = unseen.exec(raw) ?? [];
  if (found !== undefined)
    throw new Mistake(
      `The URL contains white space, a control character or an invisible one (${codePoint(found)}). Remove it.`,
    );
  if (raw.includes("\\")) throw new Mistake("The URL contains a backslash. Write / or %5C.");
}

/** Reported together, because a copied URL often has both. */
function checkLeftOut(raw: string): void {
  const [, authority = ""] = /^https:\/\/([^/?#]*)/i.exec(raw) ?? [];
  const mistakes = [
    authority.includes("@") &&
      "The URL contains credentials. Remove the @ and everything before it. Verify the signature to authenticate the sender.",
    raw.includes("#") &&
      "The URL contains a fragment, which is never sent. Remove the # and everything after it.",
  ].filter((mistake) => mistake !== false);
  if (mistakes.length > 0) throw new Mistake(mistakes.join(" "));
}

const codePoint = (text: string) =>
  `U+${text.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;

function divide(raw: string): { authority: string; path: string; query: string } {
  const [, authority, path = "", query = ""] =
    /^https:\/\/([^/?]*)([^?]*)(?:\?(.*))?$/i.exec(raw) ?? [];
  if (authority === undefined) throw new Mistake("The URL must begin with https://.");
  if (authority === "") throw new Mistake("The URL contains no host after https://.");
  return { authority, path, query };
}

function divideAuthority(authority: string): { hostText: string; portText: string | undefined } {
  const [, hostText, portText] = /^(\[[^[\]]*\]|[^:[\]]*)(?::([^:]*))?$/.exec(authority) ?? [];
  if (hostText === undefined)
    throw new Mistake(
      "The URL's host is invalid. Use a name, an IPv4 address, or an IPv6 address in brackets.",
    );
  if (hostText === "") throw new Mistake("The URL contains no host after https://.");
  return { hostText, portText };
}

/** Only the common form. `new URL()` also accepts 00443, and parsers disagree about an empty port. */
function judgePort(text: string | undefined): number {
  if (text === undefined) return HTTPS_PORT;
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > 65_535)
    throw new Mistake("The URL's port must be an integer from 1 to 65535 without leading zeros.");
  return Number(text);
}

function judgeHost(text: string, allowed: readonly Network[]): string {
  // Checked before conversion to lower case, which turns the Kelvin sign into a plain k.
  if (!isAscii(text)) throw new Mistake(adviceFor(text));
  const host = text.toLowerCase();
  if (host.startsWith("[")) return judgeIpv6(host, allowed);
  if (endsInNumber(host)) return judgeIpv4(host, allowed);
  return judgeName(host);
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

/** Parsers read such a host as an IPv4 address, because no top-level domain is a number. */
const endsInNumber = (host: string) => /(^|\.)(\d+|0x[\da-f]*)\.?$/.test(host);

function judgeIpv4(host: string, allowed: readonly Network[]): string {
  const address = parseAddress(host);
  if (!address)
    throw new Mistake(
      "The URL's host is a number but not an IPv4 address. Write four decimal numbers from 0 to 255 without leading zeros.",
    );
  checkPublic(address, allowed);
  return host;
}

function judgeIpv6(host: string, allowed: readonly Network[]): string {
  const text = host.slice(1, -1);
  if (text.includes("%")) throw new Mistake("The URL's IPv6 address has a zone. Remove it.");
  const address = parseAddress(text);
  if (address?.version !== 6) throw new Mistake("The URL's host is not an IPv6 address.");
  // It would be a second spelling of one destination.
  if (unmapped(address).version === 4 || wrappedIn(address).length > 0)
    throw new Mistake("The URL's IPv6 address contains an IPv4 address. Use the IPv4 address.");
  const canonical = formatAddress(address);
  if (canonical !== text)
    throw new Mistake(`The URL's IPv6 address must be in its short form. Write [${canonical}].`);
  checkPublic(address, allowed);
  return host;
}

function checkPublic(address: Address, allowed: readonly Network[]): void {
  if (whyRefused(address, allowed) !== undefined)
    throw new Mistake(
      "The URL's address is not public. Use a public address, or ask the operator to allow this one.",
    );
}

/** Names that resolvers answer locally. */
const ownNames = new Set(["localhost", "local", "internal"]);

/** A label of a host name: letters, digits and inner hyphens. */
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const NAME_LENGTH_MAX = 253;

function judgeName(host: string): string {
  const name = host.replace(/\.$/, "");
  const labels = name.split(".");
  if (ownNames.has(labels.at(-1) ?? ""))
    throw new Mistake(
      "The URL's host is a local name. Names that end in localhost, .local or .internal are not public.",
    );
  if (!labels.every((each) => label.test(each)) || name.length > NAME_LENGTH_MAX)
    throw new Mistake(
      "The URL's host is not a domain name: labels of at most 63 letters, digits and hyphens, joined by dots.",
    );
  if (labels.length < 2)
    throw new Mistake("The URL's host is a single word. Write the full domain name.");
  if (!labels.every(encodesAName))
    throw new Mistake("The URL's host has an xn-- label that is not valid Punycode.");
  return name;
}

/** Some parsers reject an xn-- label that is not valid Punycode. */
function encodesAName(each: string): boolean {
  if (!each.startsWith("xn--")) return true;
  const letters = domainToUnicode(each);
  return !isAscii(letters) && domainToASCII(letters) === each;
}

/**
 * A name with non-ASCII letters is rejected, and the message contains its ASCII form. Converting it silently would
 * accept look-alike characters, and parsers disagree about ß. The ASCII form also makes look-alike names visible.
 */
function adviceFor(host: string): string {
  const refusal = "The URL's host contains characters that DNS does not allow.";
  try {
    return `${refusal} Write ${judgeHost(domainToASCII(host), [])}.`;
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    return `${refusal} Write it with a to z, 0 to 9, hyphens and dots.`;
  }
}

function normalize(url: { host: string; port: number; path: string; query: string }): string {
  const authority = url.port === HTTPS_PORT ? url.host : `${url.host}:${url.port}`;
  // An empty query is not sent, so it does not distinguish two URLs.
  const query = url.query === "" ? "" : `?${encoded(url.query)}`;
  // At this point `new URL()` only resolves dot segments, as every client does.
  return new URL(`https://${authority}${encoded(url.path)}${query}`).href;
}

/**
 * Normalizes the percent-encoding of a path or a query (RFC 3986, 6.2.2). %2F stays encoded, because it differs from /.
 */
function encoded(text: string): string {
  if (/%(?![\da-f]{2})/i.test(text))
    throw new Mistake("The URL contains a % without two hexadecimal digits after it. Write %25.");
  return text
    .replaceAll(/%[\da-f]{2}/gi, (code) => unreserved(code) ?? code.toUpperCase())
    .replaceAll(/[^\w.~!$&'()*+,;=:@/?%-]/gu, encodeURIComponent);
}

function unreserved(code: string): string | undefined {
  const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : undefined;
}
