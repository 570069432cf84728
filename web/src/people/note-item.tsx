import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { DraftOffer, useDraft } from "../app/form.tsx";
import { useHolds } from "../app/may.ts";
import { useSession } from "../app/session.tsx";
import { useUndo } from "../app/undo.tsx";
import { FailureBanner } from "../app/problem-words.tsx";
import { WriteDialog } from "../app/write-dialog.tsx";
import { changeNote, deleteNote, type NoteRecord } from "../data/notes.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { noteVisibilities } from "../records/enums.ts";
import { Chip } from "../ui/chip.tsx";
import { CheckField } from "../ui/field.tsx";
import { formatDate, today } from "../ui/format.ts";
import { MenuButton } from "../ui/popover.tsx";
import { Time } from "../ui/text.tsx";
import { NoteForm } from "./note-form.tsx";
import styles from "./person.module.css";

/** The subject of a note as a link. */
export function SubjectLink({ about }: { about: NoteRecord["about"] }): ReactNode {
  const params = { id: about.id };
  switch (about.$type) {
    case "people":
      return (
        <Link to="/people/$id" params={params}>
          <bdi>{about["full-name"]}</bdi>
        </Link>
      );
    case "households":
      return (
        <Link to="/households/$id" params={params}>
          <bdi>{about.name}</bdi>
        </Link>
      );
    case "cells":
      return (
        <Link to="/cells/$id" params={params}>
          <bdi>{about.name}</bdi>
        </Link>
      );
  }
}

/** A note: its text, who reads it, and the follow-up, which a tick finishes. */
export function NoteItem({
  note,
  showsSubject = false,
}: {
  note: NoteRecord;
  showsSubject?: boolean;
}) {
  const { t, i18n } = useLingui();
  const { person: me } = useSession();
  const undo = useUndo();
  const [isEditing, setEditing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const draft = useDraft({ type: "notes", id: note.id, card: "note" });
  const writesNotes = useHolds("notes:write");
  const deletesNotes = useHolds("notes:delete");
  const isAuthor = note.author?.id === me.id;
  const followsUp = isAuthor || writesNotes || note.assignee?.id === me.id;
  const finish = useWrite(
    (isDone: boolean, { idempotencyKey }) =>
      changeNote(
        note.id,
        { "follow-up-status": isDone ? "done" : "open" },
        { etag: note.$etag, idempotencyKey },
      ),
    {
      touches: ["notes"],
      onDone: (record, isDone) =>
        undo(isDone ? t`Followed up` : t`Open again`, ["notes"], () =>
          changeNote(
            record.id,
            { "follow-up-status": isDone ? "open" : "done" },
            { etag: record.$etag },
          ),
        ),
    },
  );
  if (isEditing)
    return (
      <li className={styles.note}>
        <NoteForm about={note.about} note={note} onDone={() => setEditing(false)} />
      </li>
    );
  const day = note["follow-up-on"];
  const isDone = note["follow-up-status"] === "done";
  const isLate = day !== null && !isDone && day < today();
  const assignee = note.assignee?.["full-name"];
  const entries = [
    ...(isAuthor
      ? [
          {
            id: "edit",
            label: t`Edit`,
            icon: <Pencil size={16} />,
            onSelect: () => setEditing(true),
          },
        ]
      : []),
    ...(isAuthor || deletesNotes
      ? [
          {
            id: "delete",
            label: t`Delete …`,
            icon: <Trash2 size={16} />,
            isDanger: true,
            onSelect: () => setDeleting(true),
          },
        ]
      : []),
  ];
  return (
    <li className={styles.note}>
      <div className={styles.noteHead}>
        <div className={styles.noteAbout}>
          {showsSubject && <SubjectLink about={note.about} />}
          <span>
            <bdi>{note.author?.["full-name"]}</bdi> · <Time moment={note["created-at"]} />
          </span>
          {note.kind && (
            <Chip>
              <bdi>{note.kind}</bdi>
            </Chip>
          )}
        </div>
        {entries.length > 0 && (
          <MenuButton
            trigger={{
              iconOnly: true,
              label: t`More about this note`,
              icon: <Ellipsis size={18} />,
            }}
            entries={entries}
          />
        )}
      </div>
      {draft.isKept && isAuthor && (
        <DraftOffer onContinue={() => setEditing(true)} onDrop={draft.drop} />
      )}
      <p className={styles.lines}>
        <bdi>{note.text}</bdi>
      </p>
      {day !== null && (
        <div className={styles.followUp}>
          <CheckField
            checked={finish.isPending ? finish.variables.values : isDone}
            disabled={!followsUp || finish.isPending}
            onChange={({ currentTarget }) =>
              finish.mutate({ values: currentTarget.checked, intent: newIntent() })
            }
            label={
              <span className={isDone ? styles.done : undefined}>
                {assignee ? (
                  <Trans>
                    {assignee} follows up on {formatDate(day)}
                  </Trans>
                ) : (
                  <Trans>Follow up on {formatDate(day)}</Trans>
                )}
              </span>
            }
          />
          {isLate && (
            <Chip tone="warn">
              <Trans>late</Trans>
            </Chip>
          )}
        </div>
      )}
      <FailureBanner error={finish.error} />
      <small className={styles.quiet}>
        <Trans>Read by: {i18n._(noteVisibilities[note.visibility])}</Trans>
      </small>
      {isDeleting && <DeleteNote note={note} onClose={() => setDeleting(false)} />}
    </li>
  );
}

function DeleteNote({ note, onClose }: { note: NoteRecord; onClose: () => void }) {
  const { t } = useLingui();
  const remove = useWrite(() => deleteNote(note.id, note.$etag), {
    touches: ["notes"],
    onDone: onClose,
  });
  return (
    <WriteDialog
      title={<Trans>Delete this note?</Trans>}
      onClose={onClose}
      action={t`Delete for good`}
      write={remove}
      onAct={() => remove.mutate({ values: undefined, intent: newIntent() })}
      kind="danger"
    >
      <p className={styles.lines}>{note.text.slice(0, 200)}</p>
    </WriteDialog>
  );
}
