import { useSyncExternalStore } from "react";

/** What the frame opens over a page. */
export type Opened =
  | { name: "palette" }
  | { name: "keys" }
  | { name: "log-out" }
  | { name: "quick-add"; kind?: "person" | "note" | "visitor" | undefined };

let opened: Opened | undefined;
const listeners = new Set<() => void>();

function change(next: Opened | undefined): void {
  opened = next;
  for (const listener of listeners) listener();
}

/** Also while the script of what was opened loads. */
export const isSomethingOpen = (): boolean => opened !== undefined;

export const openOver = (next: Opened): void => change(next);
export const closeOver = (): void => change(undefined);

export const useOpened = (): Opened | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => opened,
  );
