import * as certificates from "../../src/cli/receive/certificates.ts";

/** Certificates for tests, in the few kinds that a receiver may have. */
export type { Authority, Certificate } from "../../src/cli/receive/certificates.ts";

export const makeAuthority = () => certificates.makeAuthority("Vestry test authority");

export function selfSigned(names: readonly string[]): certificates.Certificate {
  const keys = certificates.newKeys();
  const subject = names[0] ?? "";
  const issuer = { issuer: subject, issuerKey: keys.privateKey };
  return certificates.certificate({ subject, names, keys, ...issuer });
}
