import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useCanGoBack, useRouter } from "@tanstack/react-router";
import type { VestryError } from "@vestry/sdk";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { Failure } from "../app/failure.tsx";
import { mayAct, useHolds } from "../app/may.ts";
import { usePageActions } from "../app/page-actions.ts";
import { FailureWords } from "../app/problem-words.tsx";
import { useUndo } from "../app/undo.tsx";
import { nameInAnswers, type Question } from "../data/form-answers.ts";
import {
  decideSubmission,
  formVersionOptions,
  questionsOf,
  submissionOptions,
  type SubmissionRecord,
  TOUCHED_BY_SUBMISSIONS,
} from "../data/forms.ts";
import { namesOptions } from "../data/names.ts";
import { isOvertaken, newIntent, useWrite } from "../data/write.ts";
import { useSetAside } from "../joining/queue-lines.tsx";
import { type Suggested, type Who, WhoIsIt } from "../joining/who-is-it.tsx";
import { useCellWords } from "../records/cell-words.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Card, Facts } from "../ui/card.tsx";
import { Chip } from "../ui/chip.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { CheckField } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { MenuButton } from "../ui/popover.tsx";
import { Banner, Skeleton } from "../ui/states.tsx";
import { Time } from "../ui/text.tsx";
import { toast } from "../ui/toasts.tsx";
import { Answer } from "./answer.tsx";
import styles from "./forms.module.css";
import { submissionStatuses, usePersonAttributes } from "./words.ts";

const route = getRouteApi("/frame/forms/$id/submissions/$submission");

type WithRights = SubmissionRecord & { $meta?: object };
type Change = { from: unknown; to: unknown };

/** From this score on, the service takes a submission for spam. */
const SUSPICIOUS = 50;

/** What somebody sent: the answers, the person behind it, and the decision. */
export function Submission() {
  const { t, i18n } = useLingui();
  const { id: formId, submission: id } = route.useParams();
  const { data: submission, error, refetch } = useQuery(submissionOptions(id));
  const [isOther, setOther] = useState(false);
  const form = submission?.form;
  const isOld = form !== undefined && form.version !== submission?.["form-version"];
  const old = useQuery({
    ...formVersionOptions(formId, submission?.["form-version"] ?? 0),
    enabled: isOld,
  });
  const questions = form && (isOld && old.data ? questionsOf(old.data) : questionsOf(form));
  const name =
    (submission && questions && nameInAnswers(questions, submission.answers)) || t`Without a name`;
  return (
    <Page
      title={<bdi>{name}</bdi>}
      documentTitle={t`${name} · Forms`}
      back={{
        to: "/forms/$id",
        params: { id: formId },
        label: t`Back to the form`,
      }}
      face={<Avatar name={name} size={48} />}
      beneath={
        submission &&
        form && (
          <>
            <Link to="/forms/$id" params={{ id: formId }}>
              <bdi>{form.name}</bdi>
            </Link>{" "}
            · <Time moment={submission["submitted-at"]} />{" "}
            {submission.status !== "new" && (
              <Chip>{i18n._(submissionStatuses[submission.status])}</Chip>
            )}
            {submission.status === "new" && submission["spam-score"] >= SUSPICIOUS && (
              <Chip tone="warn">
                <Trans>Perhaps spam</Trans>
              </Chip>
            )}
          </>
        )
      }
    >
      {error && !submission && <Failure error={error} onRetry={() => void refetch()} />}
      {!submission && !error && <Skeleton height={240} />}
      {isOther && submission && (
        <Banner>
          {submission.status === "new" ? (
            <Trans>
              A colleague has changed this in the meantime. Look again before you decide.
            </Trans>
          ) : (
            <Trans>
              A colleague has decided this in the meantime. Your decision was not saved.
            </Trans>
          )}
        </Banner>
      )}
      {submission && questions && (
        <div className={styles.columns}>
          <div className={styles.column}>
            <Answers submission={submission} questions={questions} />
          </div>
          <div className={styles.column}>
            {submission.status === "new" ? (
              <Decide
                key={submission.id}
                submission={submission}
                questions={questions}
                onOther={() => setOther(true)}
              />
            ) : (
              <Decided submission={submission} />
            )}
          </div>
        </div>
      )}
    </Page>
  );
}

const SOURCES = ["public", "staff", "member", "import"] as const;

function Answers({
  submission,
  questions,
}: {
  submission: SubmissionRecord;
  questions: readonly Question[];
}) {
  const { t } = useLingui();
  const { answers, source, consent } = submission;
  const sources: Record<(typeof SOURCES)[number], string> = {
    public: t`by a visitor`,
    staff: t`from paper, by staff`,
    member: t`by a person with a log-in`,
    import: t`by an import`,
  };
  const given = consent as { "granted-at"?: string } | null;
  const asked = questions.filter(({ key }) => key in answers);
  return (
    <Card title={<Trans>Answers</Trans>}>
      {asked.length === 0 && (
        <p>
          <Trans>Nothing was answered.</Trans>
        </p>
      )}
      <Facts
        facts={[
          ...asked.map(
            (question) =>
              [
                <bdi key={question.key}>{question.label}</bdi>,
                <Answer key="value" question={question} value={answers[question.key]} />,
              ] as const,
          ),
          [t`Sent`, sources[source]],
          [
            t`Agreed to the privacy notice`,
            given?.["granted-at"] && <Time moment={given["granted-at"]} />,
          ],
          [t`E-mail address`, submission["is-confirmed"] ? t`confirmed` : null],
        ]}
      />
    </Card>
  );
}

/** Returns to where the reader came from: the queue, the home page or the form. */
function useLeave() {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  return () => {
    if (canGoBack) router.history.back();
    else void router.navigate({ to: "/inbox" });
  };
}

function Decide({
  submission,
  questions,
  onOther,
}: {
  submission: WithRights;
  questions: readonly Question[];
  /** A colleague has changed the submission in the meantime. */
  onOther: () => void;
}) {
  const { t } = useLingui();
  const undo = useUndo();
  const leave = useLeave();
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

  const client = useQueryClient();
  /** A write keeps the links of a record in the cache, and this one changes the linked person. */
  const show = (linked: SubmissionRecord) => {
    client.setQueryData(submissionOptions(linked.id).queryKey, linked);
    return linked;
  };
  const link = useWrite(
    (id: string, { idempotencyKey }) =>
      decideSubmission(submission, { person: id }, idempotencyKey),
    {
      touches: ["form-submissions"],
      onDone: (linked) => {
        setAccepted(new Set());
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
  const accept = useWrite(
    (_: undefined, { idempotencyKey }) =>
      decideSubmission(
        submission,
        {
          status: "processed",
          ...(person && { "person": person.id }),
          ...(isCompared && accepted.size > 0 && { "accepted-changes": [...accepted] }),
        },
        idempotencyKey,
      ),
    {
      touches: TOUCHED_BY_SUBMISSIONS,
      onDone: () => {
        toast(t`Accepted`);
        leave();
      },
    },
  );
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
        <Dialog
          title={<Trans>Accept these answers?</Trans>}
          onClose={() => {
            accept.reset();
            setAsking(false);
          }}
          isAlert
        >
          <Consequences
            submission={submission}
            who={who}
            accepted={isCompared ? accepted : new Set()}
          />
          {accept.error && (
            <Banner tone="bad">
              <FailureWords error={accept.error} />
            </Banner>
          )}
          <DialogButtons>
            <Button
              onClick={() => {
                accept.reset();
                setAsking(false);
              }}
            >
              <Trans>Back</Trans>
            </Button>
            <Button
              kind="filled"
              busy={accept.isPending}
              onClick={() =>
                accept.mutate({ values: undefined, intent: newIntent() }, { onError: noticeOther })
              }
            >
              <Trans>Accept</Trans>
            </Button>
          </DialogButtons>
        </Dialog>
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

/** What the answers would change at the person. Nothing is changed without a tick. */
function Changes({
  changes,
  questions,
  accepted,
  onAccept,
}: {
  changes: readonly (readonly [attribute: string, change: Change])[];
  questions: readonly Question[];
  accepted: ReadonlySet<string>;
  onAccept: (accepted: ReadonlySet<string>) => void;
}) {
  const { wordOf } = usePersonAttributes();
  const mayChange = useHolds("people:write");
  return (
    <fieldset className={styles.changes}>
      <legend>
        {mayChange ? (
          <Trans>Change at the person</Trans>
        ) : (
          <Trans>Differs from the record of the person</Trans>
        )}
      </legend>
      {changes.map(([attribute, { from, to }]) => {
        const question = questions.find((one) => one["maps-to"] === attribute);
        const words = (
          <>
            <small>{wordOf(attribute)}</small>
            <span>
              {from !== null && from !== undefined && (
                <>
                  <del>
                    <Answer question={question && { ...question, type: "text" }} value={from} />
                  </del>{" "}
                </>
              )}
              <Answer question={question && { ...question, type: "text" }} value={to} />
            </span>
          </>
        );
        return mayChange ? (
          <CheckField
            key={attribute}
            label={<span className={styles.change}>{words}</span>}
            checked={accepted.has(attribute)}
            onChange={({ currentTarget: { checked } }) =>
              onAccept(
                new Set(
                  checked
                    ? [...accepted, attribute]
                    : [...accepted].filter((one) => one !== attribute),
                ),
              )
            }
          />
        ) : (
          <p key={attribute} className={styles.change}>
            {words}
          </p>
        );
      })}
    </fieldset>
  );
}

/** What happens when the submission is accepted, before it happens: there is no way back. */
function Consequences({
  submission,
  who,
  accepted,
}: {
  submission: SubmissionRecord;
  who: Who;
  accepted: ReadonlySet<string>;
}) {
  const { wordOf } = usePersonAttributes();
  const { actions = {} } = submission.form;
  const [cell, courseClass] = [actions["add-to-cell"] ?? null, actions["enroll-in-class"] ?? null];
  const cells = useQuery({ ...namesOptions("cells", [cell ?? ""]), enabled: cell !== null });
  const classes = useQuery({
    ...namesOptions("course-classes", [courseClass ?? ""]),
    enabled: courseClass !== null,
  });
  const changed = [...accepted].map(wordOf).join(", ");
  const person = typeof who === "object" ? who.name : "";
  return (
    <ul className={styles.consequences}>
      <li>
        {typeof who === "object" ? (
          <Trans>
            It is linked to <bdi>{person}</bdi>.
          </Trans>
        ) : actions["create-or-match-person"] ? (
          <Trans>A new person is added with these answers.</Trans>
        ) : (
          <Trans>The answers are kept, and no person is linked.</Trans>
        )}
      </li>
      {accepted.size > 0 && (
        <li>
          <Trans>Changed at the person: {changed}.</Trans>
        </li>
      )}
      {cell !== null && (
        <li>
          <Trans>
            The person joins <bdi>{cells.data?.[0]?.name ?? "…"}</bdi>.
          </Trans>
        </li>
      )}
      {courseClass !== null && (
        <li>
          <Trans>
            The person is enrolled in <bdi>{classes.data?.[0]?.name ?? "…"}</bdi>.
          </Trans>
        </li>
      )}
      <li>
        <Trans>This cannot be taken back.</Trans>
      </li>
    </ul>
  );
}

/** What became of a submission, and the ways on from there. */
function Decided({ submission }: { submission: WithRights }) {
  const { t, i18n } = useLingui();
  const { one: cellWord } = useCellWords();
  const undo = useUndo();
  const { status, results, person, "reviewed-by": reviewer } = submission;
  const write = useWrite(
    (next: "new" | "archived", { idempotencyKey }) =>
      decideSubmission(submission, { status: next }, idempotencyKey),
    {
      touches: ["form-submissions", "forms"],
      onDone: (written, next) => {
        if (next === "archived") toast(t`Archived`);
        else if (status === "spam" || status === "rejected")
          undo(t`Waits for a decision again`, ["form-submissions", "forms"], () =>
            decideSubmission(written, { status }, newIntent().idempotencyKey),
          );
      },
    },
  );
  const isWritable = mayAct(submission, "archive") !== false;
  return (
    <Card title={i18n._(submissionStatuses[status])}>
      <Facts
        facts={[
          [t`Decided by`, reviewer?.["full-name"] && <bdi>{reviewer["full-name"]}</bdi>],
          [
            results?.["person-created"] ? t`New person` : t`Person`,
            person?.["full-name"] && (
              <Link to="/people/$id" params={{ id: person.id }}>
                <bdi>{person["full-name"]}</bdi>
              </Link>
            ),
          ],
          [cellWord, results?.["cell-membership"] && t`joined`],
          [t`Class`, results?.["course-enrollment"] && t`enrolled`],
        ]}
      />
      {write.error && (
        <p role="alert">
          <FailureWords error={write.error} />
        </p>
      )}
      {isWritable && status !== "archived" && (
        <div className={styles.buttons}>
          {(status === "spam" || status === "rejected") && (
            <Button
              busy={write.isPending}
              onClick={() => write.mutate({ values: "new", intent: newIntent() })}
            >
              <Trans>Decide again</Trans>
            </Button>
          )}
          <Button
            kind="quiet"
            busy={write.isPending}
            onClick={() => write.mutate({ values: "archived", intent: newIntent() })}
          >
            <Trans>Archive</Trans>
          </Button>
        </div>
      )}
    </Card>
  );
}
