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
 * Where an endpoint may be: judged on what was written, before `new URL()` repairs it. It drops tabs, turns
 * backslashes and full-width dots into what they resemble, and reads 0x7f.1 as 127.0.0.1. Whoever reads the URL after
 * us may repair it differently, so that what needs a repair is refused with a word about it.
 */

const HTTPS_PORT = 443;

export interface JudgedUrl {
  /** As it was written, for those who look for it. */
  readonly url: string;
  /** What is compared with other endpoints, and what is called. */
  readonly normalized: string;
  /** Lower case, without a trailing dot; an IPv6 address in its brackets. */
  readonly host: string;
  readonly port: number;
}

/** `allowed` are networks of the operator's own, whose addresses may be written although they are not public. */
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

/** Its message is a sentence for whoever wrote the URL. */
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
  // The column is indexed, and a letter may have become twelve.
  checkLength(normalized, " once it is percent-encoded");
  return { url: raw, normalized, host, port };
}

function checkLength(text: string, when: string): void {
  // Code points, so that a face is one character and not two.
  const { length } = Array.from(text);
  if (length > webhookLimits.urlLengthMax)
    throw new Mistake(
      `The URL has ${length} characters${when}; at most ${webhookLimits.urlLengthMax} are possible.`,
    );
}

/** White space, control and format characters, halves of surrogate pairs, and letters that show nothing. */
const unseen = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

function checkCharacters(raw: string): void {
  const [found] = unseen.exec(raw) ?? [];
  if (found !== undefined)
    throw new Mistake(
      `The URL contains white space, a control character or an invisible one (${codePoint(found)}). Remove it.`,
    );
  if (raw.includes("\\")) throw new Mistake("The URL contains a backslash. Write / or %5C.");
}

/** Told together, since a URL that was copied from somewhere often has both. */
function checkLeftOut(raw: string): void {
  const [, authority = ""] = /^https:\/\/([^/?#]*)/i.exec(raw) ?? [];
  const mistakes = [
    authority.includes("@") &&
      "The URL has credentials. Leave out the @ and all before it: the signature says who is calling.",
    raw.includes("#") &&
      "The URL has a fragment. Leave out the # and all after it: it is never sent.",
  ].filter((mistake) => mistake !== false);
  if (mistakes.length > 0) throw new Mistake(mistakes.join(" "));
}

const codePoint = (text: string) =>
  `U+${text.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;

function divide(raw: string): { authority: string; path: string; query: string } {
  const [, authority, path = "", query = ""] =
    /^https:\/\/([^/?]*)([^?]*)(?:\?(.*))?$/i.exec(raw) ?? [];
  if (authority === undefined) throw new Mistake("The URL must begin with https://.");
  if (authority === "") throw new Mistake("The URL names no host after https://.");
  return { authority, path, query };
}

function divideAuthority(authority: string): { hostText: string; portText: string | undefined } {
  const [, hostText, portText] = /^(\[[^[\]]*\]|[^:[\]]*)(?::([^:]*))?$/.exec(authority) ?? [];
  if (hostText === undefined)
    throw new Mistake(
      "The URL's host cannot be read. It is a name or an IPv4 address, or an IPv6 address in brackets.",
    );
  if (hostText === "") throw new Mistake("The URL names no host after https://.");
  return { hostText, portText };
}

/** Only as it is written everywhere: `new URL()` takes 00443, and what takes an empty port is a matter of taste. */
function judgePort(text: string | undefined): number {
  if (text === undefined) return HTTPS_PORT;
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > 65_535)
    throw new Mistake(
      "The URL's port must be a whole number from 1 to 65535, without zeros before it.",
    );
  return Number(text);
}

function judgeHost(text: string, allowed: readonly Network[]): string {
  // Before anything is lowered: the Kelvin sign becomes a plain k.
  if (!isAscii(text)) throw new Mistake(adviceFor(text));
  const host = text.toLowerCase();
  if (host.startsWith("[")) return judgeIpv6(host, allowed);
  if (endsInNumber(host)) return judgeIpv4(host, allowed);
  return judgeName(host);
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

/** What a reader of URLs takes for an IPv4 address: no top-level domain is a number, decimal or hexadecimal. */
const endsInNumber = (host: string) => /(^|\.)(\d+|0x[\da-f]*)\.?$/.test(host);

function judgeIpv4(host: string, allowed: readonly Network[]): string {
  const address = parseAddress(host);
  if (!address)
    throw new Mistake(
      "The URL's host is a number. An IPv4 address is four decimal numbers from 0 to 255, without zeros before them.",
    );
  checkPublic(address, allowed);
  return host;
}

function judgeIpv6(host: string, allowed: readonly Network[]): string {
  const text = host.slice(1, -1);
  if (text.includes("%")) throw new Mistake("The URL's IPv6 address has a zone. Leave it out.");
  const address = parseAddress(text);
  if (address?.version !== 6) throw new Mistake("The URL's host is not an IPv6 address.");
  // It would be a second spelling of one destination, and as a receiver's own address nobody has it.
  if (unmapped(address).version === 4 || wrappedIn(address).length > 0)
    throw new Mistake("The URL's IPv6 address wraps an IPv4 address. Write that one.");
  const canonical = formatAddress(address);
  if (canonical !== text)
    throw new Mistake(`The URL's IPv6 address must be in its short form. Write [${canonical}].`);
  checkPublic(address, allowed);
  return host;
}

function checkPublic(address: Address, allowed: readonly Network[]): void {
  if (whyRefused(address, allowed) !== undefined)
    throw new Mistake(
      "The URL's address is not public. Use one that the whole internet can reach, or ask the operator to allow this one.",
    );
}

/** Names that mean a machine or a network of the resolver's own. */
const ownNames = new Set(["localhost", "local", "internal"]);

/** A label of a name: letters, digits and hyphens, none of these at its ends. */
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
    throw new Mistake("The URL's host has a label that begins with xn-- and encodes no name.");
  return name;
}

/** Some readers of URLs, and other versions of ours, refuse an xn-- label that does not stand for what it should. */
function encodesAName(each: string): boolean {
  if (!each.startsWith("xn--")) return true;
  const letters = domainToUnicode(each);
  return !isAscii(letters) && domainToASCII(letters) === each;
}

/**
 * A name in other letters is refused, with the name DNS knows it by. Converting it silently is the repair that makes
 * a host of full-width dots and digits, and two readers need not agree on ß. Written out, a name that only looks
 * like another is seen for what it is.
 */
function adviceFor(host: string): string {
  const refusal = "The URL's host has letters that DNS does not know.";
  try {
    return `${refusal} Write ${judgeHost(domainToASCII(host), [])}.`;
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    return `${refusal} Write it with a to z, 0 to 9, hyphens and dots.`;
  }
}

function normalize(url: { host: string; port: number; path: string; query: string }): string {
  const authority = url.port === HTTPS_PORT ? url.host : `${url.host}:${url.port}`;
  // An empty query is not sent, and so a URL with one calls the same place as a URL without.
  const query = url.query === "" ? "" : `?${encoded(url.query)}`;
  // Nothing is left to be repaired; what it still does is to resolve dot segments, as every client does.
  return new URL(`https://${authority}${encoded(url.path)}${query}`).href;
}

/**
 * One spelling of a path or a query: what needs no encoding has none, what needs it has it in capitals, and what
 * means something else when encoded (/ and %2F) stays as it is. RFC 3986, 6.2.2.
 */
function encoded(text: string): string {
  if (/%(?![\da-f]{2})/i.test(text))
    throw new Mistake("The URL has a % without two hexadecimal digits after it. Write %25.");
  return text
    .replaceAll(/%[\da-f]{2}/gi, (code) => unreserved(code) ?? code.toUpperCase())
    .replaceAll(/[^\w.~!$&'()*+,;=:@/?%-]/gu, encodeURIComponent);
}

function unreserved(code: string): string | undefined {
  const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : undefined;
}
