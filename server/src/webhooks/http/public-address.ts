import {
  type Address,
  contains,
  formatAddress,
  ipv4,
  type Network,
  parseAddress,
  parseNetwork,
  unmapped,
} from "../../base/networks.ts";

/**
 * Who may be called: globally reachable unicast addresses, and what the operator allows by name. Anything else may
 * be a machine of the operator's own, which answers this service where it would not answer a stranger.
 */

/**
 * The special-purpose registries of IANA (as of 2025-10-09) with their column "Globally Reachable", and the few
 * ranges they do not know. The narrowest range that holds an address decides. Whatever IPv6 range is not listed and
 * not in 2000::/3 has never been given out, and is refused by the widest range of all.
 */
export const ranges: readonly (readonly [network: string, isPublic: boolean, name: string])[] = [
  ["0.0.0.0/0", true, "global unicast"],
  ["0.0.0.0/8", false, "this host on this network"],
  ["10.0.0.0/8", false, "private use"],
  ["100.64.0.0/10", false, "shared address space of carriers"],
  ["127.0.0.0/8", false, "loopback"],
  ["169.254.0.0/16", false, "link-local, where clouds serve their metadata"],
  ["172.16.0.0/12", false, "private use"],
  // The registry has 192.0.0.9 and .10 as reachable: PCP and TURN anycast. They are answered by the nearest gateway,
  // which is the operator's own. The same goes for 2001:1::1, ::2 and ::3 below.
  ["192.0.0.0/24", false, "IETF protocol assignments"],
  ["192.0.2.0/24", false, "documentation"],
  ["192.31.196.0/24", true, "AS112"],
  ["192.52.193.0/24", true, "AMT"],
  ["192.88.99.0/24", false, "6to4 relay anycast"],
  ["192.168.0.0/16", false, "private use"],
  ["192.175.48.0/24", true, "AS112, direct delegation"],
  ["198.18.0.0/15", false, "benchmarking"],
  ["198.51.100.0/24", false, "documentation"],
  ["203.0.113.0/24", false, "documentation"],
  ["224.0.0.0/4", false, "multicast"],
  ["240.0.0.0/4", false, "reserved"],
  ["255.255.255.255/32", false, "limited broadcast"],
  // An ordinary address to IANA; inside Azure it is the host's own service, with metadata and certificates.
  ["168.63.129.16/32", false, "platform service of a cloud"],

  ["::/0", false, "not global unicast"],
  ["::/128", false, "unspecified"],
  ["::1/128", false, "loopback"],
  // Where a network's own translator leads is known to that network only.
  ["64:ff9b:1::/48", false, "local-use IPv4/IPv6 translation"],
  ["100::/64", false, "discard-only"],
  ["100:0:0:1::/64", false, "dummy prefix"],
  ["2000::/3", true, "global unicast"],
  ["2001::/23", false, "IETF protocol assignments"],
  ["2001:2::/48", false, "benchmarking"],
  ["2001:3::/32", true, "AMT"],
  ["2001:4:112::/48", true, "AS112"],
  ["2001:10::/28", false, "ORCHID"],
  // These two the registry has as reachable. They identify, they do not locate: nothing listens there, unless a
  // network of the operator's own has given them a meaning.
  ["2001:20::/28", false, "ORCHIDv2"],
  ["2001:30::/28", false, "drone remote identification"],
  ["2001:db8::/32", false, "documentation"],
  ["2620:4f:8000::/48", true, "AS112, direct delegation"],
  ["3fff::/20", false, "documentation"],
  ["5f00::/16", false, "segment routing"],
  ["fc00::/7", false, "unique local"],
  ["fe80::/10", false, "link-local"],
  ["fec0::/10", false, "site-local"],
  ["ff00::/8", false, "multicast"],
];

const narrowestFirst = ranges
  .map(([text, isPublic, name]) => ({ network: listed(text), isPublic, name }))
  .sort((a, b) => b.network.length - a.network.length);

function listed(text: string): Network {
  const network = parseNetwork(text);
  if (!network) throw new Error(`${text} is not a network.`);
  return network;
}

/** Of an address as DNS answers it. What is no address is not public. */
export function isPublic(address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && whyRefused(parsed) === undefined;
}

/** The name of the range for which an address is refused. */
export function whyRefused(address: Address, allowed: readonly Network[] = []): string | undefined {
  const plain = unmapped(address);
  // What the operator allows is the address that is called, not one that is wrapped in it: a packet to
  // 64:ff9b::10.0.0.1 takes another way than one to 10.0.0.1.
  if (allowed.some((network) => contains(network, plain))) return undefined;
  const inside = wrappedIn(plain);
  for (const each of inside.length > 0 ? inside : [plain]) {
    const range = narrowestFirst.find(({ network }) => contains(network, each));
    if (!range?.isPublic) return range?.name ?? "unknown";
  }
  return undefined;
}

const compatible = listed("::/96");
const nat64 = listed("64:ff9b::/96");
const sixToFour = listed("2002::/16");
const teredo = listed("2001::/32");

/** The IPv4 addresses to which a packet for this IPv6 address is carried on. */
export function wrappedIn(address: Address): Address[] {
  const { value } = address;
  // "::" and "::1" lie among the IPv4-compatible addresses but are none.
  if (contains(compatible, address) && value > 1n) return [ipv4At(value, 0n)];
  if (contains(nat64, address)) return [ipv4At(value, 0n)];
  if (contains(sixToFour, address)) return [ipv4At(value, 80n)];
  // The server, and the client, whose bits are inverted. The packet may go to either.
  if (contains(teredo, address)) return [ipv4At(value, 64n), ipv4At(~value, 0n)];
  return [];
}

const ipv4At = (value: bigint, shift: bigint) => ipv4(BigInt.asUintN(32, value >> shift));

export type Judgement =
  | { readonly verdict: "usable"; readonly addresses: readonly Destination[] }
  /** The name of the range is for the operator: a church must not learn how our resolver sees the network. */
  | { readonly verdict: "refused"; readonly address: string; readonly range: string }
  /** The name resolves to nothing. */
  | { readonly verdict: "none" };

/** What a connection may be made to: written anew from what was judged, so that nothing else is read out of it. */
export interface Destination {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * All answers for a name together. One that is refused refuses the lot: who answers with a public and a private
 * address is waiting for us to take the second.
 */
export function judgeAddresses(
  addresses: readonly string[],
  allowed: readonly Network[] = [],
): Judgement {
  if (addresses.length === 0) return { verdict: "none" };
  const usable: Destination[] = [];
  for (const text of addresses) {
    const address = parseAddress(text);
    if (!address) return { verdict: "refused", address: text, range: "not an address" };
    const range = whyRefused(address, allowed);
    if (range !== undefined) return { verdict: "refused", address: text, range };
    usable.push(destination(unmapped(address)));
  }
  return { verdict: "usable", addresses: usable };
}

const destination = (address: Address): Destination => ({
  address: formatAddress(address),
  family: address.version,
});
