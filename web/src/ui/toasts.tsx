import { useLingui } from "@lingui/react/macro";
import type { LinkProps } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Button, IconButton, LinkButton } from "./button.tsx";
import styles from "./toasts.module.css";

/** What was done, in words, and how to take it back. Failures are never toasts: they stay where they happened. */
export type Toast = {
  id: number;
  message: string;
  undo?: (() => void) | undefined;
  /** Where what was done is seen. */
  links?: readonly ToastLink[] | undefined;
};

export type ToastLink = LinkProps & { label: string };

const SHOWN_MS = 8_000;

let toasts: Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function toast(message: string, undo?: () => void, links?: readonly ToastLink[]): void {
  lastId += 1;
  change([...toasts.slice(-2), { id: lastId, message, undo, links }]);
}

export const dismissToast = (id: number): void => change(toasts.filter((one) => one.id !== id));

/** What the toasts would take back is settled. */
export const clearToasts = (): void => change([]);

/** Takes back the newest change that can be taken back, as Ctrl Z does. */
export function undoLatest(): boolean {
  const latest = toasts.findLast(({ undo }) => undo !== undefined);
  if (!latest) return false;
  dismissToast(latest.id);
  latest.undo?.();
  return true;
}

/** `F6` moves the focus here. A toast stays while it is hovered or focused. */
export function Toasts() {
  const { t } = useLingui();
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <section
      className={styles.region}
      aria-label={t`Messages`}
      aria-live="polite"
      tabIndex={-1}
      id="toasts"
    >
      {shown.map((one) => (
        <ToastLine key={one.id} toast={one} />
      ))}
    </section>
  );
}

function ToastLine({ toast: { id, message, undo, links = [] } }: { toast: Toast }) {
  const { t } = useLingui();
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismissToast(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, isHeld]);
  return (
    <div
      className={styles.toast}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className={styles.message}>{message}</span>
      {links.map(({ label, ...link }) => (
        <LinkButton key={label} kind="quiet" {...link} onClick={() => dismissToast(id)}>
          {label}
        </LinkButton>
      ))}
      {undo && (
        <Button
          kind="quiet"
          onClick={() => {
            dismissToast(id);
            undo();
          }}
        >
          {t`Undo`}
        </Button>
      )}
      <IconButton label={t`Dismiss`} icon={<X size={16} />} onClick={() => dismissToast(id)} />
    </div>
  );
}
