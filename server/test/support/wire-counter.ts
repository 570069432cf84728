import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { startWire } from "./wire.ts";

export interface WireCounts {
  /** All that PostgreSQL was asked to run, BEGIN and COMMIT among it. A script of several statements is one. */
  readonly statements: number;
  /** How often a client wrote after an answer. Two connections that wait at the same time count as two. */
  readonly roundTrips: number;
}

/** A proxy for PostgreSQL that counts the statements and the round trips of its clients, which use no TLS. */
export interface WireCounter {
  /** The URL of the database through this proxy. */
  readonly url: string;
  /** Counts while `act` runs, and until PostgreSQL has answered every client. */
  countsOf(act: () => Promise<unknown>): Promise<WireCounts>;
  close(): Promise<void>;
}

export async function startWireCounter(url: string): Promise<WireCounter> {
  const wire = await startWire(url);
  const sides = new WeakMap<Socket, { asked: Messages; answered: Messages }>();
  const sidesOf = (client: Socket) => {
    let both = sides.get(client);
    if (!both) {
      both = { asked: new Messages({ hasStartup: true }), answered: new Messages() };
      sides.set(client, both);
      client.once("close", () => waiting.delete(client));
    }
    return both;
  };
  const waiting = new Set<Socket>();
  const total = { statements: 0, roundTrips: 0 };
  wire.ask((bytes, database, client) => {
    for (const type of sidesOf(client).asked.typesIn(bytes))
      if (type === "E" || type === "Q") total.statements += 1;
    if (!waiting.has(client)) total.roundTrips += 1;
    waiting.add(client);
    database.write(bytes);
  });
  wire.pass((bytes, client) => {
    for (const type of sidesOf(client).answered.typesIn(bytes))
      if (type === "Z") waiting.delete(client);
    client.write(bytes);
  });
  return {
    url: wire.url,
    async countsOf(act) {
      const before = { ...total };
      await act();
      while (waiting.size > 0) await turn();
      return {
        statements: total.statements - before.statements,
        roundTrips: total.roundTrips - before.roundTrips,
      };
    },
    close: () => wire.close(),
  };
}

const LENGTH_BYTES = 4;

/**
 * Finds the messages in the bytes of one side. A message is the byte of its type, its length without that byte, and its content.
 * The first message of a client has no type.
 */
export class Messages {
  #rest: Buffer = Buffer.alloc(0);
  #typeBytes: number;

  constructor({ hasStartup = false } = {}) {
    this.#typeBytes = hasStartup ? 0 : 1;
  }

  /** The types of the messages that end in these bytes. */
  *typesIn(bytes: Buffer): Generator<string> {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length >= this.#typeBytes + LENGTH_BYTES) {
      const end = this.#typeBytes + this.#rest.readUInt32BE(this.#typeBytes);
      if (this.#rest.length < end) return;
      const type = this.#rest.toString("latin1", 0, this.#typeBytes);
      this.#rest = this.#rest.subarray(end);
      this.#typeBytes = 1;
      yield type;
    }
  }
}
