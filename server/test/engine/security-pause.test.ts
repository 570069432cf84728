import assert from "node:assert/strict";
import { test } from "node:test";
import {
  deliveriesOf,
  engineStage,
  happen,
  makeLiveEndpoint,
  observed,
  testSender,
} from "../support/engine.ts";
import { makeAccount } from "../support/make.ts";
import { type NameAnswer } from "../support/name-server.ts";
import { ok, saying } from "../support/receiver.ts";

/** The host was public when its endpoint was registered and now has a private address. */

let says: NameAnswer = ["127.0.0.1"];
const { newDatabase, newEngine, newNameServer, newReceiver } = engineStage();
const { db, url } = await newDatabase();
const nameServer = await newNameServer(() => says);
const receiver = await newReceiver();
newEngine(url, { sender: testSender({ dnsServers: [nameServer.address] }) });

const urlOf = (path: string) => `https://receiver.example:${receiver.port}/${path}`;

const standingOf = async (accountId: string) => {
  const [row] = await db`
    select status, pause_reason as reason from webhook_endpoints where account_id = ${accountId}`;
  return { ...row };
};

for (const [what, addresses] of [
  ["a private address", ["10.0.0.1"]],
  ["a private address among others", ["127.0.0.1", "169.254.169.254"]],
  ["a private address of the other family", ["127.0.0.1", "fd00::1"]],
] as const)
  test(`${what}: nothing is sent, all work is suppressed, and the endpoint is paused`, async () => {
    const { id } = await makeAccount(db);
    await makeLiveEndpoint(db, id, { url: urlOf(id) });
    const requests = () => receiver.requests.filter(({ path }) => path.endsWith(id)).length;
    says = ["127.0.0.1"];
    receiver.behave(saying(500));
    let finished = observed("attempt-finished", 3, (one) => one.accountId === id);
    for (let count = 0; count < 3; count++) await happen(db, id);
    await finished;
    assert.equal(requests(), 3);
    // An open connection keeps its address. Only a new connection resolves the name.
    receiver.endAll();
    await receiver.closed(receiver.connections);

    says = addresses;
    receiver.behave(ok);
    finished = observed("attempt-finished", 1, (one) => one.accountId === id);
    await happen(db, id);
    const [attempt] = await finished;
    assert.deepEqual([attempt?.code, attempt?.status], ["dns-private-address", "suppressed"]);
    assert.deepEqual(await standingOf(id), { status: "paused", reason: "security-policy" });
    const deliveries = await deliveriesOf(db, id);
    assert.equal(deliveries.length, 4);
    for (const { queued, status, suppressionReason } of deliveries)
      assert.deepEqual(
        [status, suppressionReason, queued],
        ["suppressed", "security-policy", false],
      );
    assert.equal(requests(), 3);

    await happen(db, id);
    assert.equal((await deliveriesOf(db, id)).length, 4, "nothing is captured for it any more");
  });

test("a refused address counts as a failure of the receiver", async () => {
  const { id } = await makeAccount(db);
  await makeLiveEndpoint(db, id, { url: urlOf(id) });
  says = ["192.168.1.1"];
  const finished = observed("attempt-finished", 1, (one) => one.accountId === id);
  await happen(db, id);
  await finished;
  const [delivery] = await deliveriesOf(db, id);
  assert.deepEqual(
    delivery?.attempts.map(({ code, number, outcome, state }) => [number, state, outcome, code]),
    [[1, "completed", "permanent-failure", "dns-private-address"]],
  );
  const [health] = await db`
    select consecutive_failures as failures, last_failure_code as code from webhook_endpoint_health
    where account_id = ${id}`;
  assert.deepEqual({ ...health }, { failures: 1, code: "dns-private-address" });
});
