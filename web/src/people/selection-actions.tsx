import { Trans, useLingui } from "@lingui/react/macro";
import { Download, Printer } from "lucide-react";
import { MOST_IDS } from "../data/people-filters.ts";
import { Button } from "../ui/button.tsx";
import type { Selection } from "../ui/data-list.tsx";

/** The buttons for the selected people. */
export function SelectionActions({
  selection,
  onCsv,
  onPrint,
}: {
  selection: Selection;
  onCsv: () => void;
  onPrint: () => void;
}) {
  const { t } = useLingui();
  return (
    <>
      <Button icon={<Download size={16} />} onClick={onCsv}>
        <span>
          <Trans>CSV file</Trans>
        </span>
      </Button>
      <Button
        icon={<Printer size={16} />}
        reason={
          selection.ids.size <= MOST_IDS
            ? undefined
            : selection.isAll
              ? t`A print can leave out 100 people at most. Narrow the filter.`
              : t`A selection of more than 100 people cannot be printed. Select all, or narrow the filter.`
        }
        onClick={onPrint}
      >
        <span>
          <Trans>Print</Trans>
        </span>
      </Button>
    </>
  );
}
