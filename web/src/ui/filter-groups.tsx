import { Trans } from "@lingui/react/macro";
import { type ReactNode, useState } from "react";
import styles from "./filter-bar.module.css";
import { formatNumber } from "./format.ts";

export type FilterGroup = {
  id: string;
  title: string;
  /** The words of the set value, which a closed group shows. */
  value: string | undefined;
  body: ReactNode;
};

/** The groups of a filter panel. With controls that come first, the groups stand behind "More filters". */
export function FilterGroups({ first, groups }: { first?: ReactNode; groups: FilterGroup[] }) {
  const list = groups.map(({ id, body, ...group }) => (
    <Group key={id} {...group}>
      <div className={styles.groupBody}>{body}</div>
    </Group>
  ));
  if (first === undefined) return list;
  const set = groups.filter(({ value }) => value !== undefined).length;
  return (
    <>
      <div className={styles.first}>{first}</div>
      <Group title={<Trans>More filters</Trans>} value={set > 0 ? formatNumber(set) : undefined}>
        {list}
      </Group>
    </>
  );
}

/** Open at first if it has a value. */
function Group({
  title,
  value,
  children,
}: {
  title: ReactNode;
  value: string | undefined;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(value !== undefined);
  return (
    <details
      className={styles.group}
      open={isOpen}
      onToggle={(event) => {
        // Groups inside report their own events here, too.
        if (event.target === event.currentTarget) setOpen(event.currentTarget.open);
      }}
    >
      <summary>
        <span>{title}</span>
        {value !== undefined && (
          <bdi className={styles.value} title={value}>
            {value}
          </bdi>
        )}
      </summary>
      {isOpen && children}
    </details>
  );
}
