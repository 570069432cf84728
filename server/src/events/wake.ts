/** The node that committed the work. */
export type CommittedOn = "here" | "elsewhere";

type Listener = (from: CommittedOn) => void;

const listeners = new Set<Listener>();

/** Signals that committed work is in the queue. The signal may be lost, because polling also finds the work. */
export function wake(from: CommittedOn = "here"): void {
  for (const listener of listeners) listener(from);
}

/** Returns a function that removes the listener. */
export function onWake(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
