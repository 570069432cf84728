import { isIPv4, isIPv6 } from "node:net";

/**
 * The rate-limit key of a client address: an IPv4 address, or the first bits of an IPv6 address, because one subscriber can
 * use all of a /64, and some all of a /56. Invalid addresses share one key.
 */
export function networkOf(address: string, bits: 56 | 64 = 64): string {
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return "unknown";
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groupsOf(address);
  // An IPv4 client of a dual-stack socket.
  if ((a | b | c | d | e) === 0 && f === 0xffff) return `${g >> 8}.${g & 255}.${h >> 8}.${h & 255}`;
  const last = bits === 56 ? d & 0xff00 : d;
  return `${[a, b, c, last].map((group) => group.toString(16)).join(":")}::/${bits}`;
}

/** The network of an address, and for an IPv6 address the /56 and the /48 around it, which one subscriber can have. */
export function networksOf(address: string): [narrow: string, ...wider: string[]] {
  const network = networkOf(address);
  const groups = network.replace(/::\/64$/, "").split(":");
  if (groups.length !== 4) return [network];
  const [a = "", b = "", c = "", d = ""] = groups;
  const site = (Number.parseInt(d, 16) & 0xff00).toString(16);
  return [network, `${a}:${b}:${c}:${site}::/56`, `${a}:${b}:${c}::/48`];
}

/**
 * The network of a client address for the log: a /24 of IPv4, or a /48 of IPv6. It distinguishes attackers without
 * identifying a subscriber.
 */
export function networkForLog(address: string): string {
  const network = networkOf(address);
  if (isIPv4(network)) return `${network.slice(0, network.lastIndexOf("."))}.0/24`;
  return network.replace(/:[^:]*::\/64$/, "::/48");
}

/** The address as PostgreSQL accepts it, without the zone of a link-local one. Undefined for what a proxy may have written instead. */
export function storableAddress(address: string): string | undefined {
  const [plain = ""] = address.split("%", 1);
  return isIPv4(plain) || isIPv6(plain) ? plain : undefined;
}

/** The eight numbers of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const [plain = ""] = address.split("%", 1);
  const [head = "", tail] = plain.split("::", 2);
  const before = numbers(head);
  if (tail === undefined) return before;
  // "::" stands for the missing zero groups.
  const after = numbers(tail);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after];
}

function numbers(groups: string): number[] {
  if (groups === "") return [];
  return groups.split(":").flatMap((group) => {
    // A dotted end, as in 64:ff9b::192.0.2.1, is two groups.
    if (!group.includes(".")) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
