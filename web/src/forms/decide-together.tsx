import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { Archive, Ban, Download, Ellipsis, Trash2, X } from "lucide-react";
import { useState } from "react";
import { useHolds } from "../app/may.ts";
import { FailureWords } from "../app/problem-words.tsx";
import { useUndo } from "../app/undo.tsx";
import { WriteDialog } from "../app/write-dialog.tsx";
import { markStale } from "../data/cache.ts";
import type { Chosen } from "../data/every-row.ts";
import {
  decideTogether,
  deleteSubmissions,
  everySubmission,
  reopenSubmissions,
  type SubmissionRow,
  type SubmissionsSearch,
  type Together,
} from "../data/forms.ts";
import { keys } from "../data/keys.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { Button } from "../ui/button.tsx";
import { MenuButton } from "../ui/popover.tsx";
import { toast } from "../ui/toasts.tsx";
import styles from "./forms.module.css";

const TOUCHED = ["form-submissions", "forms"] as const;

type Props = {
  search: SubmissionsSearch;
  chosen: Chosen;
  count: number;
  onCsv: () => void;
  onDone: () => void;
};

async function everyOne({ search, chosen }: Pick<Props, "search" | "chosen">) {
  const rows: SubmissionRow[] = [];
  // The rows of a filter move while they are decided, so all are read before.
  for await (const row of everySubmission(search, chosen, new AbortController().signal))
    rows.push(row);
  return rows;
}

/** What the caller can do with the selected submissions. */
export function DecideTogether({ search, chosen, count, onCsv, onDone }: Props) {
  const { t } = useLingui();
  const undo = useUndo();
  const mayDecide = useHolds("form-submissions:write");
  const mayDelete = useHolds("form-submissions:delete");
  const [isDeleting, setDeleting] = useState(false);
  const write = useWrite(
    async (status: Together, { idempotencyKey }) => {
      const rows = await everyOne({ search, chosen });
      const changed = await decideTogether(
        rows.map(({ id }) => id),
        status,
        idempotencyKey,
      );
      return { rows, changed };
    },
    {
      touches: TOUCHED,
      onDone: ({ rows, changed }, status) => {
        const done = changed.length;
        const left = rows.length - done;
        const words = {
          rejected: t`Declined: ${done}`,
          spam: t`Marked as spam: ${done}`,
          archived: t`Archived: ${done}`,
        }[status];
        const message = left > 0 ? `${words}. ${t`Left as they were: ${left}`}` : words;
        const wasNew = new Set(rows.flatMap((one) => (one.status === "new" ? one.id : [])));
        if (done > 0 && status !== "archived" && changed.every((id) => wasNew.has(id)))
          undo(message, TOUCHED, () => reopenSubmissions(changed));
        else toast(message);
        onDone();
      },
    },
  );
  const run = (status: Together) => write.mutate({ values: status, intent: newIntent() });
  return (
    <>
      {write.error && (
        <span role="alert" className={styles.error}>
          <FailureWords error={write.error} />
        </span>
      )}
      {mayDecide && (
        <>
          <Button icon={<X size={16} />} busy={write.isPending} onClick={() => run("rejected")}>
            <span>
              <Trans>Decline</Trans>
            </span>
          </Button>
          <Button icon={<Ban size={16} />} busy={write.isPending} onClick={() => run("spam")}>
            <span>
              <Trans>Spam</Trans>
            </span>
          </Button>
        </>
      )}
      <MenuButton
        trigger={{
          iconOnly: true,
          label: t`More for the selected answers`,
          icon: <Ellipsis size={18} />,
        }}
        entries={[
          ...(mayDecide
            ? [
                {
                  id: "archive",
                  label: t`Archive`,
                  icon: <Archive size={16} />,
                  onSelect: () => run("archived"),
                },
              ]
            : []),
          { id: "csv", label: t`CSV file`, icon: <Download size={16} />, onSelect: onCsv },
          ...(mayDelete
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
        ]}
      />
      {isDeleting && (
        <DeleteSubmissions
          idsOf={async () => (await everyOne({ search, chosen })).map(({ id }) => id)}
          count={count}
          onDone={() => {
            setDeleting(false);
            onDone();
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}

/** Asks before answers are deleted for good. */
export function DeleteSubmissions({
  idsOf,
  count,
  onDone,
  onClose,
}: {
  idsOf: () => Promise<readonly string[]>;
  count: number;
  onDone: () => void | Promise<void>;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const client = useQueryClient();
  const remove = useWrite(
    async () => {
      const ids = await idsOf();
      await deleteSubmissions(ids);
      return ids;
    },
    {
      // A page that still shows one of them would read it again, so it is left before.
      touches: [],
      onDone: (ids) => {
        const done = ids.length;
        toast(t`Deleted: ${done}`);
        void Promise.resolve(onDone()).then(() => {
          for (const id of ids)
            client.removeQueries({ queryKey: keys.one("form-submissions", id) });
          markStale(client, TOUCHED);
        });
      },
    },
  );
  return (
    <WriteDialog
      title={<Plural value={count} one="Delete this answer?" other="Delete # answers?" />}
      action={<Trans>Delete for good</Trans>}
      kind="danger"
      write={remove}
      onAct={() => remove.mutate({ values: undefined, intent: newIntent() })}
      onClose={onClose}
    >
      <p>
        <Trans>
          What was sent goes for good. People who were added from it stay, with what they took from
          it.
        </Trans>
      </p>
    </WriteDialog>
  );
}
