import { Minus, Plus } from "lucide-react";
import { type ReactNode, useId } from "react";
import { IconButton } from "./button.tsx";
import styles from "./counter.module.css";
import { formatNumber } from "./format.ts";

/** A small number that is counted by taps. */
export function Counter({
  label,
  value,
  lessLabel,
  moreLabel,
  onChange,
}: {
  label: ReactNode;
  value: number;
  lessLabel: string;
  moreLabel: string;
  onChange: (value: number) => void;
}) {
  const id = useId();
  return (
    <div className={styles.counter} role="group" aria-labelledby={id}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <IconButton
        label={lessLabel}
        icon={<Minus size={18} />}
        onClick={() => onChange(Math.max(0, value - 1))}
      />
      <output className={styles.value}>{formatNumber(value)}</output>
      <IconButton label={moreLabel} icon={<Plus size={18} />} onClick={() => onChange(value + 1)} />
    </div>
  );
}
