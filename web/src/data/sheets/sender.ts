/** The outbox of this device: where it is stored, and when it is sent. */
import { useSyncExternalStore } from "react";
import { lastingTable } from "../device.ts";
import { keys } from "../keys.ts";
import { readReport, sendReport } from "../meetings.ts";
import { queryClient } from "../query-client.ts";
import { randomKey } from "../random-key.ts";
import { showReported } from "./device-sheets.ts";
import { deliverAll, type OutboxEntry, type OutboxStore, replacing } from "./outbox.ts";

const table = lastingTable<OutboxEntry>("outbox");

const store: OutboxStore = {
  // A row that the device stored late is also among those of the page, which are newer.
  all: async () => [...new Map((await table.all()).map((entry) => [entry.id, entry])).values()],
  get: table.get,
  put: async (entry) => void (await table.put(entry.id, entry)),
  remove: table.remove,
};

// -- What the screens see -------------------------------------------------------------------------------------------

export type OutboxView = {
  entries: readonly OutboxEntry[];
  isSending: boolean;
  /** The device refuses to store, so a waiting report lives only as long as the page. */
  isVolatile: boolean;
};

let view: OutboxView = { entries: [], isSending: false, isVolatile: false };
const listeners = new Set<() => void>();
const tabs = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("outbox");

async function refresh(changes: Partial<OutboxView> = {}): Promise<void> {
  view = { ...view, ...changes, entries: await store.all(), isVolatile: table.hasUnstored() };
  for (const listener of listeners) listener();
}

tabs?.addEventListener("message", () => void refresh());

async function changed(changes?: Partial<OutboxView>): Promise<void> {
  await refresh(changes);
  tabs?.postMessage("changed");
}

/** Outside of the hook: a new function would subscribe, read and draw again without end. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) void refresh();
  return () => listeners.delete(listener);
}

export const useOutbox = (): OutboxView => useSyncExternalStore(subscribe, () => view);

/** How many reports of a person have not arrived. Logging out would delete them. */
export const countUnsent = async (owner: string): Promise<number> =>
  (await store.all()).filter((entry) => entry.owner === owner).length;

// -- Sending --------------------------------------------------------------------------------------------------------

/** One tab sends at a time. Without locks, over plain HTTP, two tabs can meet, and the keys keep that harmless. */
const alone = (run: () => Promise<void>): Promise<void> =>
  navigator.locks ? navigator.locks.request("outbox", run) : run();

let current: Promise<void> | undefined;

/** Sends what waits. Calls while it runs join it. */
export function flushOutbox(owner: string): Promise<void> {
  current ??= flush(owner);
  return current;
}

async function flush(owner: string): Promise<void> {
  try {
    await alone(() => sendWaiting(owner));
  } finally {
    current = undefined;
    await changed({ isSending: false });
  }
}

async function sendWaiting(owner: string): Promise<void> {
  const waiting = (await store.all()).filter(({ state }) => state === "waiting");
  if (waiting.length === 0) return;
  await refresh({ isSending: true });
  const service = { send: sendReport, read: readReport };
  await deliverAll(owner, store, service, randomKey, showReported);
  const left = new Map((await store.all()).map((entry) => [entry.id, entry]));
  if (waiting.some(({ id }) => left.get(id)?.state !== "waiting"))
    for (const type of ["cell-meetings", "cell-attendances", "cells", "cell-memberships", "people"])
      void queryClient.invalidateQueries({ queryKey: keys.type(type) });
}

/** Keeps a report on the device. */
export async function keepReport(entry: OutboxEntry): Promise<void> {
  await store.put(replacing(entry, await store.get(entry.id)));
  await changed();
  void navigator.storage?.persist?.().catch(() => undefined);
}

/** Sends a report that was just kept, also when a round that began before it is still running. */
export async function sendKept(owner: string): Promise<void> {
  await current;
  await flushOutbox(owner);
}

export async function discardReport(id: string): Promise<void> {
  await store.remove(id);
  await changed();
}

const RETRY_MS = 30_000;

/** Sends at the start, when the connection returns, when the page is shown again, and now and then while a report waits. */
export function startOutbox(owner: string): () => void {
  const flush = () => void flushOutbox(owner);
  const onShow = () => document.visibilityState === "visible" && flush();
  const timer = setInterval(
    () => view.entries.some(({ state }) => state === "waiting") && flush(),
    RETRY_MS,
  );
  addEventListener("online", flush);
  document.addEventListener("visibilitychange", onShow);
  flush();
  return () => {
    clearInterval(timer);
    removeEventListener("online", flush);
    document.removeEventListener("visibilitychange", onShow);
  };
}
