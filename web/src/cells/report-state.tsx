import { Trans, useLingui } from "@lingui/react/macro";
import type { CellStatus } from "@vestry/sdk";
import { Chip } from "../ui/chip.tsx";
import { cellStatuses } from "./words.ts";

/** The report that a group owes, or a status that deserves a look. Nothing for an active group that owes none. */
export function ReportState({
  report,
  status,
}: {
  report: string | null | undefined;
  status: CellStatus;
}) {
  const { i18n } = useLingui();
  if (report === "overdue")
    return (
      <Chip tone="warn">
        <Trans>Overdue</Trans>
      </Chip>
    );
  if (report === "due")
    return (
      <Chip tone="info">
        <Trans context="report">Due</Trans>
      </Chip>
    );
  return status === "active" ? null : <Chip>{i18n._(cellStatuses[status])}</Chip>;
}
