import assert from "node:assert/strict";
import { after } from "node:test";
import { operator } from "../../src/access/operator.ts";
import { capture, type NewEvent } from "../../src/events/capture.ts";
import { newId } from "../../src/base/ids.ts";
import { type Observation, onObservation } from "../../src/base/observe.ts";
import { Cipher } from "../../src/store/cipher.ts";
import { connect, type Db, inTransaction } from "../../src/store/db.ts";
import { claim, type Claimed } from "../../src/webhooks/engine/claim.ts";
import {
  type Engine,
  type EngineOptions,
  startEngine,
} from "../../src/webhooks/engine/dispatcher.ts";
import { createSender } from "../../src/webhooks/http/send.ts";
import { settle } from "../../src/webhooks/engine/settle.ts";
import { sweep } from "../../src/webhooks/engine/sweep.ts";
import { Slots } from "../../src/webhooks/engine/slots.ts";
import { type ClaimResult, work } from "../../src/webhooks/engine/work.ts";
import { SigningSecret } from "../../src/webhooks/endpoints/signing-secrets.ts";
import { judgeLoopback } from "./loopback.ts";
import { type FreshDatabase, freshDatabase } from "./database.ts";
import { makeAccount, makeEndpoint } from "./make.ts";
import { type NameServer, startNameServer } from "./name-server.ts";
import { patient } from "./patience.ts";
import { type Receiver, type ReceiverOptions, startReceiver, testAuthority } from "./receiver.ts";
import { tellSecret } from "./signatures.ts";

export const testCipher = new Cipher([{ id: "test", bytes: () => Buffer.alloc(32, 7) }]);

/** A sender that treats loopback as public and trusts the tests' certificate authority. */
export const testSender = (
  options: { dnsServers?: readonly string[]; authorities?: string } = {},
) =>
  createSender({
    authorities: testAuthority().cert,
    ...options,
    judge: judgeLoopback,
  });

/** Starts an engine whose poll is so slow that only wake-ups explain its actions. */
export function startTestEngine(
  url: string,
  { wrap = (db) => db, ...options }: Partial<EngineOptions> & { wrap?: (db: Db) => Db } = {},
): Engine & { db: Db } {
  const db = connect(url, { max: 4, name: "engine", byIndex: true, ...patient });
  const engine = startEngine({
    db: wrap(db),
    cipher: testCipher,
    sender: testSender(),
    userAgent: "Vestry/test",
    pollMs: 60_000,
    ...options,
  });
  let stopped: Promise<void> | undefined;
  return {
    db,
    stop: () =>
      (stopped ??= (async () => {
        await engine.stop();
        await db.end({ timeout: 5 });
      })()),
  };
}

/** Starts the parts of engine tests, and ends them after the tests of the file. */
export function engineStage() {
  const receivers: (() => unknown)[] = [];
  const workers: (() => unknown)[] = [];
  const databases: (() => unknown)[] = [];
  after(async () => {
    // An engine that stops waits for receivers that hang, and settles its results in the database.
    for (const ends of [receivers, workers, databases])
      for (const end of ends.toReversed()) await end();
  });
  return {
    newDatabase: async (): Promise<FreshDatabase> => {
      const database = await freshDatabase("the engine takes the work of every account");
      databases.push(() => database.close());
      return database;
    },
    newReceiver: async (options?: ReceiverOptions): Promise<Receiver> => {
      const receiver = await startReceiver(options);
      receivers.push(() => receiver.close());
      return receiver;
    },
    newNameServer: async (...how: Parameters<typeof startNameServer>): Promise<NameServer> => {
      const server = await startNameServer(...how);
      receivers.push(() => server.close());
      return server;
    },
    newEngine: (...how: Parameters<typeof startTestEngine>) => {
      const engine = startTestEngine(...how);
      workers.push(() => engine.stop());
      return engine;
    },
    newWorker: (db: Db) => {
      const worker = testWorker(db);
      workers.push(() => worker.stop());
      return worker;
    },
    /** Ends something else together with the engines. */
    endLater: (end: () => unknown): void => {
      workers.push(end);
    },
  };
}

/** An account with an active endpoint at a path of the receiver. */
export async function accountAt(db: Db, receiver: Receiver, path: string) {
  const { id } = await makeAccount(db);
  const endpoint = await makeLiveEndpoint(db, id, { url: `${receiver.url}/${path}` });
  const requests = () => receiver.requests.filter((one) => one.path.endsWith(path));
  return { id, endpoint, requests };
}

/** The next finished attempts of an account. */
export const attemptsFor = (accountId: string, count = 1) =>
  observed("attempt-finished", count, (one) => one.accountId === accountId);

/** Ends the leases of an account as if their worker had been lost, and makes its waiting deliveries due. */
export async function loseLeases(db: Db, accountId: string): Promise<void> {
  await makeDue(db, accountId);
  await sweep(db);
}

/** Claims everything that is due, as an idle and only worker would. */
export async function takeDue(db: Db): Promise<readonly Claimed[]> {
  const { claimed } = await claim(db, {
    lease: newId(),
    limit: 1_000,
    usage: new Slots().usage(),
    after: undefined,
  });
  return claimed;
}

/** A worker without an engine, which acts only on calls. */
export function testWorker(db: Db) {
  const options = { cipher: testCipher, sender: testSender(), userAgent: "Vestry/test" };
  /** Sends, and returns the result without settling it. */
  const send = async (claimed: Claimed | undefined): Promise<ClaimResult> => {
    assert.ok(claimed);
    return work(claimed, options);
  };
  return {
    options,
    send,
    /** Sends and settles all due deliveries, one after the other. */
    async deliver(): Promise<void> {
      for (const claimed of await takeDue(db)) {
        const { settled } = await settle(db, [await send(claimed)]);
        assert.equal(settled.length, 1);
      }
    },
    stop: () => options.sender.close(),
  };
}

export interface LiveEndpoint {
  id: string;
  accountId: string;
  /** The secret as it was revealed. */
  secret: string;
}

/** Creates a verified, active endpoint with a secret. */
export async function makeLiveEndpoint(
  db: Db,
  accountId: string,
  endpoint: { url: string; events?: string[]; status?: string },
): Promise<LiveEndpoint> {
  const askedAt = Date.now();
  const id = await makeEndpoint(db, accountId, endpoint);
  const secret = SigningSecret.generate();
  const owner = { accountId, endpointId: id, generation: 1 };
  await db`
    insert into webhook_secrets (account_id, endpoint_id, generation, encrypted)
    values (${accountId}, ${id}, 1, ${secret.encrypt(testCipher, owner)})`;
  const revealed = secret.revealOnce();
  tellSecret({ endpointId: id, accountId, url: endpoint.url, secret: revealed, askedAt });
  return { id, accountId, secret: revealed };
}

/** Captures an event in an account. */
export const happen = (db: Db, accountId: string, what: Partial<NewEvent> = {}): Promise<void> =>
  inTransaction(db, accountId, (tx) =>
    capture(tx, operator(accountId), {
      type: "person.created",
      subject: { type: "people", id: newId() },
      snapshot: () => '{"type":"people","attributes":{"full-name":"Zoë"}}',
      ...what,
    }),
  );

type Of<K extends Observation["kind"]> = Extract<Observation, { kind: K }>;

/** The next observations of a kind. Call it before the action that causes them. */
export function observed<K extends Observation["kind"]>(
  kind: K,
  count = 1,
  which: (one: Of<K>) => boolean = () => true,
): Promise<Of<K>[]> {
  const seen: Of<K>[] = [];
  return new Promise((resolve) => {
    const stop = onObservation((one) => {
      if (one.kind !== kind || !which(one as Of<K>)) return;
      seen.push(one as Of<K>);
      if (seen.length < count) return;
      stop();
      resolve(seen);
    });
  });
}

export interface StoredDelivery {
  id: string;
  endpointId: string;
  status: string;
  suppressionReason: string | null;
  attemptCount: number;
  /** The time since the end of the last attempt. */
  waitMs: number | null;
  attempts: {
    sequence: number;
    number: number;
    state: string;
    outcome: string | null;
    status: number | null;
    code: string | null;
  }[];
  queued: boolean;
}

export async function deliveriesOf(db: Db, accountId: string): Promise<StoredDelivery[]> {
  return db<StoredDelivery[]>`
    select id, endpoint_id as "endpointId", status, suppression_reason as "suppressionReason", attempt_count as "attemptCount",
      extract(epoch from next_attempt_at - updated_at)::float8 * 1000 as "waitMs",
      coalesce((select json_agg(json_build_object('sequence', sequence, 'number', attempt_number, 'state', state,
          'outcome', outcome, 'status', http_status, 'code', error_code) order by sequence)
        from webhook_attempts a where a.account_id = ${accountId} and a.delivery_id = d.id), '[]') as attempts,
      exists (select from webhook_queue q where q.account_id = ${accountId} and q.delivery_id = d.id) as queued
    from webhook_deliveries d where account_id = ${accountId} order by created_at, id`;
}

export async function deliveryOf(db: Db, accountId: string): Promise<StoredDelivery> {
  const [one, ...more] = await deliveriesOf(db, accountId);
  assert.ok(one && more.length === 0, "there is one delivery");
  return one;
}

/** Makes all waiting work of an account due and ends all its leases. */
export async function makeDue(db: Db, accountId: string): Promise<void> {
  await db`update webhook_queue set due_at = now() - interval '1 second' where account_id = ${accountId} and not ready`;
}
