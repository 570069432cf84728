import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import { DAY, now } from "../../base/clock.ts";
import { parseAddress } from "../../base/networks.ts";

/**
 * Certificates for receivers on the local machine. Node cannot create certificates, so this file encodes them in DER.
 * Only a few structures are needed, and the openssl program may be missing.
 */

/** PEM texts. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Certificate {
  issue(names: readonly string[], days?: Days): Certificate;
}

/** Days relative to now. */
export interface Days {
  readonly from?: number;
  readonly to?: number;
}

export function makeAuthority(name: string, days: Days = {}): Authority {
  const keys = newKeys();
  const signed = { issuer: name, issuerKey: keys.privateKey };
  return {
    ...certificate({ ...signed, ...days, subject: name, keys }),
    issue: (names, own = days) =>
      certificate({ ...signed, ...own, subject: names[0] ?? "", names, keys: newKeys() }),
  };
}

export interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export const newKeys = (): Keys => generateKeyPairSync("ec", { namedCurve: "prime256v1" });

interface Wanted extends Days {
  readonly subject: string;
  /** Absent in the certificate of an authority. */
  readonly names?: readonly string[];
  readonly keys: Keys;
  readonly issuer: string;
  readonly issuerKey: KeyObject;
}

/** Valid from yesterday by default, because the clocks of two machines may differ. */
export function certificate(wanted: Wanted): Certificate {
  const { subject, names, keys, issuer, issuerKey, from = -1, to = 30 } = wanted;
  const algorithm = sequence(oid("2a8648ce3d040302")); // ecdsa-with-SHA256
  const extensions = names
    ? extension("551d11", sequence(...names.map(alternativeName))) // subjectAltName
    : extension("551d13", sequence(der(0x01, Buffer.from([0xff])))); // basicConstraints, CA
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])), // serial number
    algorithm,
    distinguished(issuer),
    sequence(time(from), time(to)),
    distinguished(subject),
    keys.publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extensions)),
  );
  const signature = sign("sha256", body, issuerKey);
  const whole = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    cert: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
    key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 128
      ? [content.length]
      : content.length < 256
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const extension = (id: string, value: Buffer) => sequence(oid(id), der(0x04, value));
const distinguished = (name: string) =>
  sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(name))))); // commonName

function alternativeName(name: string): Buffer {
  const address = parseAddress(name);
  if (!address) return der(0x82, Buffer.from(name));
  const digits = isIP(name) === 4 ? 8 : 32;
  return der(0x87, Buffer.from(address.value.toString(16).padStart(digits, "0"), "hex"));
}

function time(days: number): Buffer {
  const at = new Date(now() + days * DAY);
  return der(0x18, Buffer.from(at.toISOString().replace(/[-:T]|\.\d+/g, ""))); // GeneralizedTime
}
