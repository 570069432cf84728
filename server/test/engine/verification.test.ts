import assert from "node:assert/strict";
import { test } from "node:test";
import { wake } from "../../src/events/wake.ts";
import { inTransaction } from "../../src/store/db.ts";
import { requestVerification } from "../../src/webhooks/endpoints/request-verification.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import { sweep } from "../../src/webhooks/engine/sweep.ts";
import { updateEndpoint } from "../../src/webhooks/endpoints/update-endpoint.ts";
import { actorOf, createdEndpoint, parts, showingSecret, standing } from "../support/endpoints.ts";
import {
  deliveriesOf,
  engineStage,
  makeDue,
  observed,
  type StoredDelivery,
  testSender,
} from "../support/engine.ts";
import { type TestAccount, makeAccount } from "../support/make.ts";
import type { MessageDocument } from "../support/messages.ts";
import { answering, type Behaviour, gate, saying } from "../support/receiver.ts";

/** Responses that activate an endpoint, and responses that do not. */

const { newDatabase, newEngine, newNameServer, newReceiver } = engineStage();
const { db, url } = await newDatabase();
const nameServer = await newNameServer(() => ["127.0.0.1"]);
const receiver = await newReceiver();
newEngine(url, { sender: testSender({ dnsServers: [nameServer.address] }) });

const answeringWith = (body: string): Behaviour =>
  answering(`HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);

const messageIn = (body: Buffer) => JSON.parse(String(body)) as MessageDocument;

const challengeIn = (body: Buffer) => String(messageIn(body).data.attributes["challenge"]);

const echoing: Behaviour = (line, request) =>
  answeringWith(JSON.stringify({ meta: { challenge: challengeIn(request.body) } }))(line, request);

const urlOf = (account: TestAccount) => `https://receiver.example:${receiver.port}/${account.id}`;

const create = (account: TestAccount) => createdEndpoint(db, account, { url: urlOf(account) });

const attemptFor = (account: TestAccount, status?: string) =>
  observed(
    "attempt-finished",
    1,
    (one) => one.accountId === account.id && (status === undefined || one.status === status),
  );

const requestsOf = (account: TestAccount) =>
  receiver.requests.filter(({ path }) => path.endsWith(account.id));

/** Resolves after the first attempt. */
async function requested(account: TestAccount): Promise<void> {
  while (requestsOf(account).length === 0) await receiver.received(receiver.requests.length + 1);
}

const ends = ({ attempts, status }: StoredDelivery) => [
  status,
  attempts.map(({ code }) => code ?? "success"),
];

test("exactly the challenge activates the endpoint", async () => {
  const account = await makeAccount(db);
  receiver.behave(echoing);
  const finished = attemptFor(account);
  const id = await create(account);
  await finished;
  const { status, verifiedDestinationVersion } = await standing(db, account, id);
  assert.deepEqual([status, verifiedDestinationVersion], ["active", 1]);
  assert.deepEqual((await deliveriesOf(db, account.id)).map(ends), [["delivered", ["success"]]]);
});

for (const [what, body, code] of [
  ["no body", "", "challenge-missing"],
  ["a body that is not JSON", "ok", "challenge-missing"],
  ["JSON without a challenge", '{"meta":{}}', "challenge-missing"],
  ["another challenge", '{"meta":{"challenge":"another"}}', "challenge-mismatch"],
] as const)
  test(`${what} is a permanent failure`, async () => {
    const account = await makeAccount(db);
    receiver.behave(answeringWith(body));
    const finished = attemptFor(account);
    const id = await create(account);
    await finished;
    assert.equal((await standing(db, account, id)).status, "pending-verification");
    const [delivery, ...more] = await deliveriesOf(db, account.id);
    assert.ok(delivery && more.length === 0);
    assert.deepEqual(ends(delivery), ["failed-permanent", [code]]);
    assert.equal(delivery.queued, false);
  });

test("the challenge in a body above 4 KiB activates nothing", async () => {
  const account = await makeAccount(db);
  receiver.behave((line, request) => {
    const meta = { challenge: challengeIn(request.body) };
    return answeringWith(JSON.stringify({ meta, padding: "a".repeat(4_096) }))(line, request);
  });
  const finished = attemptFor(account);
  const id = await create(account);
  await finished;
  assert.equal((await standing(db, account, id)).status, "pending-verification");
  assert.deepEqual((await deliveriesOf(db, account.id)).map(ends), [
    ["failed-permanent", ["response-body-too-large"]],
  ]);
});

test("a verification has three numbered attempts with one Webhook-Id and challenge", async () => {
  const account = await makeAccount(db);
  receiver.behave(saying(503));
  let finished = attemptFor(account);
  const id = await create(account);
  await finished;
  for (const behaviour of [saying(500), echoing]) {
    receiver.behave(behaviour);
    finished = attemptFor(account);
    await makeDue(db, account.id);
    await sweep(db);
    wake();
    await finished;
  }
  assert.equal((await standing(db, account, id)).status, "active");
  const requests = requestsOf(account);
  assert.equal(requests.length, 3);
  assert.equal(new Set(requests.map(({ headers }) => headers["webhook-id"])).size, 1);
  assert.equal(new Set(requests.map(({ body }) => challengeIn(body))).size, 1);
  assert.deepEqual(
    requests.map(({ body }) => messageIn(body).meta.attempt),
    [1, 2, 3],
  );
});

test("no two verifications have the same challenge", async () => {
  const account = await makeAccount(db);
  receiver.behave(saying(404));
  const asking = async (ask: () => Promise<string>): Promise<string> => {
    const finished = attemptFor(account);
    const answer = await ask();
    await finished;
    return answer;
  };
  const endpointId = await asking(() => create(account));
  const { configurationVersion } = await standing(db, account, endpointId);
  await asking(() =>
    inTransaction(db, account.id, (tx) =>
      requestVerification(tx, actorOf(account), { endpointId, configurationVersion }),
    ).then(({ id }) => id),
  );
  await asking(() => createdEndpoint(db, account, { url: `${urlOf(account)}?${account.id}` }));
  const challenges = requestsOf(account).map(({ body }) => challengeIn(body));
  assert.equal(challenges.length, 3);
  assert.equal(new Set(challenges).size, 3, String(challenges));
  for (const challenge of challenges) assert.match(challenge, /^[\w-]{43}$/);
});

test("a challenge that is returned after 15 minutes activates nothing", async () => {
  const account = await makeAccount(db);
  const gated = gate(echoing);
  receiver.behave(gated.behaviour);
  const finished = attemptFor(account);
  const id = await showingSecret(db, account, () =>
    inTransaction(db, account.id, async (tx) => {
      const created = await createEndpoint(
        tx,
        actorOf(account),
        { url: urlOf(account), events: ["person.created"] },
        parts,
      );
      // The 15 minutes of the message end in one second.
      await tx`
        update webhook_queue set expires_at = now() + interval '1 second' where account_id = ${account.id}`;
      return created;
    }),
  );
  await requested(account);
  for (let isOver = false; !isOver; ) {
    const [row] = await db<{ isOver: boolean }[]>`
      select expires_at < now() as "isOver" from webhook_queue where account_id = ${account.id}`;
    isOver = row?.isOver ?? assert.fail("it was settled before it was answered");
  }
  gated.open();
  await finished;
  assert.equal((await standing(db, account, id)).status, "pending-verification");
  assert.deepEqual((await deliveriesOf(db, account.id)).map(ends), [["expired", ["success"]]]);
});

test("a superseded challenge activates nothing; the latest one does", async () => {
  const account = await makeAccount(db);
  const gated = gate(echoing);
  receiver.behave(gated.behaviour);
  const first = attemptFor(account, "delivered");
  const endpointId = await create(account);
  await requested(account);

  receiver.behave(saying(503));
  const second = attemptFor(account, "retry-scheduled");
  const { configurationVersion } = await standing(db, account, endpointId);
  await inTransaction(db, account.id, (tx) =>
    requestVerification(tx, actorOf(account), { endpointId, configurationVersion }),
  );
  await second;
  gated.open();
  await first;
  assert.equal((await standing(db, account, endpointId)).status, "pending-verification");

  receiver.behave(echoing);
  const third = attemptFor(account);
  await makeDue(db, account.id);
  await sweep(db);
  wake();
  await third;
  assert.equal((await standing(db, account, endpointId)).status, "active");
});

test("a challenge that is returned for a previous URL activates nothing", async () => {
  const account = await makeAccount(db);
  const gated = gate(echoing);
  receiver.behave(gated.behaviour);
  const finished = attemptFor(account, "delivered");
  const id = await create(account);
  await requested(account);

  receiver.behave(saying(404));
  const failed = attemptFor(account, "failed-permanent");
  const { configurationVersion: version } = await standing(db, account, id);
  const url = `${urlOf(account)}/other`;
  await showingSecret(db, account, async () => {
    await inTransaction(db, account.id, (tx) =>
      updateEndpoint(tx, actorOf(account), { id, version }, { kind: "destination", url }, parts),
    );
    return { id };
  });
  await failed;
  gated.open();
  await finished;
  const { destinationVersion, status, verifiedDestinationVersion } = await standing(
    db,
    account,
    id,
  );
  assert.deepEqual(
    [status, destinationVersion, verifiedDestinationVersion],
    ["pending-verification", 2, null],
  );
});
