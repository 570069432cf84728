/** Which node committed it. */
export type Origin = "here" | "elsewhere";

type Listener = (from: Origin) => void;

const listeners = new Set<Listener>();

/**
 * There is new work in the queue, committed. A hint and no more: it may be lost, and then the next poll finds the work.
 */
export function wake(from: Origin = "here"): void {
  for (const listener of listeners) listener(from);
}

/** Answers the function that ends the listening. */
export function onWake(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
