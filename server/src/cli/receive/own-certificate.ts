import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAY, now } from "../../base/clock.ts";
import { makeDataDirectory } from "../../store/data-directory.ts";
import { type Certificate, makeAuthority } from "./certificates.ts";

/** How this machine calls itself. */
const names = ["127.0.0.1", "::1", "localhost"];

const VALID_DAYS = 825;
/** One that ends soon is replaced before somebody tries things out with it for a day. */
const LEFT_DAYS_MIN = 2;

export interface OwnCertificate extends Certificate {
  /** For `WEBHOOK_CA_FILE`. */
  readonly authorityFile: string;
}

/**
 * The certificate of the receiver that `vestry receive` runs, and the authority that vouches for it, in
 * `DATA_DIR/receiver`. Made once and kept, so that the service is told only once whom to trust.
 *
 * The authority's own key is forgotten as soon as it has signed: whoever trusts it trusts this one certificate, and no
 * other can ever come into being.
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

/** undefined unless the two files are there, whole, of each other, and valid for a while. */
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
