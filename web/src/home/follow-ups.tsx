import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FailureWords } from "../app/problem-words.tsx";
import { dueFollowUpsOptions, setFollowUp } from "../data/home.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { LinkButton } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { addDays, formatDate, today } from "../ui/format.ts";
import { toast } from "../ui/toasts.tsx";
import { AgendaCard } from "./agenda-card.tsx";
import styles from "./home.module.css";

type Change = {
  note: { id: string; $etag?: string | undefined };
  status: "open" | "done";
};

export function FollowUps() {
  const { t } = useLingui();
  const query = useQuery(dueFollowUpsOptions(addDays(today(), 7)));
  const write = useWrite(
    ({ note, status }: Change, { idempotencyKey }) => setFollowUp(note, status, idempotencyKey),
    {
      touches: ["notes"],
      onDone: (note, { status }) => {
        if (status === "done")
          toast(t`Follow-up done`, () =>
            write.mutate({ values: { note, status: "open" }, intent: newIntent() }),
          );
      },
    },
  );
  return (
    <AgendaCard
      query={query}
      isEmpty={({ items }) => items.length === 0}
      title={<Trans>To follow up</Trans>}
      action={
        <LinkButton kind="quiet" to="/notes">
          <Trans>All</Trans>
        </LinkButton>
      }
    >
      {({ items }) => (
        <>
          {write.error && (
            <p role="alert">
              <FailureWords error={write.error} />
            </p>
          )}
          <Lines>
            {items.map((note) => {
              const { about } = note;
              const name = "full-name" in about ? about["full-name"] : about.name;
              const day = note["follow-up-on"];
              return (
                <Line
                  key={note.id}
                  face={
                    <input
                      type="checkbox"
                      className={styles.tick}
                      aria-label={t`Done: ${note.text}`}
                      checked={write.isPending && write.variables.values.note.id === note.id}
                      onChange={() =>
                        write.mutate({ values: { note, status: "done" }, intent: newIntent() })
                      }
                    />
                  }
                  title={<span className={styles.note}>{note.text}</span>}
                  detail={
                    <span className={styles.about}>
                      {about.$type === "people" ? (
                        <Link to="/people/$id" params={{ id: about.id }} search={{ tab: "notes" }}>
                          <bdi>{name}</bdi>
                        </Link>
                      ) : (
                        <bdi>{name}</bdi>
                      )}
                      {day && <span> · {formatDate(day, "day")}</span>}
                    </span>
                  }
                />
              );
            })}
          </Lines>
        </>
      )}
    </AgendaCard>
  );
}
