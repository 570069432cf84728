import { isIPv4, isIPv6 } from "node:net";

/**
 * Addresses and networks as numbers, so that no second spelling of an address bypasses a rule.
 *
 * `BlockList` of node:net does not report which network matched or which is the narrowest, and it treats IPv4-mapped
 * addresses in its own way.
 */
export interface Address {
  readonly version: 4 | 6;
  readonly value: bigint;
}

export interface Network extends Address {
  /** The number of leading bits that an address shares with `value`. */
  readonly length: number;
}

const width = { 4: 32, 6: 128 } as const;

/** Strict: four decimal numbers without leading zeros, or IPv6 in any of its textual forms without a zone. */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return ipv4(fromDotted(text));
  // A zone names an interface of this machine. Node treats it as a part of the address.
  if (isIPv6(text) && !text.includes("%")) return { version: 6, value: fromGroups(text) };
  return undefined;
}

export const ipv4 = (value: bigint): Address => ({ version: 4, value });

function fromDotted(text: string): bigint {
  return text.split(".").reduce((value, byte) => value * 256n + BigInt(byte), 0n);
}

function fromGroups(text: string): bigint {
  const [head = "", tail] = text.replace(/[\d.]*\.[\d.]*$/, dottedToGroups).split("::", 2);
  const before = groupsOf(head);
  const after = groupsOf(tail ?? "");
  // "::" represents the groups that are missing on both sides.
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].reduce(
    (value, group) => value * 65_536n + BigInt(`0x${group}`),
    0n,
  );
}

function dottedToGroups(dotted: string): string {
  const value = fromDotted(dotted);
  return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}

const groupsOf = (text: string) => (text === "" ? [] : text.split(":"));

/** The canonical spelling of RFC 5952, which `new URL()` writes, too. An IPv6 address has no dotted part. */
export function formatAddress({ version, value }: Address): string {
  return version === 4 ? parts(value, 4, 8n, 10).join(".") : compressed(parts(value, 8, 16n, 16));
}

function parts(value: bigint, count: number, bits: bigint, radix: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    BigInt.asUintN(Number(bits), value >> (bits * BigInt(count - 1 - index))).toString(radix),
  );
}

/** The longest run of two or more zero groups becomes "::". The first of several equal runs wins. */
function compressed(groups: string[]): string {
  const text = groups.join(":");
  const runs = [...text.matchAll(/\b0(?::0)+\b/g)];
  const longest = runs.reduce((best, [run]) => (run.length > best.length ? run : best), "");
  const at = runs.find(([run]) => run === longest)?.index;
  if (at === undefined) return text;
  const before = text.slice(0, at).replace(/:$/, "");
  const after = text.slice(at + longest.length).replace(/^:/, "");
  return `${before}::${after}`;
}

/**
 * A socket for both families spells a.b.c.d as ::ffff:a.b.c.d. The connection uses IPv4, so every rule treats the
 * address as IPv4.
 */
export function unmapped(address: Address): Address {
  const isMapped = address.version === 6 && address.value >> 32n === 0xffffn;
  return isMapped ? ipv4(address.value & 0xffff_ffffn) : address;
}

export function contains(network: Network, address: Address): boolean {
  const free = BigInt(width[network.version] - network.length);
  return network.version === address.version && network.value >> free === address.value >> free;
}

/** Parses `10.0.0.0/8` or an address, which is a network of one address. */
export function parseNetwork(text: string): Network | undefined {
  const [base = "", suffix, ...rest] = text.split("/");
  const address = parseAddress(base);
  if (!address || rest.length > 0) return undefined;
  const most = width[address.version];
  if (suffix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(suffix)) return undefined;
  const length = suffix === undefined ? most : Number(suffix);
  if (length > most || hasBitsBeyond(address, length)) return undefined;
  return unmappedNetwork({ ...address, length });
}

/** 10.0.0.1/8 is ambiguous: it can mean the network or the one machine. */
function hasBitsBeyond({ version, value }: Address, length: number): boolean {
  return BigInt.asUintN(width[version] - length, value) !== 0n;
}

function unmappedNetwork(network: Network): Network {
  const { version, value } = unmapped(network);
  // A prefix shorter than 96 bits contains more than mapped addresses.
  const isMapped = version !== network.version && network.length >= 96;
  return isMapped ? { version, value, length: network.length - 96 } : network;
}

/** Formats a network canonically. A network of one address is written as the address. */
export function formatNetwork({ length, ...base }: Network): string {
  const address = formatAddress(base);
  return length === width[base.version] ? address : `${address}/${length}`;
}

/** Parses a setting's list of networks. A mistake continues the sentence that starts with the setting's name. */
export function parseNetworks(
  list: string,
  quoted: (text: string) => string = JSON.stringify,
): { networks: Network[] } | { mistake: string } {
  if (list.trim() === "") return { networks: [] };
  const texts = list.split(",").map((each) => each.trim());
  const networks = texts.map(parseNetwork);
  const wrong = texts.filter((_, index) => !networks[index]);
  if (wrong.length > 0)
    return {
      mistake:
        "must be a comma-separated list of addresses or networks, like 192.168.7.9, 10.0.0.0/8 or fd00::/8, " +
        `without bits set after the length of a network. Invalid: ${wrong.map((text) => quoted(text)).join(", ")}`,
    };
  return { networks: networks.filter((network) => network !== undefined) };
}
