import { Trans, useLingui } from "@lingui/react/macro";
import { ArrowUpDown, Check, Columns3 } from "lucide-react";
import { lazy, Suspense } from "react";
import type { SignedSort } from "../data/people-filters.ts";
import type { PersonColumn } from "../records/people-columns.tsx";
import { MenuButton, PopoverButton } from "../ui/popover.tsx";
import { useSorts } from "./sorts.ts";

const ColumnsPanel = lazy(() => import("./columns-panel.tsx"));

export function SortButton({
  sort,
  onSort,
}: {
  sort: SignedSort;
  onSort: (sort: SignedSort) => void;
}) {
  const { t } = useLingui();
  return (
    <MenuButton
      trigger={{
        label: t`Sort`,
        icon: <ArrowUpDown size={16} aria-hidden="true" />,
        children: <Trans>Sort</Trans>,
      }}
      entries={useSorts().map(([id, label]) => ({
        id,
        label,
        icon: <Check size={16} visibility={id === sort ? "visible" : "hidden"} />,
        onSelect: () => onSort(id),
      }))}
    />
  );
}

export type ColumnsChoice = {
  all: readonly PersonColumn[];
  chosen: readonly PersonColumn[];
  onChoose: (ids: string[]) => void;
  onReset: () => void;
};

export function ColumnsButton(choice: ColumnsChoice) {
  const { t } = useLingui();
  return (
    <PopoverButton
      trigger={{
        label: t`Columns`,
        icon: <Columns3 size={16} aria-hidden="true" />,
        children: <Trans>Columns</Trans>,
      }}
    >
      {() => (
        <Suspense>
          <ColumnsPanel {...choice} />
        </Suspense>
      )}
    </PopoverButton>
  );
}
