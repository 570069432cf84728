import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { newAccessToken, newBrowserToken, newClientToken } from "../access/tokens.ts";
import { newId } from "../base/ids.ts";
import { bucketOf } from "../base/buckets.ts";
import { rateLimiter } from "./rate-limit.ts";

const small = {
  user: { name: "user", requests: 3, windowMs: 20_000 },
  client: { name: "client", requests: 5, windowMs: 60_000 },
  address: { name: "address", requests: 2, windowMs: 60_000 },
  public: { name: "public", requests: 3, windowMs: 10_000 },
  file: { name: "file", requests: 4, windowMs: 60_000 },
};

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["Date", "setTimeout"], now: 1_000_000 });
});

const bearer = () => `Bearer ${newAccessToken(newId()).token}`;
const address = "192.0.2.1";

test("a user has a quota for each window, and the headers show the rest", async () => {
  const limiter = rateLimiter(small);
  const authorization = bearer();
  const first = await limiter.admit({ authorization, address });
  assert.equal(first.refusal, undefined);
  assert.deepEqual(first.headers, {
    "RateLimit-Policy": '"user";q=3;w=20',
    "RateLimit": '"user";r=2;t=20',
  });
  mock.timers.tick(5_500);
  await limiter.admit({ authorization, address });
  await limiter.admit({ authorization, address });
  const fourth = await limiter.admit({ authorization, address });
  assert.equal(fourth.refusal?.status, 429);
  assert.equal(fourth.refusal?.headers["Retry-After"], "15");
  assert.equal(fourth.headers["RateLimit"], '"user";r=0;t=15');

  mock.timers.tick(14_500);
  assert.equal((await limiter.admit({ authorization, address })).refusal, undefined);
});

test("a browser session has the quota of a user, and another cookie counts for the address", async () => {
  const limiter = rateLimiter(small);
  const sessionToken = newBrowserToken(newId()).token;
  for (let n = 0; n < 3; n += 1)
    assert.equal((await limiter.admit({ sessionToken, address })).refusal, undefined);
  const { headers, refusal } = await limiter.admit({ sessionToken, address });
  assert.deepEqual([refusal?.status, headers["RateLimit"]], [429, '"user";r=0;t=20']);
  for (const other of ["", "vbt_short", newAccessToken(newId()).token]) {
    const counted = await limiter.admit({ sessionToken: other, address });
    assert.match(counted.headers["RateLimit-Policy"] ?? "", /^"address"/);
  }
});

test("another user is not affected by a user over the quota", async () => {
  const limiter = rateLimiter(small);
  const busy = bearer();
  for (let n = 0; n < 4; n += 1) await limiter.admit({ authorization: busy, address });
  assert.ok((await limiter.admit({ authorization: busy, address })).refusal);
  assert.equal((await limiter.admit({ authorization: bearer(), address })).refusal, undefined);
});

test("a client token is counted over all its users", async () => {
  const limiter = rateLimiter(small);
  const clientToken = newClientToken().token;
  const tries = await Promise.all(
    Array.from({ length: 6 }, () =>
      limiter.admit({ authorization: bearer(), clientToken, address }),
    ),
  );
  assert.deepEqual(
    tries.map((one) => one.refusal?.status),
    [undefined, undefined, undefined, undefined, undefined, 429],
  );
  assert.equal(tries[0]?.headers["RateLimit-Policy"], '"user";q=3;w=20, "client";q=5;w=60');
});

test("requests without an access token are counted by address, IPv6 by /64", async () => {
  const limiter = rateLimiter(small);
  const status = async (caller: { authorization?: string; address: string }) =>
    (await limiter.admit(caller)).refusal?.status;
  assert.equal(await status({ address: "2001:db8::1" }), undefined);
  assert.equal(await status({ authorization: "Basic abc", address: "2001:db8::2" }), undefined);
  assert.equal(await status({ address: "2001:db8::3" }), 429);
  assert.equal(await status({ address: "2001:db8:0:1::1" }), undefined);
});

test("requests to the public area are counted by address alone, and preflight requests apart", async () => {
  const limiter = rateLimiter(small);
  const admit = (visit?: "read" | "write" | "preflight", at = "2001:db8::1") =>
    limiter.admit({ authorization: bearer(), address: at, visit });
  const statuses = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await admit("read")).refusal?.status);
  assert.deepEqual(statuses, [undefined, undefined, undefined, 429]);
  const { headers, refusal } = await admit("read", "2001:db8:0:ff::2");
  assert.equal(headers["RateLimit-Policy"], '"public";q=3;w=10');
  assert.equal(refusal?.headers["Retry-After"], "10");
  assert.deepEqual(refusal?.problems[0]?.meta, { limit: "reads" });
  assert.equal((await admit("read", "2001:db8:0:100::1")).refusal, undefined);
  assert.equal((await admit("write")).refusal, undefined);
  assert.equal((await admit("preflight")).refusal, undefined);
  assert.equal((await admit()).refusal, undefined);
});

test("new wrong tokens use up the quota of their address; a valid token goes on", async () => {
  const limiter = rateLimiter(small);
  const good = bearer();
  limiter.settle(await limiter.admit({ authorization: good, address }), true);
  for (let n = 0; n < 2; n += 1)
    limiter.settle(await limiter.admit({ authorization: bearer(), address }), false);

  const wrong = { authorization: bearer(), address };
  assert.equal((await limiter.admit(wrong)).refusal?.status, 429);
  assert.equal((await limiter.admit({ authorization: good, address })).refusal, undefined);
  assert.equal((await limiter.admit({ ...wrong, address: "192.0.2.2" })).refusal, undefined);
});

test("a revoked token is no longer known as valid", async () => {
  const limiter = rateLimiter(small);
  const authorization = bearer();
  limiter.settle(await limiter.admit({ authorization, address }), true);
  limiter.settle(await limiter.admit({ authorization, address }), false);
  limiter.settle(await limiter.admit({ authorization: bearer(), address }), false);
  assert.equal((await limiter.admit({ authorization, address })).refusal?.status, 429);
});

test("callers fall evenly into a bounded number of buckets", () => {
  const buckets = new Set(Array.from({ length: 100_000 }, (_, n) => bucketOf(`token-${n}`)));
  assert.ok([...buckets].every((bucket) => bucket >= 0 && bucket < 131_072));
  // 100,000 of 131,072 buckets taken at random leave 47 % empty.
  assert.ok(buckets.size > 69_000 && buckets.size < 71_000, String(buckets.size));
});

test("limits of callers and of visitors are off apart, and then reject nothing and send no headers", async () => {
  const none = { ...small, address: { ...small.address, requests: 0 } };
  const callersOff = rateLimiter(none, { callers: false });
  const { headers, refusal } = await callersOff.admit({ address });
  assert.deepEqual([headers, refusal], [{}, undefined]);
  for (let n = 0; n < 3; n += 1) await callersOff.admit({ address, visit: "read" });
  assert.equal((await callersOff.admit({ address, visit: "read" })).refusal?.status, 429);
  const visitorsOff = rateLimiter(none, { visitors: false });
  for (let n = 0; n < 4; n += 1)
    assert.equal((await visitorsOff.admit({ address, visit: "read" })).refusal, undefined);
  assert.equal((await visitorsOff.admit({ address })).refusal?.status, 429);
});
