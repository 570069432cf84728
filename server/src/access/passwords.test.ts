import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import {
  hashPassword,
  needsRehash,
  passwordMistake,
  recommendedCost,
  setPasswordCost,
  verifyPassword,
} from "./passwords.ts";

// The runner of the tests sets a small cost.
setPasswordCost(recommendedCost);

test("the password that was hashed is right, any other is wrong", async () => {
  const hash = await hashPassword("correct horse");
  assert.match(hash, /^\$argon2id\$v=19\$m=47104,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.equal(await verifyPassword("correct horse", hash), true);
  assert.equal(await verifyPassword("correct horsf", hash), false);
});

test("a password is the same however its accents were typed", async () => {
  const hash = await hashPassword("caf\u00e9 au lait");
  assert.equal(await verifyPassword("cafe\u0301 au lait", hash), true);
});

test("without a hash no password is right", async () => {
  assert.equal(await verifyPassword("anything", undefined), false);
});

test("a hash of another implementation, with other parameters, is verified and is to be renewed", async () => {
  // From the test vectors of the reference implementation.
  const other =
    "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
  assert.equal(await verifyPassword("password", other), true);
  assert.equal(await verifyPassword("passwore", other), false);
  assert.equal(needsRehash(other), true);
  assert.equal(needsRehash(await hashPassword("password")), false);
});

test("a hash that asks for absurd memory is refused, not computed", async () => {
  const absurd =
    "$argon2id$v=19$m=999999999,t=1,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
  await assert.rejects(verifyPassword("password", absurd), /cannot be read/);
});

test("a password has 6 to 140 characters, counted as people count them", () => {
  const mistaken = (password: string) => passwordMistake(password) !== undefined;
  assert.equal(mistaken("12345"), true);
  assert.equal(mistaken("123456"), false);
  assert.equal(mistaken("x".repeat(140)), false);
  assert.equal(mistaken("x".repeat(141)), true);
  assert.equal(mistaken("🔑".repeat(6)), false);
  assert.equal(mistaken("🔑".repeat(140)), false);
  // Six code points as typed, three once composed.
  assert.equal(mistaken("e\u0301".repeat(3)), true);
  assert.equal(mistaken("e\u0301".repeat(140)), false);
  assert.equal(mistaken("x".repeat(1_000_000)), true);
});

test("NUL and unpaired surrogates are refused", () => {
  for (const password of ["123\u00004567", "1234567\ud800"])
    assert.deepEqual(passwordMistake(password), { rule: "format", format: "text" });
});

test("two hashes at a time, a short queue, and beyond it 503 with Retry-After", async () => {
  const places = limits.passwordHashesAtOnce + limits.passwordQueueMax;
  const cheap =
    "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
  const all = await Promise.allSettled(
    Array.from({ length: places + 5 }, () => verifyPassword("password", cheap)),
  );
  const refused = all.filter((one) => one.status === "rejected");
  assert.equal(refused.length, 5);
  const error = refused[0]?.reason as ApiError;
  assert.ok(error instanceof ApiError);
  assert.equal(error.status, 503);
  assert.ok(Number(error.headers["Retry-After"]) > 0);
  // Nothing is stuck afterwards.
  assert.equal(await verifyPassword("password", cheap), true);
});
