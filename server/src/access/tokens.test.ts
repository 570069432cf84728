import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../base/ids.ts";
import {
  accessTokenKey,
  bearerOf,
  browserTokenKey,
  clientTokenHash,
  newAccessToken,
  newBrowserToken,
  newClientToken,
} from "./tokens.ts";

test("an access token carries its account and is found by the hash that was stored", () => {
  const accountId = newId();
  const { token, hash } = newAccessToken(accountId);
  assert.match(token, /^vat_[\w-]{64}$/);
  assert.deepEqual(accessTokenKey(token), { accountId, hash });
});

test("a client token is found by the hash that was stored", () => {
  const { token, hash } = newClientToken();
  assert.match(token, /^vct_[\w-]{43}$/);
  assert.deepEqual(clientTokenHash(token), hash);
});

test("another account in front of the same random part is another token", () => {
  const { token } = newAccessToken(newId());
  const forged = newAccessToken(newId()).token.slice(0, 25) + token.slice(25);
  assert.notDeepEqual(accessTokenKey(forged)?.hash, accessTokenKey(token)?.hash);
  assert.ok(accessTokenKey(forged));
});

test("a token of one kind is no token of another kind", () => {
  const accountId = newId();
  const { token, hash } = newBrowserToken(accountId);
  assert.deepEqual(browserTokenKey(token), { accountId, hash });
  assert.equal(accessTokenKey(token), undefined);
  const renamed = token.replace("vbt_", "vat_");
  assert.equal(browserTokenKey(renamed), undefined);
  assert.notDeepEqual(accessTokenKey(renamed)?.hash, hash);
});

test("malformed tokens are rejected", () => {
  const { token } = newAccessToken(newId());
  const { token: client } = newClientToken();
  for (const text of [
    "",
    "vat_",
    token.slice(1),
    `${token}A`,
    token.slice(0, -1),
    ` ${token}`,
    client,
  ])
    assert.equal(accessTokenKey(text), undefined, text);
  for (const text of [
    `${token}\n`,
    token.replace(/.$/, "="),
    token.replace(/.$/, "é"),
    "\0".repeat(68),
  ])
    assert.equal(accessTokenKey(text), undefined, text);
  for (const text of ["", "vct_", token, `${client}A`, client.toUpperCase()])
    assert.equal(clientTokenHash(text), undefined, text);
});

test("the scheme is read in any case, and only Bearer is", () => {
  for (const scheme of ["Bearer", "bearer", "BEARER"])
    assert.equal(bearerOf(`${scheme} abc`), "abc");
  for (const header of [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "abc",
    "Basic abc",
    "Bearer a b",
    "Bearer a,b",
  ])
    assert.equal(bearerOf(header), undefined, String(header));
});
