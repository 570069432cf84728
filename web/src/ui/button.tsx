import { Link, type LinkProps } from "@tanstack/react-router";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import styles from "./button.module.css";

type Look = {
  /** A screen has one filled button. */
  kind?: "plain" | "filled" | "quiet" | "danger" | "bare" | undefined;
  icon?: ReactNode;
};

const look = (kind: Look["kind"] = "plain", icon?: boolean) =>
  [styles.button, kind !== "plain" && styles[kind], icon && styles.icon].filter(Boolean).join(" ");

export type ButtonProps = Omit<ComponentProps<"button">, "className" | "disabled"> &
  Look & {
    /** Why the action is impossible now. The button stays focusable and is described by it. */
    reason?: string | undefined;
    busy?: boolean | undefined;
  };

export function Button({ kind, icon, reason, busy, children, onClick, ...rest }: ButtonProps) {
  const reasonId = useId();
  // A finger finds no tooltip, so the press shows the reason.
  const [asked, setAsked] = useState<string>();
  return (
    <>
      <button
        type="button"
        {...rest}
        className={look(kind)}
        title={reason ?? rest.title}
        aria-disabled={reason !== undefined || busy || undefined}
        aria-busy={busy || undefined}
        aria-describedby={reason === undefined ? rest["aria-describedby"] : reasonId}
        onClick={(event) => {
          if (reason !== undefined || busy) {
            event.preventDefault();
            setAsked(reason);
          } else onClick?.(event);
        }}
      >
        {icon}
        {children}
      </button>
      {reason !== undefined && (
        <span id={reasonId} className={styles.reason} role="status" hidden={asked !== reason}>
          {reason}
        </span>
      )}
    </>
  );
}

/** A button with an icon alone. `label` is its name for assistive technology and its tooltip. */
export function IconButton({
  label,
  icon,
  ...rest
}: Omit<ComponentProps<"button">, "className" | "children"> & { label: string; icon: ReactNode }) {
  return (
    <button
      type="button"
      {...rest}
      className={look("plain", true)}
      aria-label={label}
      title={label}
    >
      {icon}
    </button>
  );
}

/** A link inside the app that looks like a button. */
export function LinkButton({
  kind,
  icon,
  children,
  ...rest
}: LinkProps & Look & { children?: ReactNode; "aria-label"?: string; onClick?: () => void }) {
  return (
    <Link {...rest} className={look(kind)}>
      {icon}
      {children}
    </Link>
  );
}

/** A link to a telephone, a mail program or another site that looks like a button. */
export function OutwardButton({
  kind,
  icon,
  label,
  children,
  ...rest
}: Omit<ComponentProps<"a">, "className"> & Look & { label?: string }) {
  return (
    <a
      {...rest}
      className={look(kind, children === undefined)}
      aria-label={label}
      title={label}
      rel="noreferrer"
    >
      {icon}
      {children}
    </a>
  );
}
