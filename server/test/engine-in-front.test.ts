import assert from "node:assert/strict";
import { after, before, test, type TestContext } from "node:test";
import { CannotStart } from "../src/app/cannot-start.ts";
import { SECOND } from "../src/base/clock.ts";
import { onObservation } from "../src/base/observe.ts";
import { connect } from "../src/store/db.ts";
import { numberServers } from "../src/store/number-servers.ts";
import { lacksSettings, PoolerAway, prepareRole } from "../src/store/pooler.ts";
import { vestry } from "./support/command.ts";
import { type FreshDatabase, freshServers } from "./support/database.ts";
import { makeLiveEndpoint } from "./support/engine.ts";
import {
  type FakePooler,
  noPgDog,
  startFakePooler,
  startPgDog,
} from "./support/engine-in-front.ts";
import { makeAccount, type TestAccount } from "./support/make.ts";
import { until } from "./support/queues.ts";
import { ok } from "./support/receiver.ts";
import { startNode } from "./support/node.ts";
import { patient } from "./support/patience.ts";
import { startWire } from "./support/wire.ts";

/** Poolers in front of two servers. A small proxy stands for one, because it can be frozen and swapped. */

if (noPgDog !== false) console.log(`Skipped tests of PgDog: ${noPgDog}.`);

let home: FreshDatabase;
let second: FreshDatabase;
let near: TestAccount;
let far: TestAccount;
let first: FakePooler;
let other: FakePooler;

before(async () => {
  ({ home, second } = await freshServers("poolers stand in front of two servers"));
  near = await makeAccount(home.db);
  far = await makeAccount(second.db);
  await numberServers(second.whole);
  first = await startFakePooler(home.url);
  other = await startFakePooler(second.url);
});
after(async () => {
  await Promise.all([first.stop(), other.stop()]);
  await second.close();
  await home.close();
});

type Node = Awaited<ReturnType<typeof startNode>>;

async function nodeBehind(
  context: TestContext,
  poolers: readonly { url: string }[],
  options: { answerMsMax?: number; say?: (line: string) => void } = {},
): Promise<Node> {
  const node = await startNode({ urls: [home.url, second.url], poolers, ...options });
  context.after(() => node.stop());
  return node;
}

const peopleOf = ({ port }: Node, account: TestAccount, body?: object) =>
  fetch(`http://127.0.0.1:${port}/v1/people`, {
    method: body ? "POST" : "GET",
    headers: {
      "Origin": `http://localhost:${port}`,
      "Authorization": `Bearer ${account.administrator.token}`,
      ...(body && { "Content-Type": "application/vnd.api+json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });

const doctor = async (poolers: readonly { url: string }[]) => {
  const env = {
    DATABASE_SHARDS: `${home.url} ${second.url}`,
    DATABASE_SHARD_POOLERS: poolers.map(({ url }) => url).join(" "),
  };
  const { json } = await vestry(["doctor", "--json"], { env });
  const { findings } = json as { findings: { code: string; problem: string }[] };
  return findings.filter(({ code }) => code.startsWith("pooler")).map(({ problem }) => problem);
};

const refused = (words: RegExp) => (error: unknown) =>
  error instanceof CannotStart && words.test(error.message);

test("a list of poolers that is swapped, or names one server twice, is refused and found by doctor", async (context) => {
  await assert.rejects(
    nodeBehind(context, [other, first]),
    refused(/leads to server 2, and stands for server 1\. List the poolers .* in the order/),
  );
  const twin = await startFakePooler(home.url);
  context.after(() => twin.stop());
  await assert.rejects(
    nodeBehind(context, [first, twin]),
    refused(/leads to server 1, and stands for server 2/),
  );
  const [one = "", two = "", ...more] = await doctor([other, first]);
  assert.match(one, /leads to server 2, and stands for server 1/);
  assert.match(two, /leads to server 1, and stands for server 2/);
  assert.deepEqual(more, []);
  assert.deepEqual(await doctor([first, other]), []);
});

test("a pooler that does not keep prepared statements is refused in a sentence", async (context) => {
  const plain = await startWire(second.url);
  context.after(() => plain.close());
  const words = /^The pooler at 127\.0\.0\.1:\d+\/\w+ does not keep prepared statements/;
  await assert.rejects(nodeBehind(context, [first, plain]), refused(words));
  assert.match((await doctor([first, plain])).join(), words);
});

test("a pooler that is away when a node starts is named", async (context) => {
  const gone = await startFakePooler(second.url);
  const url = new URL(gone.url);
  await gone.stop();
  const words = new RegExp(
    `The pooler at 127\\.0\\.0\\.1:${url.port}/\\w+ does not answer \\(ECONN`,
  );
  await assert.rejects(
    nodeBehind(context, [gone, other]),
    (error: unknown) => error instanceof PoolerAway && words.test(error.message),
  );
  const said: string[] = [];
  const node = await nodeBehind(context, [first, gone], { say: (line) => void said.push(line) });
  assert.match(said.join("\n"), new RegExp(`Server 2 is away\\. ${words.source}`));
  assert.equal((await peopleOf(node, near)).status, 200);
  assert.equal((await peopleOf(node, far)).status, 503);
  assert.match((await doctor([first, gone])).join(), words);
});

test("a pooler that is frozen is noticed: its accounts get 503, webhooks go on, and it serves when it is thawed", async (context) => {
  const node = await nodeBehind(context, [first, other], { answerMsMax: 2 * SECOND });
  const { receiver } = node;
  await makeLiveEndpoint(second.db, far.id, receiver);
  const goOn = Promise.withResolvers<void>();
  receiver.behave(async (line, request) => {
    await goOn.promise;
    await ok(line, request);
  });
  const person = { data: { type: "people", attributes: { "full-name": "Before the frost" } } };
  while ((await peopleOf(node, far, person)).status !== 201);
  await receiver.received(1);
  const [lost, back] = ["server-lost", "server-back"].map(
    (kind) =>
      new Promise<unknown>((resolve) => {
        const stop = onObservation((one) => {
          if (one.kind !== kind || !("server" in one) || one.server !== 2) return;
          stop();
          resolve("error" in one ? one.error : undefined);
        });
      }),
  );
  other.freeze();
  const waiting = peopleOf(node, far);
  assert.match(String(await lost), /The pooler at 127\.0\.0\.1:\d+\/\w+ does not answer/);
  assert.equal((await waiting).status, 503, "a request under way does not hang");
  assert.equal((await peopleOf(node, far)).status, 503);
  assert.equal((await peopleOf(node, near)).status, 200);
  goOn.resolve();
  const delivered = () => second.db`
    select from webhook_deliveries where account_id = ${far.id} and status = 'delivered'`;
  await until(async () => ((await delivered()).count > 0 ? true : undefined));
  other.thaw();
  await back;
  while ((await peopleOf(node, far)).status !== 200);
});

test("connections that a pooler opened before the role had its settings are noticed", async (context) => {
  const [before, direct] = [{ pooled: true, max: 2 }, { max: 1 }].map((options) =>
    connect(home.url, { ...patient, ...options }),
  );
  assert.ok(before && direct);
  context.after(() => Promise.all([before.end(), direct.end()]));
  const { user } = direct.address;
  await direct.query(`alter role ${user} in database ${direct.address.database} reset all`);
  await Promise.all([before`select 1`, before`select 1`]);
  await prepareRole(direct, user);
  assert.equal(await lacksSettings(before), true);
  const later = connect(home.url, { ...patient, pooled: true });
  assert.equal(await lacksSettings(later), false);
  await later.end();
});

test("through PgDog, a node serves and sends for the accounts of both servers", {
  skip: noPgDog,
}, async (context) => {
  const pgdog = await startPgDog([home.url, second.url]);
  context.after(() => pgdog.stop());
  const node = await nodeBehind(
    context,
    pgdog.urls.map((url) => ({ url })),
  );
  for (const { account, db } of [
    { account: near, db: home.db },
    { account: far, db: second.db },
  ]) {
    await makeLiveEndpoint(db, account.id, node.receiver);
    const before = node.receiver.requests.length;
    const person = { data: { type: "people", attributes: { "full-name": "Through the dog" } } };
    assert.equal((await peopleOf(node, account, person)).status, 201);
    await node.receiver.received(before + 1);
    const found = await db`
      select from people where account_id = ${account.id} and full_name = 'Through the dog'`;
    assert.equal(found.count, 1);
  }
  assert.deepEqual(await doctor(pgdog.urls.map((url) => ({ url }))), []);
});
