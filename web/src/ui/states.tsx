import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import styles from "./states.module.css";

/** The place of content that has not arrived. It becomes visible after 150 ms. */
export function Skeleton({
  height,
  width = "100%",
}: {
  height: number | string;
  width?: number | string;
}) {
  return (
    <div
      className={styles.skeleton}
      style={{ blockSize: height, inlineSize: width }}
      aria-hidden="true"
    />
  );
}

/** Nothing is here: the reason, and the next step. */
export function EmptyState({
  title,
  children,
  actions,
}: {
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className={styles.state}>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

/** A read that failed: the words of the service, another attempt, and the request id. */
export function ErrorState({
  message,
  requestId,
  onRetry,
}: {
  message: ReactNode;
  requestId?: string | undefined;
  onRetry?: (() => void) | undefined;
}) {
  return (
    <div className={styles.state} role="alert">
      <p>{message}</p>
      <div className={styles.actions}>
        {onRetry && (
          <Button onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        )}
      </div>
      {requestId && (
        <details>
          <summary>
            <Trans>Details</Trans>
          </summary>
          <code dir="ltr">{requestId}</code>
        </details>
      )}
    </div>
  );
}

/** A line that concerns the whole block below it, such as "as of 14:05, no connection". */
export function Banner({
  tone = "warn",
  children,
  action,
}: {
  tone?: "warn" | "bad";
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={`${styles.banner} ${tone === "bad" ? styles.bad : ""}`} role="status">
      <span style={{ flex: 1 }}>{children}</span>
      {action}
    </div>
  );
}
