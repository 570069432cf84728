import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { mayAct } from "../app/may.ts";
import { FailureWords } from "../app/problem-words.tsx";
import { useUndo } from "../app/undo.tsx";
import { decideSubmission, type SubmissionRecord } from "../data/forms.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { useCellWords } from "../records/cell-words.ts";
import { Button } from "../ui/button.tsx";
import { Card, Facts } from "../ui/card.tsx";
import { toast } from "../ui/toasts.tsx";
import styles from "./forms.module.css";
import { submissionStatuses } from "./words.ts";

/** The decision about a submission, and the links that lead on from there. */
export function Decided({ submission }: { submission: SubmissionRecord }) {
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
