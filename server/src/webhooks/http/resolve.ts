import { promises as dns } from "node:dns";
import { isIP } from "node:net";
import { SendFailure } from "./failure.ts";

/**
 * All addresses of a host, of both families, asked for anew each time.
 *
 * Not `dns.lookup`: it knows the hosts file and search domains, which are the machine's and not the receiver's, leaves
 * out a family, and has four threads for everybody, so that four names that hang would stop all others.
 */
export type Resolve = (host: string, msMax: number) => Promise<string[]>;

/** Without servers the system's are asked. `address` or `address:port`, `[address]:port` for IPv6. */
export function createResolve(servers: readonly string[] = []): Resolve {
  let resolver = newResolver(servers);
  let probing: Promise<boolean> | undefined;

  /** Whether our own resolver answers anything. One question for all who want to know. */
  function isAnswering(): Promise<boolean> {
    // The root is in the cache of each resolver that works, and belongs to no receiver.
    probing ??= resolver
      .resolveNs(".")
      .then(
        () => true,
        (error: unknown) => isConclusive(error),
      )
      .finally(() => {
        probing = undefined;
      });
    return probing;
  }

  return async (host, msMax) => {
    if (isIP(host) !== 0) return [host];
    const answer = await lookUp(resolver, host, msMax * LOOK_UP_SHARE);
    if (answer.addresses.length > 0) return answer.addresses;
    // Silence and SERVFAIL are as likely our own resolver's as the receiver's name servers'.
    if (!answer.conclusive && !(await within(msMax * PROBE_SHARE, isAnswering(), false))) {
      // The system may have got other servers meanwhile; a resolver reads them once.
      resolver = newResolver(servers);
      throw new SendFailure("system-resolver", `resolving ${host}: ${answer.detail}`);
    }
    throw new SendFailure("dns-failure", `resolving ${host}: ${answer.detail}`);
  };
}

/** Of the time there is. What remains is for saying so before the time is over. */
const LOOK_UP_SHARE = 0.6;
const PROBE_SHARE = 0.25;
/** How long one family waits for the other: name servers exist that never answer for AAAA. */
const FAMILY_SHARE = 0.2;

function newResolver(servers: readonly string[]): dns.Resolver {
  const resolver = new dns.Resolver({ timeout: 1_000, tries: 3 });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}

interface Answer {
  addresses: string[];
  /** Without addresses: the name has none. Otherwise nobody could say. */
  conclusive: boolean;
  detail: string;
}

async function lookUp(resolver: dns.Resolver, host: string, msMax: number): Promise<Answer> {
  const addresses = new Set<string>();
  const errors: unknown[] = [];
  const families = [resolver.resolve4(host), resolver.resolve6(host)].map((family) =>
    family.then(
      (found) => {
        for (const address of found) addresses.add(address);
        return found.length > 0;
      },
      (error: unknown) => {
        errors.push(error);
        return false;
      },
    ),
  );
  const all = Promise.all(families);
  await within(msMax, foundByOne(families), false);
  if (addresses.size > 0) await within(msMax * FAMILY_SHARE, all, undefined);
  return {
    addresses: [...addresses],
    conclusive:
      errors.some((error) => codeOf(error) === dnsCodes.NOTFOUND) ||
      (errors.length === families.length && errors.every(isConclusive)),
    detail: errors.map(codeOf).join(", ") || "no answer",
  };
}

/** Settles with the first family that has addresses, or when none has. */
function foundByOne(families: readonly Promise<boolean>[]): Promise<boolean> {
  return new Promise((resolve) => {
    for (const family of families) void family.then((found) => found && resolve(true));
    void Promise.all(families).then(() => resolve(false));
  });
}

const dnsCodes = { NOTFOUND: "ENOTFOUND", NODATA: "ENODATA", BADNAME: "EBADNAME" };

/** The name has no such record, and whoever said so knows. */
const isConclusive = (error: unknown) =>
  Object.values(dnsCodes).some((code) => code === codeOf(error));

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);

async function within<T, U>(ms: number, promise: Promise<T>, otherwise: U): Promise<T | U> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<U>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
