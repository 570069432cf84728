import assert from "node:assert/strict";
import { test } from "node:test";
import { newAccessToken, newClientToken } from "../access/tokens.ts";
import { newId } from "../base/ids.ts";
import { Counter, keyOf, quotas, rateLimiter, unlimited } from "./rate-limit.ts";

const small = {
  user: { name: "user", requests: 3, windowMs: 20_000, slots: 64 },
  client: { name: "client", requests: 5, windowMs: 60_000, slots: 64 },
  address: { name: "address", requests: 2, windowMs: 60_000, slots: 64 },
};

function limiterAt(start = 1_000_000) {
  const time = { now: start };
  return { time, limiter: rateLimiter(small, () => time.now) };
}

const bearer = () => `Bearer ${newAccessToken(newId()).token}`;
const address = "192.0.2.1";

test("a user has so many requests in a window, and the headers tell how many are left", () => {
  const { limiter, time } = limiterAt();
  const authorization = bearer();
  const first = limiter.admit({ authorization, address });
  assert.equal(first.refusal, undefined);
  assert.deepEqual(first.headers, {
    "RateLimit-Policy": '"user";q=3;w=20',
    "RateLimit": '"user";r=2;t=20',
  });
  time.now += 5_500;
  limiter.admit({ authorization, address });
  limiter.admit({ authorization, address });
  const fourth = limiter.admit({ authorization, address });
  assert.equal(fourth.refusal?.status, 429);
  assert.equal(fourth.refusal?.headers["Retry-After"], "15");
  assert.equal(fourth.headers["RateLimit"], '"user";r=0;t=15');

  time.now += 14_500;
  assert.equal(limiter.admit({ authorization, address }).refusal, undefined);
});

test("another user goes on while one is refused", () => {
  const { limiter } = limiterAt();
  const busy = bearer();
  for (let n = 0; n < 4; n += 1) limiter.admit({ authorization: busy, address });
  assert.ok(limiter.admit({ authorization: busy, address }).refusal);
  assert.equal(limiter.admit({ authorization: bearer(), address }).refusal, undefined);
});

test("a client token is counted over all its users", () => {
  const { limiter } = limiterAt();
  const clientToken = newClientToken().token;
  const tries = Array.from({ length: 6 }, () =>
    limiter.admit({ authorization: bearer(), clientToken, address }),
  );
  assert.deepEqual(
    tries.map((one) => one.refusal?.status),
    [undefined, undefined, undefined, undefined, undefined, 429],
  );
  assert.equal(tries[0]?.headers["RateLimit-Policy"], '"user";q=3;w=20, "client";q=5;w=60');
});

test("requests without an access token are counted by address, IPv6 by /64", () => {
  const { limiter } = limiterAt();
  assert.equal(limiter.admit({ address: "2001:db8::1" }).refusal, undefined);
  assert.equal(
    limiter.admit({ authorization: "Basic abc", address: "2001:db8::2" }).refusal,
    undefined,
  );
  assert.equal(limiter.admit({ address: "2001:db8::3" }).refusal?.status, 429);
  assert.equal(limiter.admit({ address: "2001:db8:0:1::1" }).refusal, undefined);
});

test("ever new wrong tokens spend their address; a token known to be good goes on", () => {
  const { limiter } = limiterAt();
  const good = bearer();
  limiter.settle(limiter.admit({ authorization: good, address }), true);
  for (let n = 0; n < 2; n += 1)
    limiter.settle(limiter.admit({ authorization: bearer(), address }), false);

  assert.equal(limiter.admit({ authorization: bearer(), address }).refusal?.status, 429);
  assert.equal(limiter.admit({ authorization: good, address }).refusal, undefined);
  assert.equal(limiter.admit({ authorization: bearer(), address: "192.0.2.2" }).refusal, undefined);
});

test("a token that was good and is not any more is no longer known to be good", () => {
  const { limiter } = limiterAt();
  const authorization = bearer();
  limiter.settle(limiter.admit({ authorization, address }), true);
  limiter.settle(limiter.admit({ authorization, address }), false);
  limiter.settle(limiter.admit({ authorization: bearer(), address }), false);
  assert.equal(limiter.admit({ authorization, address }).refusal?.status, 429);
});

test("a clock that is set back does not leave anybody out", () => {
  const { limiter, time } = limiterAt();
  const authorization = bearer();
  for (let n = 0; n < 4; n += 1) limiter.admit({ authorization, address });
  time.now -= 3_600_000;
  assert.equal(limiter.admit({ authorization, address }).refusal, undefined);
});

test("a million callers take no more memory than one, and a busy one stays counted", () => {
  const counter = new Counter({ ...small.user, requests: 300, slots: 4_096 });
  const busy = keyOf("busy");
  for (let n = 0; n < 300; n += 1) counter.take(counter.slotOf(busy, 0));
  for (let n = 0; n < 1_000_000; n += 1) counter.take(counter.slotOf(keyOf(`token-${n}`), 1));
  assert.equal(counter.take(counter.slotOf(busy, 2)), false);
});

test("keys spread evenly", () => {
  const sets = new Map<number, number>();
  const many = 64 * 1_000;
  for (let n = 0; n < many; n += 1) {
    const set = keyOf(`192.0.${n >> 8}.${n & 255}`) & 63;
    sets.set(set, (sets.get(set) ?? 0) + 1);
  }
  assert.equal(sets.size, 64);
  for (const count of sets.values()) assert.ok(count > 800 && count < 1_200, String(count));
});

test("switched off, nobody is refused and nothing is said", () => {
  const tries = Array.from({ length: 1_000 }, () => unlimited.admit({ address }));
  assert.ok(tries.every(({ refusal }) => refusal === undefined));
  assert.deepEqual(tries[0]?.headers, {});
});

test("the memory taken from the start is a few megabytes", () => {
  const slots = quotas.user.slots + quotas.client.slots + quotas.address.slots;
  assert.ok(slots * 21 < 5 * 1_048_576);
});
