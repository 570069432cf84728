import { Trans, useLingui } from "@lingui/react/macro";
import { Download, Printer, UsersRound } from "lucide-react";
import { useHolds } from "../app/may.ts";
import { MOST_IDS } from "../data/people-filters.ts";
import { Button } from "../ui/button.tsx";
import { type Selection, selectedCount } from "../ui/data-list.tsx";

/** Each membership is a request, of which the service takes 300 in 20 seconds. */
const MOST_GROUPED = 100;

/** The buttons for the selected people. */
export function SelectionActions({
  selection,
  total,
  onGroup,
  onCsv,
  onPrint,
}: {
  selection: Selection;
  total: number;
  onGroup: () => void;
  onCsv: () => void;
  onPrint: () => void;
}) {
  const { t } = useLingui();
  const mayGroup = useHolds("cell-memberships:write");
  return (
    <>
      {mayGroup && (
        <Button
          icon={<UsersRound size={16} />}
          reason={
            selectedCount(selection, total) <= MOST_GROUPED
              ? undefined
              : t`At most 100 people can be added to a group at once.`
          }
          onClick={onGroup}
        >
          <span>
            <Trans>Add to a group</Trans>
          </span>
        </Button>
      )}
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
