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
 * Receivers must have globally reachable unicast addresses, or addresses that the operator allows. Any other address may
 * belong to the operator's own network, which trusts this service more than the internet.
 */

/**
 * The special-purpose registries of IANA (as of 2025-10-09) with their column "Globally Reachable", and a few more
 * ranges. The narrowest range that contains an address decides. IPv6 ranges outside 2000::/3 that are not listed are
 * unassigned, and the range ::/0 refuses them.
 */
export const ranges: readonly (readonly [network: string, isPublic: boolean, name: string])[] = [
  ["0.0.0.0/0", true, "global unicast"],
  ["0.0.0.0/8", false, "this host on this network"],
  ["10.0.0.0/8", false, "private use"],
  ["100.64.0.0/10", false, "shared address space of carriers"],
  ["127.0.0.0/8", false, "loopback"],
  ["169.254.0.0/16", false, "link-local, where clouds serve their metadata"],
  ["172.16.0.0/12", false, "private use"],
  // The registry lists 192.0.0.9 and .10 (PCP and TURN anycast) as reachable. The nearest gateway answers them, and that
  // is the operator's own. The same is true of 2001:1::1, ::2 and ::3 below.
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
  // IANA lists an ordinary address. Inside Azure it is the platform's service for metadata and certificates.
  ["168.63.129.16/32", false, "platform service of a cloud"],

  ["::/0", false, "not global unicast"],
  ["::/128", false, "unspecified"],
  ["::1/128", false, "loopback"],
  // Only the local network knows where its translator leads.
  ["64:ff9b:1::/48", false, "local-use IPv4/IPv6 translation"],
  ["100::/64", false, "discard-only"],
  ["100:0:0:1::/64", false, "dummy prefix"],
  ["2000::/3", true, "global unicast"],
  ["2001::/23", false, "IETF protocol assignments"],
  ["2001:2::/48", false, "benchmarking"],
  ["2001:3::/32", true, "AMT"],
  ["2001:4:112::/48", true, "AS112"],
  ["2001:10::/28", false, "ORCHID"],
  // The registry lists these two as reachable. They are identifiers: no server listens there, unless the operator's own
  // network uses them.
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

/** Returns the name of the range that refuses the address. */
export function whyRefused(address: Address, allowed: readonly Network[] = []): string | undefined {
  const plain = unmapped(address);
  // The operator allows the address that is dialed, not one wrapped in it. A packet to 64:ff9b::10.0.0.1 takes another
  // route than one to 10.0.0.1.
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

/** The IPv4 addresses to which a packet for this IPv6 address is forwarded. */
export function wrappedIn(address: Address): Address[] {
  const { value } = address;
  // "::" and "::1" are in the range of IPv4-compatible addresses but are not such addresses.
  if (contains(compatible, address) && value > 1n) return [ipv4At(value, 0n)];
  if (contains(nat64, address)) return [ipv4At(value, 0n)];
  if (contains(sixToFour, address)) return [ipv4At(value, 80n)];
  // The server and the client, whose bits are inverted. The packet may go to either.
  if (contains(teredo, address)) return [ipv4At(value, 64n), ipv4At(~value, 0n)];
  return [];
}

const ipv4At = (value: bigint, shift: bigint) => ipv4(BigInt.asUintN(32, value >> shift));

export type Judgement =
  | { readonly verdict: "usable"; readonly addresses: readonly Destination[] }
  /** The range is for the operator. The account must not learn how our resolver sees the network. */
  | { readonly verdict: "refused"; readonly address: string; readonly range: string }
  /** The name has no address. */
  | { readonly verdict: "none" };

/** A judged address in canonical form. It is the text that is dialed, so no other parser can read it differently. */
export interface Destination {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Judges all addresses of a name together. One refused address refuses the name: a name with a public and a private
 * address is likely an attack that waits for us to use the private one.
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
