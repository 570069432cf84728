import { Trans } from "@lingui/react/macro";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DraftOffer, useDraft } from "../app/form.tsx";
import { Failure } from "../app/failure.tsx";
import { useHolds } from "../app/may.ts";
import { notesAboutOptions } from "../data/notes.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Count } from "../ui/chip.tsx";
import { Skeleton } from "../ui/states.tsx";
import { NoteForm } from "./note-form.tsx";
import { NoteItem } from "./note-item.tsx";
import styles from "./person.module.css";

/** The notes about one subject, newest first. */
export function NotesCard({ about }: { about: { id: string; $type: "people" | "households" } }) {
  const mayWrite = useHolds("notes:write");
  const [isAdding, setAdding] = useState(false);
  const draft = useDraft({ type: "notes", id: `new-${about.id}`, card: "note" });
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    notesAboutOptions(about.id),
  );
  const notes = data?.pages.flatMap(({ items }) => items) ?? [];
  const total = data?.pages[0]?.total ?? 0;
  return (
    <Card
      title={<Trans>Notes</Trans>}
      count={total > 0 && <Count value={total} />}
      action={
        mayWrite &&
        !isAdding && (
          <Button kind="quiet" onClick={() => setAdding(true)}>
            <Trans>Add note</Trans>
          </Button>
        )
      }
    >
      {draft.isKept && !isAdding && mayWrite && (
        <DraftOffer onContinue={() => setAdding(true)} onDrop={draft.drop} />
      )}
      {isAdding && <NoteForm about={about} onDone={() => setAdding(false)} />}
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={80} />}
      {data && notes.length === 0 && !isAdding && (
        <span className={styles.quiet}>
          <Trans>No notes yet</Trans>
        </span>
      )}
      <ul>
        {notes.map((note) => (
          <NoteItem key={note.id} note={note} />
        ))}
      </ul>
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          <Trans>Older notes</Trans>
        </Button>
      )}
    </Card>
  );
}
