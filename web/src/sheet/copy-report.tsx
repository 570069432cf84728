import { Trans, useLingui } from "@lingui/react/macro";
import { Copy } from "lucide-react";
import type { Sheet } from "../data/meetings.ts";
import type { SheetDraft } from "../data/sheets/draft.ts";
import { Button } from "../ui/button.tsx";
import { formatDate, formatNumber } from "../ui/format.ts";
import { toast } from "../ui/toasts.tsx";
import { useMarkWords } from "./mark-words.ts";

/** All of a report as text, for a person who can enter it. */
export function CopyReport({ sheet, draft }: { sheet: Sheet; draft: SheetDraft }) {
  const { t } = useLingui();
  const markWords = useMarkWords();
  const { rows, cellName, date } = sheet;
  const { visitors, unnamedVisitors, children } = draft;
  const lines = draft.isHeld
    ? [
        ...rows.map(({ personId, fullName }) => {
          const note = draft.notes[personId];
          return `${fullName}: ${markWords(draft.marks[personId])}${note ? ` (${note})` : ""}`;
        }),
        ...visitors.map(({ "full-name": name, phone }) =>
          [t`Visitor: ${name}`, phone].filter(Boolean).join(", "),
        ),
        unnamedVisitors > 0 && `${t`Visitors without a name`}: ${formatNumber(unnamedVisitors)}`,
        children !== null && `${t`Children`}: ${formatNumber(children)}`,
        draft.theme && t`Theme: ${draft.theme}`,
        draft.summary,
      ]
    : [t`The group did not meet: ${draft.notHeldReason}`];
  const text = [`${cellName}, ${formatDate(date, "long")}`, ...lines].filter(Boolean).join("\n");
  return (
    <Button
      icon={<Copy size={16} />}
      onClick={() => void navigator.clipboard.writeText(text).then(() => toast(t`Copied`))}
    >
      <Trans>Copy</Trans>
    </Button>
  );
}
