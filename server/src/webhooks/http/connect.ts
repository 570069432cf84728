import { connect as connectPlain, isIPv6, type Socket } from "node:net";
import {
  connect as connectSecure,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import { failureOf, SendFailure } from "./failure.ts";
import type { Wall } from "./wall.ts";

/** TLS 1.2 or newer; certificates are always verified, against what this process trusts and the operator's own. */
export function createTrust(extraAuthorities: string | undefined): SecureContext {
  return createSecureContext({
    minVersion: "TLSv1.2",
    ...(extraAuthorities && { ca: [...getCACertificates("default"), extraAuthorities] }),
  });
}

/** So that a name with a thousand addresses is not a way to make us knock at a thousand doors. */
const ADDRESSES_MAX = 6;
/** How long one address may take before the next is tried beside it (RFC 8305). */
const STAGGER_MS = 250;

/** Tries the addresses one after the other, soon side by side, and keeps the first that connects. */
export function connectToOne(
  addresses: readonly string[],
  port: number,
  wall: Wall,
): Promise<Socket> {
  return wall.during("connecting", (resolve, reject) => {
    const waiting = inTurns(addresses).slice(0, ADDRESSES_MAX);
    const trying = new Set<Socket>();
    const failures: SendFailure[] = [];
    let timer: NodeJS.Timeout | undefined;

    const abandon = () => {
      clearTimeout(timer);
      for (const socket of trying) socket.destroy();
      trying.clear();
    };
    const next = () => {
      clearTimeout(timer);
      const address = waiting.shift();
      if (address === undefined) {
        if (trying.size === 0) reject(mostTelling(failures));
        return;
      }
      const socket = connectPlain({ host: address, port, noDelay: true });
      trying.add(socket);
      if (waiting.length > 0) timer = setTimeout(next, STAGGER_MS);
      socket.once("connect", () => {
        trying.delete(socket);
        abandon();
        resolve(socket);
      });
      // Stays for as long as the socket does: one that lost the race may still have something to say.
      socket.on("error", (error) => {
        if (!trying.delete(socket)) return;
        failures.push(failureOf(error, "connecting"));
        next();
      });
    };
    next();
    return abandon;
  });
}

/** The families by turns, IPv6 first. */
function inTurns(addresses: readonly string[]): string[] {
  const six = addresses.filter(isIPv6);
  const four = addresses.filter((address) => !isIPv6(address));
  return Array.from({ length: Math.max(six.length, four.length) }, (_, index) =>
    [six[index], four[index]].filter((address) => address !== undefined),
  ).flat();
}

/** Our own trouble explains any other; a door that was shut says more than a way that led nowhere. */
function mostTelling(failures: readonly SendFailure[]): SendFailure {
  const rank = ({ reason }: SendFailure) =>
    reason === "system-descriptors" ? 0 : reason.startsWith("system-") ? 2 : 1;
  return (
    failures.toSorted((a, b) => rank(a) - rank(b))[0] ??
    new SendFailure("dns-failure", "connecting: no address")
  );
}

export interface Securing {
  /** The host's own name, or its address if the URL has one. */
  readonly host: string;
  readonly isAddress: boolean;
  readonly trust: SecureContext;
  readonly session: Buffer | undefined;
  /** Called for each session that a verified connection is given. */
  readonly onSession: (session: Buffer) => void;
}

/** In the form of the wire, which spares making it for each connection. */
const HTTP_1_1 = Buffer.from("\u0008http/1.1", "latin1");

export function secure(socket: Socket, securing: Securing, wall: Wall): Promise<TLSSocket> {
  return wall.during("securing", (resolve, reject) => {
    const { host, isAddress, trust, session, onSession } = securing;
    const secured = connectSecure({
      socket,
      host,
      ...(!isAddress && { servername: host }),
      secureContext: trust,
      // Said, or NODE_TLS_REJECT_UNAUTHORIZED=0 would say otherwise.
      rejectUnauthorized: true,
      ALPNProtocols: HTTP_1_1,
      ...(session && { session }),
    });
    // TLS 1.2 hands out its session before the certificate is judged.
    let verified = false;
    let early: Buffer | undefined;
    secured.on("session", (given: Buffer) => {
      if (verified) onSession(given);
      else early = given;
    });
    const onError = (error: unknown) => reject(failureOf(error, "securing"));
    const onClose = () =>
      reject(new SendFailure("connection-reset", "securing: closed by the receiver"));
    secured.once("error", onError);
    secured.once("close", onClose);
    secured.once("secureConnect", () => {
      verified = true;
      if (early) onSession(early);
      secured.off("error", onError);
      secured.off("close", onClose);
      resolve(secured);
    });
    return () => {
      secured.on("error", () => {});
      secured.destroy();
    };
  });
}
