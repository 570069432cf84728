import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { ApiError } from "../../../src/base/errors.ts";
import { limits } from "../../../src/base/limits.ts";
import {
  chargeLookup,
  chargeTry,
  refundTry,
  throttleKeys,
} from "../../../src/features/sign-in/throttle.ts";
import { deviceCookie, parseDevice } from "../../../src/features/sign-in/session/known-device.ts";
import { sweepCounters } from "../../../src/store/counters.ts";
import { type FreshDatabase, freshDatabase } from "../../support/database.ts";

let database: FreshDatabase;
before(async () => {
  database = await freshDatabase("it counts failures that belong to no account");
});
after(() => database.close());

const key = Buffer.alloc(32, 7);
const keysOf = (email: string, address: string) =>
  throttleKeys(key, "login", ["grace", email], address);

/** Undefined if the attempt was allowed, or the seconds until the next attempt. */
async function tryLogin(email: string, address: string): Promise<number | undefined> {
  return chargeTry(database.home, keysOf(email, address)).then(() => undefined, waitOf);
}

function waitOf(error: unknown): number {
  assert.ok(error instanceof ApiError);
  assert.equal(error.status, 429);
  return Number(error.headers["Retry-After"]);
}

/** Moves the stored failures into the past. */
const passes = (seconds: number) => database.home`
  update counters set
    ends_at = ends_at - make_interval(secs => ${seconds}),
    last_at = last_at - make_interval(secs => ${seconds})`;

async function fail(times: number, email: string, address: string) {
  for (let n = 0; n < times; n += 1) assert.equal(await tryLogin(email, address), undefined);
}

describe("failed logins", () => {
  beforeEach(async () => {
    await database.home`delete from counters`;
  });

  test("429 · the delay doubles with each failure, up to a quarter of an hour", async () => {
    await fail(limits.loginFailuresFree, "mary@x.example", "192.0.2.1");
    const waits: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const wait = await tryLogin("mary@x.example", "192.0.2.1");
      assert.ok(wait);
      waits.push(wait);
      // Only the last failure moves, so that the hour does not end.
      await database.home`
        update counters set last_at = last_at - make_interval(secs => ${wait + 0.01})`;
      assert.equal(await tryLogin("mary@x.example", "192.0.2.1"), undefined);
    }
    assert.deepEqual(waits.slice(0, 11), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900]);
  });

  test("429 · an attempt during the delay does not count", async () => {
    await fail(limits.loginFailuresFree, "mary@x.example", "192.0.2.1");
    // A failure in the future keeps the delay from ending while the test runs.
    await passes(-60);
    for (let n = 0; n < 20; n += 1) assert.ok(await tryLogin("mary@x.example", "192.0.2.1"));
    await passes(61.01);
    assert.equal(await tryLogin("mary@x.example", "192.0.2.1"), undefined);
  });

  test("429 · an address that fails at twenty logins waits up to a minute, and others do not", async () => {
    for (let n = 0; n < 20; n += 1) await fail(1, `person-${n}@x.example`, "192.0.2.1");
    assert.equal(await tryLogin("another@x.example", "192.0.2.1"), 1);
    assert.equal(await tryLogin("another@x.example", "192.0.2.2"), undefined);
    const waits: number[] = [];
    for (let n = 0; n < 8; n += 1) {
      const wait = await tryLogin(`next-${n}@x.example`, "192.0.2.1");
      assert.ok(wait);
      waits.push(wait);
      // Only the last failure moves, so that the hour does not end.
      await database.home`
        update counters set last_at = last_at - make_interval(secs => ${wait + 0.01})`;
      await fail(1, `next-${n}@x.example`, "192.0.2.1");
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test("429 · wrong current passwords count against the address too", async () => {
    for (let n = 0; n < 20; n += 1)
      await chargeTry(
        database.home,
        throttleKeys(key, "password-change", ["grace", `person-${n}`], "192.0.2.1"),
      );
    assert.equal(await tryLogin("another@x.example", "192.0.2.1"), 1);
  });

  test("an IPv6 address is counted by its /64", async () => {
    for (let n = 0; n < limits.loginFailuresFreePerAddress; n += 1)
      await fail(1, `person-${n}@x.example`, `2001:db8::${n + 1}`);
    assert.equal(await tryLogin("another@x.example", "2001:db8::ffff"), 1);
    assert.equal(await tryLogin("another@x.example", "2001:db8:0:1::1"), undefined);
  });

  test("an IPv6 address is also counted by its /56 and its /48, which have more failures", async () => {
    let person = 0;
    const guess = async (address: string) => tryLogin(`person-${person++}@x.example`, address);
    const networks = (count: number, site: number) =>
      Array.from({ length: count }, (_, n) => `2001:db8:7:${((site << 8) + n).toString(16)}::1`);
    const refused = async (addresses: readonly string[], times: number) => {
      for (let n = 0; n < times; n += 1)
        assert.equal(await guess(addresses[n % addresses.length] ?? ""), undefined, String(n));
      return guess(addresses.at(-1) ?? "");
    };
    const free = limits.loginFailuresFreePerAddress;
    assert.equal(await refused(networks(10, 1), 2 * free), 1, "a /56");
    assert.equal(await refused(networks(10, 2), 2 * free), 1, "the /48");
    assert.equal(await guess("2001:db8:7:ff00::1"), 1, "another /56 of it");
    assert.equal(await guess("2001:db8:8::1"), undefined);
  });

  test("new networks are not fresh one after the other in a /48", async () => {
    const answers: (number | undefined)[] = [];
    for (let n = 0; n < 40; n += 1)
      answers.push(await tryLogin("mary@x.example", `2001:db8:9:${n.toString(16)}00::1`));
    const passed = answers.filter((wait) => wait === undefined).length;
    assert.ok(passed < 20, `${passed} of 40 guesses`);
  });

  test("429 · a log-in has fifty failures an hour from new addresses, and a known device does not wait for them", async () => {
    const guesses: (number | undefined)[] = [];
    for (let n = 0; n < 60; n += 1)
      guesses.push(await tryLogin("mary@x.example", `198.51.100.${n}`));
    const passed = guesses.filter((wait) => wait === undefined).length;
    assert.equal(passed, limits.loginFailuresPerHour);
    const who = ["grace", "mary@x.example"];
    const device = parseDevice(deviceCookie(undefined, key, who));
    const tryAt = (email: string) =>
      chargeTry(
        database.home,
        throttleKeys(key, "login", ["grace", email], "198.51.100.1", device),
      ).then(() => undefined, waitOf);
    for (let n = 0; n < limits.loginFailuresFree; n += 1)
      assert.equal(await tryAt("mary@x.example"), undefined);
    assert.equal(await tryAt("mary@x.example"), 1, "the device waits for its own failures");
  });

  test("a new address is not delayed by the failures of other addresses", async () => {
    for (let n = 0; n < 40; n += 1) await tryLogin("mary@x.example", `198.51.100.${n % 10}`);
    assert.ok(await tryLogin("mary@x.example", "198.51.100.1"));
    const home = "203.0.113.9";
    await fail(3, "mary@x.example", home);
    assert.ok(
      await tryLogin("mary@x.example", home),
      "an address that guesses is not fresh for long",
    );
  });

  test("a correct password resets the login, but not the other failures of the address", async () => {
    const keys = keysOf("mary@x.example", "192.0.2.1");
    await fail(3, "john@x.example", "192.0.2.1");
    await fail(4, "mary@x.example", "192.0.2.1");
    await chargeTry(database.home, keys);
    await refundTry(database.home, keys);
    const rows = await database.home<{ key: Buffer; failures: number }[]>`
      select key, requests as failures from counters`;
    assert.equal(
      rows.find((row) => row.key.equals(keys.who)),
      undefined,
    );
    const [network] = keys.networks;
    assert.equal(rows.find((row) => network?.equals(row.key))?.failures, 7);
  });

  test("a hundred concurrent attempts are all counted", async () => {
    const startedAt = performance.now();
    const tries = await Promise.all(
      Array.from({ length: 100 }, () => tryLogin("mary@x.example", "192.0.2.1")),
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    const extra = tries.filter((wait) => wait === undefined).length - limits.loginFailuresFree;
    // On a busy machine, delays of 1, 2, 4, … seconds end in between.
    assert.ok(extra >= 0 && extra <= Math.log2(seconds + 1), `${extra} in ${seconds} s`);
  });

  test("failures expire an hour after the first one", async () => {
    await fail(limits.loginFailuresFree, "mary@x.example", "192.0.2.1");
    assert.equal(await tryLogin("mary@x.example", "192.0.2.1"), 1);
    await passes(3_601);
    await fail(limits.loginFailuresFree, "mary@x.example", "192.0.2.1");
    assert.equal(await sweepCounters(database.home), 0);
    await passes(3_602);
    assert.equal(await sweepCounters(database.home), 2);
  });

  test("stored keys are keyed hashes that contain no name", () => {
    const one = keysOf("mary@x.example", "192.0.2.1");
    const other = throttleKeys(
      Buffer.alloc(32, 8),
      "login",
      ["grace", "mary@x.example"],
      "192.0.2.1",
    );
    assert.equal(one.who.length, 32);
    assert.notDeepEqual(one, other);
  });
});

describe("look-ups of accounts by e-mail", () => {
  beforeEach(async () => {
    await database.home`delete from counters`;
  });

  const lookUp = (email: string, address: string) =>
    chargeLookup(database.home, throttleKeys(key, "lookup", [email], address)).then(
      () => undefined,
      waitOf,
    );

  test("429 · an e-mail has ten look-ups an hour, from all addresses together", async () => {
    for (let n = 0; n < limits.usernameLookupsPerEmailPerHour; n += 1)
      assert.equal(await lookUp("mary@x.example", `192.0.2.${n}`), undefined);
    const wait = await lookUp("mary@x.example", "192.0.2.99");
    assert.ok(wait && wait > 3_590 && wait <= 3_600);
    assert.equal(await lookUp("john@x.example", "192.0.2.99"), undefined);
    await passes(3_601);
    assert.equal(await lookUp("mary@x.example", "192.0.2.99"), undefined);
  });

  test("429 · an address has twenty look-ups an hour, for all e-mails together", async () => {
    for (let n = 0; n < 20; n += 1)
      assert.equal(await lookUp(`person-${n}@x.example`, "192.0.2.1"), undefined);
    assert.ok(await lookUp("another@x.example", "192.0.2.1"));
    assert.equal(await lookUp("another@x.example", "192.0.2.2"), undefined);
  });

  test("look-ups do not slow logins down", async () => {
    for (let n = 0; n < 30; n += 1) await lookUp("mary@x.example", "192.0.2.1");
    assert.equal(await tryLogin("mary@x.example", "192.0.2.1"), undefined);
  });
});
