export interface Session {
  readonly ticket: Buffer;
  /** When the certificate was verified. A resumed connection verifies none and keeps the earlier time. */
  readonly verifiedAt: number;
}

/**
 * The last TLS session of each destination, so that its next connection can skip the certificates.
 *
 * The session cache of Node's agent is not used. It stores a TLS 1.2 session before the certificate is verified, and Node
 * does not check the host name again when it resumes one.
 */
export class Sessions {
  readonly #max: number;
  readonly #msMax: number;
  readonly #byKey = new Map<string, Session>();

  /** `msMax` limits how long a verified certificate is trusted without seeing it again. */
  constructor(max: number, msMax: number) {
    this.#max = max;
    this.#msMax = msMax;
  }

  get(key: string): Session | undefined {
    const found = this.#byKey.get(key);
    return found && performance.now() - found.verifiedAt < this.#msMax ? found : undefined;
  }

  set(key: string, session: Session): void {
    this.#byKey.delete(key);
    this.#byKey.set(key, session);
    if (this.#byKey.size <= this.#max) return;
    const [oldest] = this.#byKey.keys();
    if (oldest !== undefined) this.#byKey.delete(oldest);
  }

  delete(key: string): void {
    this.#byKey.delete(key);
  }
}
