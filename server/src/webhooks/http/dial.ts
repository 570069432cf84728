import { once } from "node:events";
import type { TcpNetConnectOpts } from "node:net";
import {
  connect,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import type { Destination } from "./public-address.ts";
import type { Session } from "./sessions.ts";

/** TLS 1.2 or newer. Certificates are verified against the default authorities and the operator's own. */
export function createTrust(extraAuthorities: string | undefined): SecureContext {
  return createSecureContext({
    minVersion: "TLSv1.2",
    ...(extraAuthorities && { ca: [...getCACertificates("default"), extraAuthorities] }),
  });
}

/** A host name with a thousand addresses must not cause a thousand connection attempts. */
const ADDRESSES_MAX = 6;
/** The time one address gets before the next is tried. Six of them leave time to send within the attempt. */
const ADDRESS_MS = 1_000;

export interface DialOptions {
  /** The host as the URL names it. The certificate must be valid for it. */
  readonly host: string;
  readonly isAddress: boolean;
  readonly port: number;
  /** Judged addresses of the host. No other address is dialed. */
  readonly addresses: readonly Destination[];
  readonly trust: SecureContext;
  readonly session: Session | undefined;
  /** Called for each session of a verified connection. */
  readonly onSession: (session: Session) => void;
  /** Called when TCP is connected and the TLS handshake begins. */
  readonly onConnect: () => void;
  readonly signal: AbortSignal;
}

export async function dial(options: DialOptions): Promise<TLSSocket> {
  const { host, isAddress, port, addresses, trust, session, signal } = options;
  signal.throwIfAborted();
  const destinations = addresses.toSorted((a, b) => b.family - a.family).slice(0, ADDRESSES_MAX);
  const tcp: TcpNetConnectOpts = {
    host,
    port,
    // The name is not resolved a second time: a different answer would not have been judged.
    lookup: (_host, _options, done) => done(null, destinations),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_MS,
  };
  const socket = connect({
    ...tcp,
    ...(!isAddress && { servername: host }),
    secureContext: trust,
    // Stated explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 changes the default.
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
    ...(session && { session: session.ticket }),
  }).setNoDelay(true);
  socket.once("connect", options.onConnect);

  // TLS 1.2 issues its session before the certificate is verified.
  const early: Buffer[] = [];
  const keepEarly = (ticket: Buffer) => early.push(ticket);
  socket.on("session", keepEarly);
  const abandon = () => socket.destroy(signal.reason);
  signal.addEventListener("abort", abandon);
  try {
    await once(socket, "secureConnect");
  } finally {
    signal.removeEventListener("abort", abandon);
  }
  const verifiedAt = session && socket.isSessionReused() ? session.verifiedAt : performance.now();
  const onTicket = (ticket: Buffer) => options.onSession({ ticket, verifiedAt });
  early.forEach(onTicket);
  socket.off("session", keepEarly).on("session", onTicket);
  return socket;
}
