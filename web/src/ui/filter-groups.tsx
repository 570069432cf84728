import { type ReactNode, useState } from "react";
import styles from "./filter-bar.module.css";

export type FilterGroup = {
  id: string;
  title: string;
  /** The words of the set value, which a closed group shows. */
  value: string | undefined;
  body: ReactNode;
};

/** The groups of a filter panel. Those with a value are open at first. */
export const FilterGroups = ({ groups }: { groups: FilterGroup[] }) =>
  groups.map((group) => <Group key={group.id} {...group} />);

function Group({ title, value, body }: FilterGroup) {
  const [isOpen, setOpen] = useState(value !== undefined);
  return (
    <details
      className={styles.group}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <span>{title}</span>
        {value !== undefined && (
          <bdi className={styles.value} title={value}>
            {value}
          </bdi>
        )}
      </summary>
      {isOpen && <div className={styles.groupBody}>{body}</div>}
    </details>
  );
}
