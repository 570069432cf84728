import { SECOND } from "../../../src/base/clock.ts";
import { newId } from "../../../src/base/ids.ts";
import { type Db, inTransaction } from "../../../src/store/db.ts";
import { startNotifying } from "../../../src/webhooks/engine/notify.ts";
import { webhookLimits } from "../../../src/base/webhook-limits.ts";
import { median } from "../routes.ts";
import { EngineChild } from "./engine.ts";
import { FloorChild } from "./floor.ts";
import { ReceiverChild } from "./receiver.ts";
import { type Bench, clear, makeReceivers, monotonic, SNAPSHOT, tell } from "./stand.ts";

const ENDPOINTS = webhookLimits.endpointsPerAccount;
/** As many as the engine sends for one account at a time. */
const AT_A_TIME = 64;
const BYTES_OF_EACH = 1_057;

/** The cost of one event for the maximum number of endpoints. */
export const fanOut: Bench = {
  title: `Fan-out: one event for ${ENDPOINTS.toLocaleString("en")} endpoints of one account`,
  async run({ authority, databaseUrl, db, rounds }) {
    await using receiver = await new ReceiverChild().start("counts");
    await using engine = new EngineChild();
    await using floor = new FloorChild();
    await clear(db);
    const [one] = await makeReceivers(db, receiver.origin, { accounts: 1, each: ENDPOINTS });
    const accountId = one?.accountId ?? "";
    await engine.startEngine({ databaseUrl, authority });
    const stopRinging = startNotifying(db);
    const floorJob = { origin: receiver.origin, authority, bytesOfEach: BYTES_OF_EACH };

    const all = [];
    // The first does not count.
    for (let round = 0; round <= rounds; round += 1) {
      await receiver.forget();
      const told = await tell(db, accountId);
      const { at } = await receiver.received(ENDPOINTS);
      await engine.settled(ENDPOINTS * (round + 1));
      const inserted = await insertAll(db, accountId);
      const posted = await floor.send({ ...floorJob, messages: ENDPOINTS, atATime: AT_A_TIME });
      all.push({
        captured: told.committedAt - told.begunAt,
        inserted,
        received: at - told.committedAt,
        posted: posted * SECOND,
      });
    }
    stopRinging();
    await engine.stopEngine();

    const counted = all.slice(1);
    return [
      {
        what: "transaction that captures it",
        unit: "ms",
        measured: median(counted.map(({ captured }) => captured)),
        floor: median(counted.map(({ inserted }) => inserted)),
        ratio: median(counted.map(({ captured, inserted }) => inserted / captured)),
      },
      {
        what: "from its commit until the last endpoint has it",
        unit: "ms",
        measured: median(counted.map(({ received }) => received)),
        floor: median(counted.map(({ posted }) => posted)),
        ratio: median(counted.map(({ posted, received }) => posted / received)),
      },
    ];
  },
};

/** The time to insert the same 2,001 rows with one statement per table. */
async function insertAll(db: Db, accountId: string): Promise<number> {
  const event = newId();
  const [moment] = await db<{ now: string }[]>`select date_trunc('milliseconds', now()) as now`;
  const now = moment?.now ?? "";
  const begunAt = monotonic();
  await inTransaction(db, accountId, async (tx) => {
    await tx`
      insert into webhook_events (account_id, id, event_type, occurred_at, cause, subject_type, subject_id, snapshot,
        snapshot_bytes)
      values (${accountId}, ${event}, 'person.created', ${now}, 'api', 'people', ${newId()}, ${SNAPSHOT},
        ${Buffer.byteLength(SNAPSHOT)})`;
    await tx`
      insert into webhook_deliveries (account_id, id, created_at, updated_at, kind, endpoint_id, message_id, event_type,
        destination_version, next_attempt_at, expires_at)
      select account_id, history_id(${now}), ${now}, ${now}, 'production', id, ${event}, 'person.created', 1, ${now},
        ${now}::timestamptz + interval '30 days'
      from webhook_endpoints where account_id = ${accountId}`;
    await tx`
      insert into webhook_queue (account_id, delivery_id, endpoint_id, message_id, kind, event_type, destination_version,
        expires_at, ready, due_at)
      select account_id, id, id, ${event}, 'production', 'person.created', 1, ${now}::timestamptz + interval '30 days',
        false, ${now}::timestamptz + interval '1 day'
      from webhook_endpoints where account_id = ${accountId}`;
  });
  const took = monotonic() - begunAt;
  await db`delete from webhook_queue where account_id = ${accountId} and message_id = ${event}`;
  return took;
}
