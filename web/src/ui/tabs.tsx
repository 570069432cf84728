import { Link, type LinkProps } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { Count } from "./chip.tsx";
import styles from "./tabs.module.css";

export type Tab = { id: string; label: ReactNode; count?: number | undefined };

/** Tabs are links, so each has an address. The first one needs no search parameter. */
export function Tabs({
  tabs,
  current,
  to,
  params,
  ...nav
}: {
  label: string;
  tabs: readonly Tab[];
  current: string;
} & Pick<LinkProps, "to" | "params">) {
  const links = tabs.map((tab, index) => ({
    ...tab,
    link: {
      ...(to !== undefined && { to }),
      ...(params !== undefined && { params }),
      search: { tab: index === 0 ? undefined : tab.id } as never,
      replace: true,
    },
  }));
  return <LinkTabs {...nav} tabs={links} current={current} />;
}

/** Pages beside each other, each with a link of its own. */
export function LinkTabs({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly (Tab & { link: LinkProps })[];
  current: string;
}) {
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
      {tabs.map(({ id, label: words, count, link }) => (
        <Link
          key={id}
          {...link}
          className={styles.tab}
          aria-current={id === current ? "page" : undefined}
          // Otherwise the first one counts as current on all of them.
          activeOptions={{ exact: link.search === undefined, explicitUndefined: true }}
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
