import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { format, inspect } from "node:util";
import { EncryptionKey } from "../../app/config.ts";
import { Cipher, TamperedError } from "../../store/cipher.ts";
import { SigningSecret } from "./signing-secrets.ts";

const cipher = new Cipher([new EncryptionKey("one", randomBytes(32))]);
const owner = { accountId: "a", endpointId: "e", generation: 1 };

test("a new secret is 32 random bytes in padded base64 and can be decoded", () => {
  const secret = SigningSecret.generate();
  const text = secret.revealOnce();
  assert.match(text, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(SigningSecret.parse(text)?.revealOnce(), text);
  assert.notEqual(SigningSecret.generate().revealOnce(), text);
});

test("a secret has one encoding and 24 to 64 bytes", () => {
  const spelled = (bytes: Buffer, encoding: "base64" | "base64url" = "base64") =>
    `whsec_${bytes.toString(encoding)}`;
  const bytes = Buffer.alloc(32, 0xff);
  for (const good of [bytes, Buffer.alloc(24), Buffer.alloc(64)])
    assert.ok(SigningSecret.parse(spelled(good)));
  for (const bad of [
    "",
    "whsec_",
    spelled(bytes).slice(6),
    spelled(bytes).slice(0, -1),
    spelled(bytes, "base64url"),
    ` ${spelled(bytes)}`,
    `${spelled(bytes)}\n`,
    spelled(bytes).replace("whsec_", "WHSEC_"),
    spelled(Buffer.alloc(23)),
    spelled(Buffer.alloc(65)),
  ])
    assert.equal(SigningSecret.parse(bad), undefined, JSON.stringify(bad));
});

test("a secret cannot be printed, inspected or serialized", () => {
  const secret = SigningSecret.generate();
  const shown = [
    JSON.stringify({ secret }),
    inspect({ secret }, { showHidden: true, depth: 9, customInspect: true }),
    inspect(secret, { showHidden: true, customInspect: false }),
    format("%s %o %j", secret, secret, secret),
    String(secret),
    JSON.stringify(structuredClone(secret)),
    JSON.stringify(Object.entries(secret)),
  ].join();
  const text = secret.revealOnce().slice(6);
  for (const spelling of [text, Buffer.from(text, "base64").toString("hex")])
    assert.ok(!shown.includes(spelling.slice(0, 6)), shown);
});

test("an encrypted secret can only be decrypted for its account, endpoint and generation", () => {
  const secret = SigningSecret.generate();
  const encrypted = secret.encrypt(cipher, owner);
  assert.equal(SigningSecret.decrypt(cipher, encrypted, owner).revealOnce(), secret.revealOnce());
  for (const other of [
    { ...owner, accountId: "b" },
    { ...owner, endpointId: "f" },
    { ...owner, generation: 2 },
  ])
    assert.throws(() => SigningSecret.decrypt(cipher, encrypted, other), TamperedError);
});
