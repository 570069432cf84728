import { useEffect } from "react";
import { undoLatest } from "../ui/toasts.tsx";
import { isSomethingOpen, openOver } from "./opened.ts";
import { currentPreferences } from "./preferences.ts";
import { createRegistry } from "./registry.ts";

/** A key, or two keys one after the other: `e`, `g p`. `label` says in the sheet of keys what it does. */
export type KeyBinding = { keys: string; label: string; run: () => void };

const bindings = createRegistry<KeyBinding>();
export const keyBindings = bindings.all;

/**
 * Binds single keys while the component is mounted. They work outside of fields and dialogs, and a person can switch them off.
 * A later binding of the same key wins.
 */
export const useKeys = bindings.useOffer;

const SEQUENCE_MS = 1_500;

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button])"));

const isUnderOverlay = (): boolean =>
  isSomethingOpen() ||
  document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") !== null;

/** Listens to the keys of the whole app. */
export function useKeyboard(): void {
  useEffect(() => {
    let first: { key: string; at: number } | undefined;

    function runBinding(event: KeyboardEvent): void {
      const prefix =
        first !== undefined && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ` : "";
      const binding = bindings.all().findLast(({ keys }) => keys === prefix + event.key);
      first = binding ? undefined : { key: event.key, at: event.timeStamp };
      if (!binding) return;
      event.preventDefault();
      binding.run();
    }

    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing) return;
      if (event.key === "F6") {
        event.preventDefault();
        document.getElementById("toasts")?.focus();
      } else if (isUnderOverlay()) return;
      else if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        if (event.key === "k") {
          event.preventDefault();
          openOver({ name: "palette" });
        } else if (event.key === "z" && !isField(event.target) && undoLatest())
          event.preventDefault();
      } else if (
        !event.ctrlKey &&
        !event.metaKey &&
        !event.altKey &&
        currentPreferences().keys !== "off" &&
        !isField(event.target)
      )
        runBinding(event);
    }

    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
