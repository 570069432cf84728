import { useLingui } from "@lingui/react/macro";
import { type ReactNode, useEffect } from "react";
import styles from "./login.module.css";

/** The frame of the pages before the log-in: a mark, one heading, one card. */
export function Gate({
  documentTitle,
  title,
  children,
}: {
  documentTitle: string;
  title: ReactNode;
  children: ReactNode;
}) {
  const { t } = useLingui();
  useEffect(() => {
    document.title = t`${documentTitle} · Vestry`;
  }, [documentTitle, t]);
  return (
    <main className={styles.gate}>
      <img src="/icon.svg" alt="" width={44} height={44} />
      <h1>{title}</h1>
      <div className={styles.card}>{children}</div>
    </main>
  );
}
