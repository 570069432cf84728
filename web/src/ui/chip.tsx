import type { ReactNode } from "react";
import styles from "./chip.module.css";
import { formatNumber } from "./format.ts";

export type Tone = "plain" | "good" | "warn" | "bad" | "info" | "accent";

/** A state that deserves a look. Normal states are plain text without a chip. */
export function Chip({
  tone = "plain",
  icon,
  children,
}: {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span className={`${styles.chip} ${tone === "plain" ? "" : styles[tone]}`}>
      {icon}
      {children}
    </span>
  );
}

/** A number beside a heading or a menu entry. */
export function Count({ value, tone = "plain" }: { value: number; tone?: Tone }) {
  return (
    <span className={`${styles.chip} ${styles.count} ${tone === "plain" ? "" : styles[tone]}`}>
      {formatNumber(value)}
    </span>
  );
}
