import type { Actor } from "../../src/access/actor.ts";
import { operator } from "../../src/access/operator.ts";
import { DAY } from "../../src/base/clock.ts";
import { type Db, inTransaction } from "../../src/store/db.ts";
import type { ClaimResult } from "../../src/webhooks/engine/work.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import { webhookParts } from "../support/webhook-parts.ts";
import { makeAccount } from "../support/make.ts";
import type { Die } from "./die.ts";
import { Receiver } from "./receiver.ts";
import type { Held } from "./workers.ts";

export const parts = webhookParts();

/** The event types of the simulation. */
export const eventTypes = ["person.created", "course.created"] as const;

/** One account with its receivers and workers, and the state that only the simulation knows. */
export interface World {
  readonly db: Db;
  readonly die: Die;
  readonly accountId: string;
  readonly actor: Actor;
  /** By endpoint. */
  readonly receivers: Map<string, Receiver>;
  /** The claims and unsettled results of the workers. */
  claims: Held[];
  results: ClaimResult[];
  /** By delivery, the end of the last lease, in the time of `since`. */
  readonly leases: Map<string, number>;
  /** By delivery, the number of requests. */
  readonly sent: Map<string, number>;
  /** By endpoint, the start of the latest settled attempt, in the time of `since`. */
  readonly latest: Map<string, number>;
  /** Endpoints whose attempts were settled out of order. */
  readonly scattered: Set<string>;
  /** The number of deliveries that the account's events must have. */
  owed: number;
  passedMs: number;
}

/** The simulated time, which continues when stored times are moved back. */
export const since = ({ passedMs }: World, databaseMs: number): number => databaseMs + passedMs;

export async function makeWorld(db: Db, die: Die): Promise<World> {
  const { id: accountId } = await makeAccount(db);
  return {
    db,
    die,
    accountId,
    actor: operator(accountId),
    receivers: new Map(),
    claims: [],
    results: [],
    leases: new Map(),
    sent: new Map(),
    latest: new Map(),
    scattered: new Set(),
    owed: 0,
    passedMs: 0,
  };
}

let made = 0;

/** A new URL. */
export const newUrl = (): string => `https://receiver.example/${++made}`;

export async function addEndpoint(world: World): Promise<void> {
  const { actor, db, die, receivers } = world;
  const { id } = await inTransaction(db, actor.accountId, (tx) =>
    createEndpoint(tx, actor, { url: newUrl(), events: [...eventTypes] }, parts),
  );
  // Receivers work on their first day, because most would otherwise stay unverified.
  receivers.set(id, new Receiver(die, since(world, Date.now()) + DAY));
}
