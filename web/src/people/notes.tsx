import { Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Failure } from "../app/failure.tsx";
import { useSession } from "../app/session.tsx";
import { followUpsOptions } from "../data/notes.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { SelectField } from "../ui/field.tsx";
import { addDays, formatNumber, today } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { EmptyState, Skeleton } from "../ui/states.tsx";
import { NoteItem } from "./note-item.tsx";
import styles from "./notes.module.css";

const route = getRouteApi("/frame/notes");

/** Notes that ask for a follow-up. The address says whose, in which state and until when. */
export function Notes() {
  const { t } = useLingui();
  const { mine, status: wanted, until } = route.useSearch();
  const navigate = route.useNavigate();
  const { person } = useSession();
  const status = wanted === "done" ? "done" : "open";
  const days = until === "7" || until === "30" ? Number(until) : undefined;
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    followUpsOptions({
      assignee: mine === undefined ? undefined : person.id,
      status,
      until: days === undefined ? undefined : addDays(today(), days),
    }),
  );
  const notes = data?.pages.flatMap(({ items }) => items) ?? [];
  const total = data?.pages[0]?.total;
  const set = (search: { mine?: string; status?: string; until?: string }) =>
    void navigate({ search: (old) => ({ ...old, ...search }), replace: true });
  const isNarrowed = mine !== undefined || days !== undefined || status === "done";
  return (
    <Page
      title={<Trans>To follow up</Trans>}
      documentTitle={t`To follow up`}
      back={{ to: "/", label: t`Back to the home page` }}
      beside={total === undefined ? undefined : formatNumber(total)}
    >
      <div className={styles.filters}>
        <SelectField
          label={<Trans>Whose</Trans>}
          name="mine"
          value={mine === undefined ? "" : "1"}
          onChange={({ currentTarget }) => set({ mine: currentTarget.value || undefined })}
          options={[
            ["", t({ message: "All", context: "notes" })],
            ["1", t`Mine`],
          ]}
        />
        <SelectField
          label={<Trans>State</Trans>}
          name="status"
          value={status}
          onChange={({ currentTarget }) =>
            set({ status: currentTarget.value === "done" ? "done" : undefined })
          }
          options={[
            ["open", t({ message: "Open", context: "note" })],
            ["done", t({ message: "Done", context: "note" })],
          ]}
        />
        <SelectField
          label={<Trans>Until</Trans>}
          name="until"
          value={days === undefined ? "" : String(days)}
          onChange={({ currentTarget }) => set({ until: currentTarget.value || undefined })}
          options={[
            ["", t`Any day`],
            ["7", t`In seven days`],
            ["30", t`In 30 days`],
          ]}
        />
      </div>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={160} />}
      {data && notes.length === 0 && (
        <EmptyState
          title={isNarrowed ? <Trans>Nothing matches</Trans> : <Trans>Nothing to follow up</Trans>}
          actions={
            isNarrowed && (
              <Link to="/notes" search={{}}>
                <Trans>Show all</Trans>
              </Link>
            )
          }
        >
          <Trans>A note with a day to follow up appears here until it is ticked.</Trans>
        </EmptyState>
      )}
      {notes.length > 0 && (
        <div className={styles.list}>
          <Card
            title={
              status === "open" ? (
                <Trans context="note">Open</Trans>
              ) : (
                <Trans context="note">Done</Trans>
              )
            }
          >
            <ul>
              {notes.map((note) => (
                <NoteItem key={note.id} note={note} showsSubject />
              ))}
            </ul>
            {hasNextPage && (
              <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                <Trans>Show more</Trans>
              </Button>
            )}
          </Card>
        </div>
      )}
    </Page>
  );
}
