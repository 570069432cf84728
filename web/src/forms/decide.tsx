import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useCanGoBack, useRouter } from "@tanstack/react-router";
import type { VestryError } from "@vestry/sdk";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { mayAct, useHolds } from "../app/may.ts";
import { usePageActions } from "../app/page-actions.ts";
import { FailureWords } from "../app/problem-words.tsx";
import { useUndo } from "../app/undo.tsx";
import type { Question } from "../data/form-answers.ts";
import { decideSubmission, submissionOptions, type SubmissionRecord } from "../data/forms.ts";
import { entryAfter, orderOf, QUEUE_SIZE, usePublicQueue } from "../data/public-queue.ts";
import { isOvertaken, newIntent, useWrite } from "../data/write.ts";
import { useQueueKinds, useSetAside } from "../joining/queue-lines.tsx";
import { type Suggested, type Who, WhoIsIt } from "../joining/who-is-it.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { MenuButton } from "../ui/popover.tsx";
import { AcceptDialog } from "./accept-dialog.tsx";
import { type Change, Changes } from "./changes.tsx";
import styles from "./forms.module.css";

const route = getRouteApi("/frame/forms/$id/submissions/$submission");

/**
 * Leads on after the decision: in the queue to its next entry, and otherwise to where the reader came from, which is the home page
 * or the form.
 */
function useLeave(id: string) {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const { next: inQueue } = route.useSearch();
  const order = orderOf(inQueue);
  const kinds = useQueueKinds();
  const { data } = usePublicQueue(inQueue ? kinds : [], QUEUE_SIZE, order);
  return () => {
    const next = inQueue && data ? entryAfter(data.entries, id) : undefined;
    if (next?.kind === "form-submissions")
      void router.navigate({
        to: "/forms/$id/submissions/$submission",
        params: { id: next.place.id, submission: next.id },
        search: { next: order },
        replace: true,
      });
    else if (next)
      void router.navigate({ to: "/inbox", search: { order, open: next.id }, replace: true });
    else if (canGoBack) router.history.back();
    else void router.navigate({ to: "/inbox" });
  };
}

/** Links a person, whom the service then compares with the answers. It can be taken back. */
function useLink(submission: SubmissionRecord, onLinked: () => void) {
  const { t } = useLingui();
  const undo = useUndo();
  const client = useQueryClient();
  /** A write keeps the links of a record in the cache, and this one changes the linked person. */
  const show = (linked: SubmissionRecord) => {
    client.setQueryData(submissionOptions(linked.id).queryKey, linked);
    return linked;
  };
  return useWrite(
    (id: string, { idempotencyKey }) =>
      decideSubmission(submission, { person: id }, idempotencyKey),
    {
      touches: ["form-submissions"],
      onDone: (linked) => {
        onLinked();
        show(linked);
        undo(t`Linked`, ["form-submissions"], async () =>
          show(
            await decideSubmission(
              linked,
              { person: submission.person?.id ?? null },
              newIntent().idempotencyKey,
            ),
          ),
        );
      },
    },
  );
}

/** The decision about a new submission: the person behind it, and what the person takes from the answers. */
export function Decide({
  submission,
  questions,
  onOther,
}: {
  submission: SubmissionRecord;
  questions: readonly Question[];
  /** A colleague has changed the submission in the meantime. */
  onOther: () => void;
}) {
  const { t } = useLingui();
  const leave = useLeave(submission.id);
  const setAside = useSetAside(leave, noticeOther);
  const seesPeople = useHolds("people:read");
  const [isAsking, setAsking] = useState(false);
  /** The colleague's decision takes the place of this card. */
  function noticeOther(failure: VestryError): void {
    if (!isOvertaken(failure)) return;
    setAsking(false);
    onOther();
  }
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set());
  const people = peopleOf(submission);
  const compared = comparedPerson(submission, people);
  const [chosen, setChosen] = useState<Who>();
  const who: Who = chosen ?? (compared ? { id: compared.id, name: compared["full-name"] } : "new");
  const makesPeople = submission.form.actions?.["create-or-match-person"] === true;
  const changes = Object.entries((submission["suggested-changes"] ?? {}) as Record<string, Change>);
  const person = typeof who === "object" ? who : undefined;
  const isCompared = person !== undefined && person.id === compared?.id;

  const link = useLink(submission, () => setAccepted(new Set()));
  const reason = who === "search" ? t`Choose a person first` : undefined;
  usePageActions([
    { id: "accept", label: t`Accept`, run: () => setAsking(reason === undefined) },
    { id: "decline", label: t`Decline`, run: () => setAside.run(submission, "rejected") },
    { id: "spam", label: t`Spam`, run: () => setAside.run(submission, "spam") },
  ]);
  if (mayAct(submission, "process") === false) return null;
  const error = setAside.error ?? link.error;
  return (
    <>
      <Card title={<Trans>Decision</Trans>}>
        {seesPeople && (
          <WhoIsIt
            suggested={people}
            nobody={
              makesPeople ? <Trans>A new person</Trans> : <Trans>No person: keep the answers</Trans>
            }
            value={who}
            onChange={setChosen}
          />
        )}
        {isCompared && changes.length > 0 && (
          <Changes
            changes={changes}
            questions={questions}
            accepted={accepted}
            onAccept={setAccepted}
          />
        )}
        {isCompared && changes.length === 0 && (
          <p className={styles.quiet}>
            <Trans>The record has everything that the answers say.</Trans>
          </p>
        )}
        {person && !isCompared && (
          <div>
            <Button
              busy={link.isPending}
              onClick={() => link.mutate({ values: person.id, intent: newIntent() })}
            >
              <Trans>Link and compare</Trans>
            </Button>
          </div>
        )}
        {error && (
          <p role="alert">
            <FailureWords error={error} />
          </p>
        )}
        <div className={styles.decision}>
          <MenuButton
            trigger={{ iconOnly: true, label: t`More`, icon: <Ellipsis size={18} /> }}
            entries={[
              { id: "spam", label: t`Spam`, onSelect: () => setAside.run(submission, "spam") },
            ]}
          />
          <Button busy={setAside.isPending} onClick={() => setAside.run(submission, "rejected")}>
            <Trans>Decline</Trans>
          </Button>
          <Button kind="filled" reason={reason} onClick={() => setAsking(true)}>
            <Trans>Accept</Trans>
          </Button>
        </div>
      </Card>
      {isAsking && (
        <AcceptDialog
          submission={submission}
          who={who}
          accepted={isCompared ? accepted : new Set()}
          isNew={makesPeople && people.length > 0 && chosen === "new"}
          onAccepted={leave}
          onFail={noticeOther}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** A person of whom the caller sees more than the id. */
const isSeen = <One extends { id: string }>(
  person: One | null,
): person is One & { "full-name": string } => person !== null && "full-name" in person;

/** The linked person first, then those whom the service suggests. */
function peopleOf(submission: SubmissionRecord): Suggested[] {
  const { person, "suggested-people": suggested } = submission;
  const all = [person, ...suggested].filter(isSeen);
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

/** The service compares the answers with the linked person, or else with the first suggestion. */
const comparedPerson = (
  { person }: SubmissionRecord,
  people: readonly Suggested[],
): Suggested | undefined =>
  person
    ? people.find(({ id }) => id === person.id)
    : people.toSorted((one, other) => one.id.localeCompare(other.id))[0];
