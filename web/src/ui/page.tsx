import { useLingui } from "@lingui/react/macro";
import { type LinkProps, Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import styles from "./page.module.css";

/** The frame of a screen: its one h1, which takes the focus on navigation, and the title of the document. */
export function Page({
  title,
  documentTitle,
  above,
  beside,
  face,
  beneath,
  back,
  actions,
  isFilling = false,
  isLarge = false,
  children,
}: {
  title: ReactNode;
  /** "Ana Mariana · People". */
  documentTitle: string;
  /** A quiet line above the heading. */
  above?: ReactNode;
  /** A quiet text beside the heading, such as a count. */
  beside?: ReactNode;
  /** The face of a person or a group, which makes the heading large. */
  face?: ReactNode;
  /** A quiet line under the heading. */
  beneath?: ReactNode;
  back?: (LinkProps & { label: string }) | undefined;
  /** The heading of a person and of the home page. */
  isLarge?: boolean;
  /** On phones, actions with an icon show the icon alone. Put their words in a span. */
  actions?: ReactNode;
  /** The panel is as high as the window, and the list in it scrolls. */
  isFilling?: boolean;
  children: ReactNode;
}) {
  const { t } = useLingui();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t`${documentTitle} · Vestry`;
  }, [documentTitle, t]);
  useEffect(() => {
    // Focus that the screen itself set, such as on its search, stays.
    if (!document.activeElement || document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div
      className={`${styles.page} ${isFilling ? styles.filling : ""}`}
      data-filling={isFilling || undefined}
    >
      <header className={`${styles.head} ${face ? styles.profile : ""}`}>
        {back && (
          <Link {...back} className={styles.back} aria-label={back.label} title={back.label}>
            <ArrowLeft size={20} data-points />
          </Link>
        )}
        {face}
        <div className={styles.titles}>
          {above && <p className={styles.quiet}>{above}</p>}
          <h1 ref={heading} tabIndex={-1} className={isLarge ? styles.large : undefined}>
            {title}
          </h1>
          {beside && <span className={styles.quiet}>{beside}</span>}
          {beneath && <p className={styles.quiet}>{beneath}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
