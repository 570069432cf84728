import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import type { VestryError } from "@vestry/sdk";
import { FailureWords } from "../app/problem-words.tsx";
import { decideSubmission, type SubmissionRecord, TOUCHED_BY_SUBMISSIONS } from "../data/forms.ts";
import { namesOptions } from "../data/names.ts";
import { newIntent, useWrite } from "../data/write.ts";
import type { Who } from "../joining/who-is-it.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { Banner } from "../ui/states.tsx";
import { toast } from "../ui/toasts.tsx";
import styles from "./forms.module.css";
import { usePersonAttributes } from "./words.ts";

type Acceptance = {
  submission: SubmissionRecord;
  who: Who;
  /** The attributes that the person takes from the answers. */
  accepted: ReadonlySet<string>;
};

/** Asks before a submission is accepted. */
export function AcceptDialog({
  onAccepted,
  onFail,
  onClose,
  ...acceptance
}: Acceptance & {
  onAccepted: () => void;
  onFail: (error: VestryError) => void;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const { submission, who, accepted } = acceptance;
  const accept = useWrite(
    (_: undefined, { idempotencyKey }) =>
      decideSubmission(
        submission,
        {
          status: "processed",
          ...(typeof who === "object" && { "person": who.id }),
          ...(accepted.size > 0 && { "accepted-changes": [...accepted] }),
        },
        idempotencyKey,
      ),
    {
      touches: TOUCHED_BY_SUBMISSIONS,
      onDone: () => {
        toast(t`Accepted`);
        onAccepted();
      },
    },
  );
  return (
    <Dialog title={<Trans>Accept these answers?</Trans>} onClose={onClose} isAlert>
      <Consequences {...acceptance} />
      {accept.error && (
        <Banner tone="bad">
          <FailureWords error={accept.error} />
        </Banner>
      )}
      <DialogButtons>
        <Button onClick={onClose}>
          <Trans>Back</Trans>
        </Button>
        <Button
          kind="filled"
          busy={accept.isPending}
          onClick={() =>
            accept.mutate({ values: undefined, intent: newIntent() }, { onError: onFail })
          }
        >
          <Trans>Accept</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** Shows the effects of accepting a submission before it happens, because it cannot be undone. */
function Consequences({ submission, who, accepted }: Acceptance) {
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
