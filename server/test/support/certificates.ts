import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

/** Certificates for tests, in the few kinds that a receiver may have. In DER by hand: it is little, and no dependency. */

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Certificate {
  issue(names: readonly string[], days?: { from?: number; to?: number }): Certificate;
}

export function makeAuthority(name = "Vestry test authority"): Authority {
  const keys = newKeys();
  const root = certificate({ subject: name, keys, issuer: name, issuerKey: keys.privateKey });
  return {
    cert: root,
    key: pemOf(keys.privateKey),
    issue(names, { from = -1, to = 30 } = {}) {
      const own = newKeys();
      const subject = names[0] ?? "";
      return {
        cert: certificate({
          subject,
          names,
          keys: own,
          issuer: name,
          issuerKey: keys.privateKey,
          from,
          to,
        }),
        key: pemOf(own.privateKey),
      };
    },
  };
}

export function selfSigned(names: readonly string[]): Certificate {
  const keys = newKeys();
  const subject = names[0] ?? "";
  return {
    cert: certificate({ subject, names, keys, issuer: subject, issuerKey: keys.privateKey }),
    key: pemOf(keys.privateKey),
  };
}

interface Keys {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

const newKeys = (): Keys => generateKeyPairSync("ec", { namedCurve: "prime256v1" });

const pemOf = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();

interface Wanted {
  subject: string;
  /** Absent: an authority's. */
  names?: readonly string[];
  keys: Keys;
  issuer: string;
  issuerKey: KeyObject;
  /** Days from now. */
  from?: number;
  to?: number;
}

function certificate({
  subject,
  names,
  keys,
  issuer,
  issuerKey,
  from = -1,
  to = 30,
}: Wanted): string {
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
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
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
  switch (isIP(name)) {
    case 4:
      return der(0x87, Buffer.from(name.split(".").map(Number)));
    case 6:
      // Enough for loopback.
      return der(0x87, Buffer.concat([Buffer.alloc(15), Buffer.from([Number(name.slice(2))])]));
    default:
      return der(0x82, Buffer.from(name));
  }
}

function time(days: number): Buffer {
  const at = new Date(Date.now() + days * 86_400_000);
  return der(0x18, Buffer.from(at.toISOString().replace(/[-:T]|\.\d+/g, ""))); // GeneralizedTime
}
