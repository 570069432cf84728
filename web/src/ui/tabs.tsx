import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Count } from "./chip.tsx";
import styles from "./tabs.module.css";

export type Tab = { id: string; label: ReactNode; count?: number | undefined };

/** Tabs are links, so each has an address. The first one needs no search parameter. */
export function Tabs({
  label,
  tabs,
  current,
  ...link
}: {
  label: string;
  tabs: readonly Tab[];
  current: string;
} & Pick<LinkProps, "to" | "params">) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ id, label: words, count }, index) => (
        <Link
          key={id}
          {...link}
          search={{ tab: index === 0 ? undefined : id } as never}
          replace
          className={styles.tab}
          // Otherwise the first tab counts as current on all of them.
          activeOptions={{ explicitUndefined: true }}
          data-current={id === current || undefined}
          resetScroll={false}
        >
          {words}
          {count !== undefined && count > 0 && <Count value={count} />}
        </Link>
      ))}
    </nav>
  );
}
