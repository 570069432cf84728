import { Check, MessageSquareText } from "lucide-react";
import type { ReactNode } from "react";
import { Avatar } from "./avatar.tsx";
import styles from "./mark-row.module.css";

export const MarkRows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={styles.rows} aria-label={label}>
    {children}
  </ul>
);

/**
 * A person on a sheet. The row is one button: a tap marks, a second tap takes the mark away. The face opens what else can
 * be said about the person.
 */
export function MarkRow({
  name,
  fullName,
  photo,
  isMarked,
  hasNote,
  second,
  detailsLabel,
  onToggle,
  onDetails,
}: {
  name: string;
  /** Where it differs from the name. */
  fullName?: string | undefined;
  photo: string | null;
  isMarked: boolean;
  hasNote?: boolean;
  second?: { label: string; isOn: boolean; onPress: () => void } | undefined;
  detailsLabel: string;
  /** Absent on a sheet that is only read. */
  onToggle: (() => void) | undefined;
  onDetails: (() => void) | undefined;
}) {
  const face = isMarked ? (
    <span className={styles.tick}>
      <Check size={22} strokeWidth={2.6} />
    </span>
  ) : (
    <Avatar name={name} photo={photo} size={40} />
  );
  const names = (
    <span className={styles.names}>
      <bdi className={styles.name}>{name}</bdi>
      {fullName && <bdi className={styles.fullName}>{fullName}</bdi>}
    </span>
  );
  return (
    <li
      className={`${styles.row} ${isMarked ? styles.came : second?.isOn ? styles.excused : ""}`}
      title={fullName ?? name}
    >
      {onDetails ? (
        <button type="button" className={styles.face} aria-label={detailsLabel} onClick={onDetails}>
          {face}
        </button>
      ) : (
        <span className={styles.face}>{face}</span>
      )}
      {onToggle ? (
        <button type="button" className={styles.mark} aria-pressed={isMarked} onClick={onToggle}>
          {names}
        </button>
      ) : (
        <span className={styles.mark}>{names}</span>
      )}
      {hasNote && <MessageSquareText size={16} className={styles.note} />}
      {second && !isMarked && (onToggle || second.isOn) && (
        <button
          type="button"
          className={styles.second}
          aria-pressed={second.isOn}
          disabled={!onToggle}
          onClick={second.onPress}
        >
          {second.label}
        </button>
      )}
    </li>
  );
}
