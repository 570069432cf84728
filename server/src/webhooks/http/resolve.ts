import { promises as dns } from "node:dns";
import { open } from "node:fs/promises";
import { isIP } from "node:net";
import { devNull } from "node:os";
import { within } from "../../base/within.ts";
import { type FailureReason, SendFailure } from "./failure.ts";

/**
 * Resolves all addresses of a host, of both families. Nothing is cached.
 *
 * `dns.lookup` is not used. It reads the hosts file and search domains of this machine, and it shares four threads, so
 * four slow names would block all others.
 */
export type Resolve = (host: string, msMax: number) => Promise<string[]>;

/** Asks the system's name servers by default. Servers are `address` or `address:port`, `[address]:port` for IPv6. */
export function createResolve(servers: readonly string[] = []): Resolve {
  let probe: Promise<boolean> | undefined;

  /** Whether our own name servers answer at all. Concurrent callers share one question. */
  function isAnswering(msMax: number): Promise<boolean> {
    // The root is cached by every working resolver and belongs to no receiver.
    probe ??= newResolver(servers, msMax)
      .resolveNs(".")
      .then(() => true, isConclusive)
      .finally(() => {
        probe = undefined;
      });
    return within(msMax, probe, false);
  }

  /** Silence and SERVFAIL can come from our own name servers as well as from the receiver's. */
  async function causeOfSilence(msMax: number): Promise<FailureReason> {
    // The resolver does not report that it could not open a socket.
    if (await areDescriptorsExhausted()) return "system-descriptors";
    return (await isAnswering(msMax)) ? "dns-failure" : "system-resolver";
  }

  return async (host, msMax) => {
    if (isIP(host) !== 0) return [host];
    const answer = await lookUp(servers, host, msMax * LOOK_UP_SHARE);
    if (answer.addresses.length > 0) return answer.addresses;
    const reason = answer.conclusive ? "dns-failure" : await causeOfSilence(msMax * PROBE_SHARE);
    throw new SendFailure(reason, `resolving ${host}: ${answer.detail}`);
  };
}

/** Shares of the attempt's time. The rest is left for reporting the failure in time. */
const LOOK_UP_SHARE = 0.6;
const PROBE_SHARE = 0.25;
/** How long one family waits for the other. Some name servers never answer for AAAA. */
const FAMILY_SHARE = 0.2;

/** How long the first question waits for a slow name server. The rest is for its repetition. */
const FIRST_QUESTION_SHARE = 0.55;

/**
 * A question is repeated once, because a datagram can be lost. The resolver shortens the wait for a repeated question at
 * random, so a slow name server must have time to answer the first.
 *
 * A resolver is used once: one that has seen quick answers waits less for the next, and would give up on a slow server.
 */
function newResolver(servers: readonly string[], msMax: number): dns.Resolver {
  const resolver = new dns.Resolver({ timeout: Math.ceil(msMax * FIRST_QUESTION_SHARE), tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}

interface LookUp {
  addresses: string[];
  /** If there are no addresses: true when the name is known to have none, false when the question stayed open. */
  conclusive: boolean;
  detail: string;
}

async function lookUp(servers: readonly string[], host: string, msMax: number): Promise<LookUp> {
  const resolver = newResolver(servers, msMax);
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
  resolver.cancel();
  return {
    addresses: [...addresses],
    conclusive:
      errors.some((error) => codeOf(error) === dns.NOTFOUND) ||
      (errors.length === families.length && errors.every(isConclusive)),
    detail: errors.map(codeOf).join(", ") || "no answer",
  };
}

/** Settles when the first family has addresses, or when both have none. */
function foundByOne(families: readonly Promise<boolean>[]): Promise<boolean> {
  return new Promise((resolve) => {
    for (const family of families) void family.then((found) => found && resolve(true));
    void Promise.all(families).then(() => resolve(false));
  });
}

/** An authoritative answer: the name has no such record. */
const isConclusive = (error: unknown) =>
  ([dns.NOTFOUND, dns.NODATA, dns.BADNAME] as unknown[]).includes(codeOf(error));

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);

async function areDescriptorsExhausted(): Promise<boolean> {
  try {
    await (await open(devNull)).close();
    return false;
  } catch (error) {
    return ["EMFILE", "ENFILE"].includes(codeOf(error));
  }
}
