import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Check } from "lucide-react";
import { useState } from "react";
import type { Owed } from "../records/owed.ts";
import { useOwedWords, useReminder } from "../records/reminder.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { Chip } from "../ui/chip.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { formatList } from "../ui/format.ts";
import { WriteButton } from "../ui/reach.tsx";
import { writeLink } from "../ui/reach-links.ts";

/** A prepared message to the leader of each group that owes reports. The caller sends them, one after the other. */
export default function Remind({ owed, onClose }: { owed: readonly Owed[]; onClose: () => void }) {
  const { t } = useLingui();
  const reminder = useReminder();
  const words = useOwedWords();
  const [written, setWritten] = useState<ReadonlySet<string>>(new Set());
  const { reached = [], others = [] } = Object.groupBy(owed, ({ leader }) =>
    leader && writeLink(leader) ? "reached" : "others",
  );
  return (
    <Dialog title={<Trans>Remind the leaders</Trans>} onClose={onClose} isFullOnPhones>
      <p>
        <Trans>
          Each message is prepared and names the missing reports. You send it with your own program.
        </Trans>
      </p>
      <Lines>
        {reached.map((one) => {
          const { cell, leader } = one;
          const name = leader?.["full-name"] ?? "";
          return (
            <Line
              key={cell.id}
              face={<Avatar name={name} photo={leader?.["photo-url"]} />}
              title={name}
              detail={
                <>
                  <bdi>{cell.name}</bdi> · {words(one)}
                </>
              }
            >
              {written.has(cell.id) && (
                <Chip tone="good" icon={<Check size={14} />}>
                  <Trans>Opened</Trans>
                </Chip>
              )}
              <WriteButton
                {...leader}
                name={t`${name}, ${cell.name}`}
                message={reminder(one)}
                onWrite={() => setWritten(new Set([...written, cell.id]))}
              />
            </Line>
          );
        })}
      </Lines>
      {others.length > 0 && (
        <p>
          <Plural
            value={others.length}
            one="The leader of # group cannot be reached:"
            other="The leaders of # groups cannot be reached:"
          />{" "}
          {formatList(others.map(({ cell }) => cell.name))}
        </p>
      )}
      <DialogButtons>
        <Button onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
