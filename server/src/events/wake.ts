/** Which node committed it. */
export type Whence = "here" | "elsewhere";

type Listener = (from: Whence) => void;

const listeners = new Set<Listener>();

/**
 * There is new work in the queue, committed. A hint and no more: it may be lost, and then the next poll finds the work.
 */
export function wake(from: Whence = "here"): void {
  for (const listener of listeners) listener(from);
}

/** Answers the function that ends the listening. */
export function onWake(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
