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

/** All that an endpoint may subscribe to here. */
export const eventTypes = ["person.created", "course.created"] as const;

/** One account, its receivers and the workers, and what the simulation remembers of them beside the database. */
export interface World {
  readonly db: Db;
  readonly die: Die;
  readonly accountId: string;
  readonly actor: Actor;
  /** By endpoint. */
  readonly receivers: Map<string, Receiver>;
  /** What workers hold: claims they have not sent, and results they have not settled. */
  claims: Held[];
  results: ClaimResult[];
  /** By delivery: until when whoever claimed it last may count on it. As `since` counts. */
  readonly leases: Map<string, number>;
  /** By delivery: how often it was sent. */
  readonly sent: Map<string, number>;
  /** By endpoint: the start of the latest attempt that was settled. As `since` counts. */
  readonly latest: Map<string, number>;
  /** Endpoints of which attempts were settled in another order than they started. */
  readonly scattered: Set<string>;
  /** How many deliveries the account's events must have led to. */
  owed: number;
  passedMs: number;
}

/** What the database says now, as the time of this world: it goes on where the database's was turned back. */
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

/** A URL that nobody had before. */
export const newUrl = (): string => `https://receiver.example/${++made}`;

export async function addEndpoint(world: World): Promise<void> {
  const { actor, db, die, receivers } = world;
  const { id } = await inTransaction(db, (tx) =>
    createEndpoint(tx, actor, { url: newUrl(), events: [...eventTypes] }, parts),
  );
  // Well for its first day, or it would seldom be verified.
  receivers.set(id, new Receiver(die, since(world, Date.now()) + DAY));
}
