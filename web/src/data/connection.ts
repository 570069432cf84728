import { useSyncExternalStore } from "react";
import { setClock } from "../ui/clock.ts";

let isConnected = navigator.onLine;
const listeners = new Set<() => void>();

function setConnected(next: boolean): void {
  if (next === isConnected) return;
  isConnected = next;
  for (const listener of listeners) listener();
}

addEventListener("offline", () => setConnected(false));
addEventListener("online", () => setConnected(true));

/** The `fetch` of the client. It notices whether the service is reachable, and the clock of the service. */
export const observedFetch: typeof fetch = async (...request) => {
  try {
    const response = await fetch(...request);
    const date = Date.parse(response.headers.get("date") ?? "");
    if (!Number.isNaN(date)) setClock(date);
    setConnected(true);
    return response;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) setConnected(false);
    throw error;
  }
};

/** Calls the listener when the connection goes or returns. */
export function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isOnline = (): boolean => isConnected;

/** False while the service cannot be reached. Writes other than the sheet are impossible then. */
export const useConnection = (): boolean => useSyncExternalStore(onConnection, isOnline);
