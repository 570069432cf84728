import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAY, now } from "../../base/clock.ts";
import { makeDataDirectory } from "../../store/data-directory.ts";
import { type Certificate, makeAuthority } from "./certificates.ts";

/** The names of this machine in a URL. */
const names = ["127.0.0.1", "::1", "localhost"];

const VALID_DAYS = 825;
/** A certificate that expires sooner is replaced, so that it lasts for a day of tests. */
const LEFT_DAYS_MIN = 2;

export interface OwnCertificate extends Certificate {
  /** For `WEBHOOK_CA_FILE`. */
  readonly authorityFile: string;
}

/**
 * Returns the certificate of `vestry receive` and its authority, kept in `DATA_DIR/receiver`. Both are created once, so
 * that WEBHOOK_CA_FILE is set once.
 *
 * The private key of the authority is discarded after signing. Trusting the authority therefore means trusting only
 * this certificate.
 */
export function ownCertificate(dataDir: string): OwnCertificate {
  const directory = join(dataDir, "receiver");
  const authorityFile = join(directory, "authority.pem");
  const file = join(directory, "receiver.pem");
  const kept = read(authorityFile, file);
  if (kept) return { ...kept, authorityFile };

  const authority = makeAuthority("Vestry receiver on this machine", { to: VALID_DAYS });
  const made = authority.issue(names);
  makeDataDirectory(dataDir);
  mkdirSync(directory, { recursive: true });
  writeFileSync(file, made.key + made.cert, { mode: 0o600 });
  writeFileSync(authorityFile, authority.cert);
  return { ...made, authorityFile };
}

/** Returns undefined unless both files are valid, belong together and do not expire soon. */
function read(authorityFile: string, file: string): Certificate | undefined {
  try {
    const text = readFileSync(file, "utf8");
    const authority = new X509Certificate(readFileSync(authorityFile));
    const certificate = new X509Certificate(text);
    const key = createPrivateKey(text);
    const isOurs =
      certificate.verify(authority.publicKey) &&
      certificate.checkPrivateKey(key) &&
      certificate.validToDate.getTime() > now() + LEFT_DAYS_MIN * DAY;
    return isOurs ? { cert: text, key: text } : undefined;
  } catch {
    return undefined;
  }
}
