import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { inspect } from "node:util";
import { EncryptionKey } from "../app/config.ts";
import { Cipher, keyIdOf, TamperedError, UnknownKeyError } from "./cipher.ts";

const key = (id: string) => new EncryptionKey(id, randomBytes(32));
const old = key("2025");
const current = key("2026");
const cipher = new Cipher([current, old]);
const owner = ["account", "endpoint", "1"];
const plain = Buffer.from("what nobody else reads");

test("a ciphertext can be decrypted, and no two ciphertexts are equal", () => {
  const one = cipher.encrypt(plain, owner);
  const other = cipher.encrypt(plain, owner);
  assert.notDeepEqual(one, other);
  assert.deepEqual(cipher.decrypt(one, owner), plain);
  assert.deepEqual(cipher.decrypt(new Uint8Array(other), owner), plain);
  assert.ok(!one.includes(plain));
  assert.deepEqual(cipher.decrypt(cipher.encrypt(Buffer.alloc(0), owner), owner), Buffer.alloc(0));
});

test("the first key encrypts, all keys decrypt, and older ciphertexts are outdated", () => {
  const before = new Cipher([old]).encrypt(plain, owner);
  assert.equal(keyIdOf(before), "2025");
  assert.deepEqual(cipher.decrypt(before, owner), plain);
  assert.ok(cipher.isOutdated(before));
  const now = cipher.encrypt(plain, owner);
  assert.equal(keyIdOf(now), "2026");
  assert.ok(!cipher.isOutdated(now));
});

test("a key that is not in the ring is named", () => {
  assert.throws(
    () => new Cipher([old]).decrypt(cipher.encrypt(plain, owner), owner),
    (error) => error instanceof UnknownKeyError && error.keyId === "2026",
  );
});

test("another key with the same name does not decrypt", () => {
  const impostor = new Cipher([key("2026")]);
  assert.throws(() => impostor.decrypt(cipher.encrypt(plain, owner), owner), TamperedError);
});

test("a ciphertext of another owner does not decrypt", () => {
  const ciphertext = cipher.encrypt(plain, owner);
  for (const other of [
    ["account", "endpoint", "2"],
    ["account", "other", "1"],
    ["other", "endpoint", "1"],
    ["endpoint", "account", "1"],
    ["account", "endpoint"],
    ["account", "endpoint", "1", ""],
    ["accountendpoint", "", "1"],
    [],
  ])
    assert.throws(() => cipher.decrypt(ciphertext, other), TamperedError, other.join("/"));
});

test("a changed or truncated ciphertext does not decrypt", () => {
  const ciphertext = cipher.encrypt(plain, owner);
  for (let at = 0; at < ciphertext.length; at++) {
    const changed = Buffer.from(ciphertext);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.throws(
      () => cipher.decrypt(changed, owner),
      (error) => error instanceof TamperedError || error instanceof UnknownKeyError,
      `byte ${at}`,
    );
    assert.throws(() => cipher.decrypt(ciphertext.subarray(0, at), owner), TamperedError);
  }
  assert.throws(() => cipher.decrypt(Buffer.concat([ciphertext, plain]), owner), TamperedError);
});

test("a ring has keys of 32 bytes with unique names", () => {
  assert.throws(() => new Cipher([]), /at least one/);
  assert.throws(() => new Cipher([old, key("2025")]), /same id/);
  assert.throws(() => new Cipher([new EncryptionKey("short", randomBytes(16))]), /32 bytes/);
  assert.throws(() => new Cipher([key("ä")]), /ASCII/);
});

test("a cipher does not reveal its keys", () => {
  const hex = current.bytes().toString("hex");
  assert.ok(!inspect(cipher, { depth: 9, showHidden: true }).includes(hex.slice(0, 8)));
  assert.equal(JSON.stringify(cipher), "{}");
});
