import { ApiError } from "../../src/base/errors.ts";
import { inTransaction, type Tx } from "../../src/store/db.ts";
import { requestTest } from "../../src/webhooks/endpoints/request-test.ts";
import { requestVerification } from "../../src/webhooks/endpoints/request-verification.ts";
import { deleteEndpoint } from "../../src/webhooks/endpoints/delete-endpoint.ts";
import type { RequestedChange } from "../../src/webhooks/endpoints/requested-change.ts";
import { failedStates } from "../../src/webhooks/history/queue-redeliveries.ts";
import { redeliver } from "../../src/webhooks/history/redeliver.ts";
import { createReplay } from "../../src/webhooks/history/create-replay.ts";
import { rotateSecret } from "../../src/webhooks/endpoints/rotate-secret.ts";
import { updateEndpoint } from "../../src/webhooks/endpoints/update-endpoint.ts";
import { happen as capture } from "../support/engine.ts";
import { readStandings, type Standing } from "./snapshot.ts";
import { addEndpoint, eventTypes, newUrl, parts, type World } from "./world.ts";

/** The requests of people. Each returns whether it succeeded, because the service may reject it. */

export async function happen(world: World): Promise<boolean> {
  const type = world.die.pick(eventTypes);
  for (const { events, status } of await live(world))
    if (status === "active" && events.includes(type)) world.owed++;
  await capture(world.db, world.accountId, { type });
  return true;
}

export const pause = (world: World) =>
  change(world, "active", { kind: "status", status: "paused" });

export const resume = (world: World) =>
  change(world, "paused", { kind: "status", status: "active" });

export const setUrl = (world: World) =>
  change(world, undefined, { kind: "destination", url: newUrl() });

export const unsubscribe = (world: World) =>
  change(world, undefined, { kind: "configuration", events: [world.die.pick(eventTypes)] });

export const subscribe = (world: World) =>
  change(world, undefined, { kind: "configuration", events: [...eventTypes] });

export async function rotate(world: World): Promise<boolean> {
  const endpoint = await any(world);
  const { id: endpointId, secretGeneration } = endpoint;
  return asked(world, (tx) =>
    rotateSecret(tx, world.actor, { endpointId, secretGeneration }, parts),
  );
}

/** Creates another endpoint as a replacement. */
export async function remove(world: World): Promise<boolean> {
  const { id, version } = await any(world);
  await asked(world, (tx) => deleteEndpoint(tx, world.actor, { id, version }));
  await addEndpoint(world);
  return true;
}

export async function verify(world: World): Promise<boolean> {
  const { id: endpointId, version: configurationVersion } = await any(world);
  return asked(world, (tx) =>
    requestVerification(tx, world.actor, { endpointId, configurationVersion }),
  );
}

export async function tryOut(world: World): Promise<boolean> {
  const { id: endpointId } = await any(world);
  return asked(world, (tx) => requestTest(tx, world.actor, { endpointId }));
}

export async function sendAgain(world: World): Promise<boolean> {
  const failed = await world.db<{ id: string }[]>`
    select id from webhook_deliveries
    where account_id = ${world.accountId} and status = any(${[...failedStates]}::text[])
    order by created_at desc, id limit 10`;
  if (failed.length === 0) return false;
  const { id: deliveryId } = world.die.pick(failed);
  return asked(world, (tx) => redeliver(tx, world.actor, { deliveryId }));
}

export async function sendAllAgain(world: World): Promise<boolean> {
  const { id: endpointId } = await any(world);
  const [range] = await world.db<{ from: string; to: string }[]>`
    select now() - interval '5 days' as from, now() as to`;
  return (
    range !== undefined &&
    asked(world, (tx) => createReplay(tx, world.actor, { endpointId, ...range }))
  );
}

/** An administrator repairs an endpoint that gets no messages. */
export async function mend(world: World): Promise<boolean> {
  const broken = (await live(world)).filter(({ status }) => status !== "active");
  if (broken.length === 0) return false;
  const endpoint = world.die.pick(broken);
  const { id: endpointId, version: configurationVersion, pauseReason } = endpoint;
  if (pauseReason === "security-policy")
    return patch(world, endpoint, { kind: "destination", url: newUrl() });
  if (endpoint.status === "paused")
    return patch(world, endpoint, { kind: "status", status: "active" });
  return asked(world, (tx) =>
    requestVerification(tx, world.actor, { endpointId, configurationVersion }),
  );
}

// -- How ---------------------------------------------------------------------------------------------------------------

const live = async (world: World): Promise<Standing[]> =>
  [...(await readStandings(world)).values()].filter(({ status }) => status !== "deleted");

const any = async (world: World) => world.die.pick(await live(world));

async function change(world: World, status: string | undefined, to: RequestedChange) {
  const endpoints = (await live(world)).filter(
    (one) => status === undefined || one.status === status,
  );
  return endpoints.length > 0 && patch(world, world.die.pick(endpoints), to);
}

const patch = (world: World, { id, version }: Standing, to: RequestedChange) =>
  asked(world, (tx) => updateEndpoint(tx, world.actor, { id, version }, to, parts));

/** A rejection is a valid result. Any other error is a fault of the service. */
async function asked(world: World, request: (tx: Tx) => Promise<unknown>): Promise<boolean> {
  try {
    await inTransaction(world.db, world.accountId, request);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false;
    throw error;
  }
}
