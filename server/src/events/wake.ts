/** The node that committed the work. */
export type Origin = "here" | "elsewhere";

type Listener = (from: Origin) => void;

const listeners = new Set<Listener>();

/** Signals that committed work is in the queue. The signal may be lost, because polling also finds the work. */
export function wake(from: Origin = "here"): void {
  for (const listener of listeners) listener(from);
}

/** Returns a function that stops listening. */
export function onWake(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
