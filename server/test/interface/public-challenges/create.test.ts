import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { limits } from "../../../src/base/limits.ts";
import { now, SECOND } from "../../../src/base/clock.ts";
import { newChallenge, solvedChallenge } from "../../../src/features/visitors/challenges.ts";
import { makeAccount } from "../../support/make.ts";
import { codes, one, startService, type TestService } from "../../support/service.ts";
import { BEHIND_PROXY, openPublicArea, sendAsVisitor, solve } from "../../support/visits.ts";

let service: TestService;
let accountId: string;
before(async () => {
  service = await startService(BEHIND_PROXY);
  accountId = service.account.id;
  await openPublicArea(service.db, accountId);
});
after(() => service.stop());

const key = Buffer.alloc(32, 9);
const create = (body: unknown = { data: { type: "challenges" } }) =>
  sendAsVisitor(service, accountId, "challenges", body);

/** The proof with some members of its payload changed. */
const altered = (proof: string, more: Record<string, unknown>): string => {
  const payload = JSON.parse(Buffer.from(proof, "base64").toString()) as object;
  return Buffer.from(JSON.stringify({ ...payload, ...more })).toString("base64");
};

test("201 · a challenge has the members that the ALTCHA widget reads, and is never stored", async () => {
  const answer = await create();
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(answer.headers.get("location"), null);
  const { attributes, type } = one(answer);
  assert.equal(type, "challenges");
  assert.deepEqual(Object.keys(attributes).sort(), [
    "algorithm",
    "challenge",
    "maxnumber",
    "salt",
    "signature",
  ]);
  const { algorithm, challenge, maxnumber, salt, signature } = attributes;
  assert.deepEqual([algorithm, maxnumber], ["SHA-256", 50_000]);
  assert.match(String(challenge), /^[0-9a-f]{64}$/);
  assert.match(String(signature), /^[0-9a-f]{64}$/);
  const [, expires] = /^[0-9a-f]{24}\?expires=(\d+)&$/.exec(String(salt)) ?? [];
  const seconds = Number(expires) - now() / SECOND;
  assert.ok(Math.abs(seconds - limits.proofMs / SECOND) < 60, `${seconds}`);
});

test("201 · the number of a solution is the one that the challenge hashes", async () => {
  const { attributes } = one(await create());
  const proof = solve(attributes as never);
  const { number } = JSON.parse(Buffer.from(proof, "base64").toString()) as { number: number };
  const hash = createHash("sha256")
    .update(`${String(attributes["salt"])}${number}`)
    .digest("hex");
  assert.equal(hash, attributes["challenge"]);
});

test("4xx · the body is a document of the type", async () => {
  for (const [body, code] of [
    ["", "malformed-document"],
    ["{", "malformed-json"],
    [{ data: { type: "cells" } }, "type-mismatch"],
    [{ data: { type: "challenges", attributes: { level: 1 } } }, "unknown-attribute"],
  ] as const) {
    const answer = await create(body);
    assert.deepEqual(codes(answer), [code], answer.text);
  }
});

test("405 · a challenge cannot be read", async () => {
  const answer = await service.get("/p/v1/challenges");
  assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "POST, OPTIONS"]);
});

test("a solution is accepted only as it was made: no member may be altered", async () => {
  const challenge = await newChallenge(key, accountId);
  const proof = solve(challenge);
  assert.ok(await solvedChallenge(key, accountId, proof));
  const { number } = JSON.parse(Buffer.from(proof, "base64").toString()) as { number: number };
  const later = challenge.salt.replace(/\d{10}/, (seconds) => String(Number(seconds) + 3_600));
  const digit = challenge.salt.slice(0, -1);
  for (const more of [
    { number: number + 1 },
    { number: String(number) },
    { number: -1 },
    { number: 50_001 },
    { number: null },
    { algorithm: "SHA-1" },
    { algorithm: "sha-256" },
    { salt: later },
    { salt: digit, number },
    { salt: null },
    { signature: "0".repeat(64) },
    { challenge: "0".repeat(64) },
    { challenge: challenge.challenge.toUpperCase() },
  ])
    assert.equal(await solvedChallenge(key, accountId, altered(proof, more)), undefined);
  for (const text of ["", "e30=", "bnVsbA==", "%%%", "W10="])
    assert.equal(await solvedChallenge(key, accountId, text), undefined);
});

test("a solution is of no use in another account, with another key, or after 20 minutes", async (context) => {
  const other = await makeAccount(service.db);
  const proof = solve(await newChallenge(key, accountId));
  assert.equal(await solvedChallenge(key, other.id, proof), undefined);
  assert.equal(await solvedChallenge(Buffer.alloc(32, 8), accountId, proof), undefined);
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() + limits.proofMs + SECOND });
  assert.equal(await solvedChallenge(key, accountId, proof), undefined);
});
