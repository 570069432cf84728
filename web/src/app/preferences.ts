import { useSyncExternalStore } from "react";
import { ofDevice } from "../data/kept.ts";

/** Choices for this device. An absent theme is that of the device. `public/theme.js` applies them before the first paint. */
export type Preferences = {
  theme?: "light" | "dark" | undefined;
  density?: "compact" | undefined;
  /** Keys without a modifier are off. */
  keys?: "off" | undefined;
};

const NAMES = ["theme", "density", "keys"] as const;

let preferences = Object.fromEntries(
  NAMES.map((name) => [name, ofDevice.get(name)]),
) as Preferences;
const listeners = new Set<() => void>();

export const currentPreferences = (): Preferences => preferences;

export function prefer(changes: Preferences): void {
  preferences = { ...preferences, ...changes };
  for (const name of NAMES) {
    const choice = preferences[name];
    if (choice === undefined) ofDevice.delete(name);
    else ofDevice.set(name, choice);
    if (name === "keys") continue;
    if (choice === undefined) delete document.documentElement.dataset[name];
    else document.documentElement.dataset[name] = choice;
  }
  for (const listener of listeners) listener();
}

export const usePreferences = (): Preferences =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentPreferences);
