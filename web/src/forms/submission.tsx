import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { Ellipsis, Trash2 } from "lucide-react";
import { useState } from "react";
import { Failure } from "../app/failure.tsx";
import { mayAct } from "../app/may.ts";
import { nameInAnswers, type Question } from "../data/form-answers.ts";
import {
  formVersionOptions,
  questionsOf,
  submissionOptions,
  type SubmissionRecord,
} from "../data/forms.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Card, Facts } from "../ui/card.tsx";
import { Chip } from "../ui/chip.tsx";
import { Page } from "../ui/page.tsx";
import { MenuButton } from "../ui/popover.tsx";
import { Banner, Skeleton } from "../ui/states.tsx";
import { Time } from "../ui/text.tsx";
import { Answer } from "./answer.tsx";
import { Decide } from "./decide.tsx";
import { DeleteSubmissions } from "./decide-together.tsx";
import { Decided } from "./decided.tsx";
import styles from "./forms.module.css";
import { submissionStatuses, useSources } from "./words.ts";

const route = getRouteApi("/frame/forms/$id/submissions/$submission");

/** From this score on, the service takes a submission for spam. */
const SUSPICIOUS = 50;

/** What somebody sent: the answers, the person behind it, and the decision. */
export function Submission() {
  const { submission } = route.useParams();
  return <OneSubmission key={submission} />;
}

function OneSubmission() {
  const { t, i18n } = useLingui();
  const { id: formId, submission: id } = route.useParams();
  const { data: submission, error, refetch } = useQuery(submissionOptions(id));
  const [isOther, setOther] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const router = useRouter();
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
      actions={
        mayAct(submission, "delete") !== false && (
          <MenuButton
            trigger={{ iconOnly: true, label: t`More about ${name}`, icon: <Ellipsis size={18} /> }}
            entries={[
              {
                id: "delete",
                label: t`Delete …`,
                icon: <Trash2 size={16} />,
                isDanger: true,
                onSelect: () => setDeleting(true),
              },
            ]}
          />
        )
      }
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
      {isDeleting && (
        <DeleteSubmissions
          idsOf={() => Promise.resolve([id])}
          count={1}
          onDone={() =>
            router.navigate({
              to: "/forms/$id",
              params: { id: formId },
              search: { tab: "submissions" },
              replace: true,
            })
          }
          onClose={() => setDeleting(false)}
        />
      )}
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

function Answers({
  submission,
  questions,
}: {
  submission: SubmissionRecord;
  questions: readonly Question[];
}) {
  const { t } = useLingui();
  const { answers, source, consent } = submission;
  const sources = useSources();
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
