import { Trans, useLingui } from "@lingui/react/macro";
import { Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { SheetRow } from "../data/meetings.ts";
import { type SheetDraft, toggle, withMark } from "../data/sheets/draft.ts";
import { IconButton } from "../ui/button.tsx";
import { Counter } from "../ui/counter.tsx";
import { TextArea, TextField } from "../ui/field.tsx";
import { MarkRow, MarkRows } from "../ui/mark-row.tsx";
import { AddVisitor } from "./add-visitor.tsx";
import styles from "./report.module.css";

/** Absent where the report is only read. */
export type Change = ((apply: (draft: SheetDraft) => SheetDraft) => void) | undefined;

/** The people, the visitors and the words of a meeting that took place. */
export function MeetingFields({
  rows,
  search,
  draft,
  onChange,
  onDetails,
}: {
  rows: readonly SheetRow[];
  /** The input that chooses the rows by their names. */
  search: ReactNode;
  draft: SheetDraft;
  onChange: Change;
  onDetails: (row: SheetRow) => void;
}) {
  const { t } = useLingui();
  const visitors = rows.filter(({ isMember }) => !isMember);
  const common = { draft, onChange, onDetails };
  return (
    <>
      <div className={styles.question}>
        <h2>
          <Trans>Who came?</Trans>
        </h2>
        {onChange && (
          <p>
            <Trans>Tap each person who came.</Trans>
          </p>
        )}
      </div>
      {search}
      <Rows rows={rows.filter(({ isMember }) => isMember)} label={t`Members`} {...common} />
      {visitors.length > 0 && (
        <>
          <h2>
            <Trans>Visitors</Trans>
          </h2>
          <Rows rows={visitors} label={t`Visitors`} {...common} />
        </>
      )}
      <Visitors draft={draft} onChange={onChange} />
      <More draft={draft} onChange={onChange} />
    </>
  );
}

function Rows({
  rows,
  label,
  draft,
  onChange,
  onDetails,
}: {
  rows: readonly SheetRow[];
  label: string;
  draft: SheetDraft;
  onChange: Change;
  onDetails: (row: SheetRow) => void;
}) {
  const { t } = useLingui();
  return (
    <MarkRows label={label}>
      {rows.map((row) => {
        const { personId, fullName, preferredName, photo, isMember } = row;
        const mark = draft.marks[personId];
        const name = preferredName ?? fullName;
        return (
          <MarkRow
            key={personId}
            name={name}
            fullName={name === fullName ? undefined : fullName}
            photo={photo}
            isMarked={mark === "present" || mark === "online"}
            hasNote={Boolean(draft.notes[personId])}
            detailsLabel={t`More about ${name}`}
            onToggle={onChange && (() => onChange((old) => toggle(old, personId)))}
            onDetails={onChange && (() => onDetails(row))}
            second={
              isMember
                ? {
                    label: t`Excused`,
                    isOn: mark === "excused",
                    onPress: () =>
                      onChange?.((old) =>
                        withMark(old, personId, mark === "excused" ? undefined : "excused"),
                      ),
                  }
                : undefined
            }
          />
        );
      })}
    </MarkRows>
  );
}

/** New people with their names, and a counter for those without. */
function Visitors({ draft, onChange }: { draft: SheetDraft; onChange: Change }) {
  const { t } = useLingui();
  return (
    <div className={styles.visitors}>
      {draft.visitors.map((visitor, index) => (
        <div key={`${index} ${visitor["full-name"]}`} className={styles.visitor}>
          <bdi className={styles.visitorName}>{visitor["full-name"]}</bdi>
          {onChange && (
            <IconButton
              label={t`Remove ${visitor["full-name"]}`}
              icon={<Trash2 size={16} />}
              onClick={() =>
                onChange((old) => ({
                  ...old,
                  visitors: old.visitors.filter((one) => one !== visitor),
                }))
              }
            />
          )}
        </div>
      ))}
      {onChange && <AddVisitor draft={draft} onChange={onChange} />}
    </div>
  );
}

function More({ draft, onChange }: { draft: SheetDraft; onChange: Change }) {
  const { t } = useLingui();
  if (!onChange)
    return (
      <>
        {draft.theme && (
          <p>
            <Trans>Theme: {draft.theme}</Trans>
          </p>
        )}
        {draft.summary && <p>{draft.summary}</p>}
      </>
    );
  return (
    <div className={styles.more}>
      <div>
        <Counter
          label={<Trans>Visitors without a name</Trans>}
          value={draft.unnamedVisitors}
          lessLabel={t`One visitor less`}
          moreLabel={t`One visitor more`}
          onChange={(value) => onChange((old) => ({ ...old, unnamedVisitors: value }))}
        />
        <Counter
          label={<Trans>Children</Trans>}
          value={draft.children ?? 0}
          lessLabel={t`One child less`}
          moreLabel={t`One child more`}
          onChange={(value) => onChange((old) => ({ ...old, children: value }))}
        />
      </div>
      <TextField
        label={<Trans>Theme</Trans>}
        value={draft.theme}
        maxLength={200}
        onChange={({ currentTarget: { value } }) => onChange((old) => ({ ...old, theme: value }))}
      />
      <TextArea
        label={<Trans>For the supervisor</Trans>}
        value={draft.summary}
        maxLength={10_000}
        onChange={({ currentTarget: { value } }) => onChange((old) => ({ ...old, summary: value }))}
      />
    </div>
  );
}
