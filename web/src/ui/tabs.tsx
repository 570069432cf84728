import { Link, type LinkProps } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
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
  const nav = useRef<HTMLElement>(null);
  // On a phone, the current tab can lie beside the page. Counts that arrive later move it.
  const shape = tabs.map(({ id, count }) => `${id} ${count ?? ""}`).join();
  useEffect(() => {
    nav.current
      ?.querySelector(`[data-current]`)
      ?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current, shape]);
  if (tabs.length < 2) return null;
  return (
    <nav ref={nav} className={styles.tabs} aria-label={label}>
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
