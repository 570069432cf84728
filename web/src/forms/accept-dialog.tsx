import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { FormSubmissionChanges, VestryError } from "@vestry/sdk";
import { FailureWords } from "../app/problem-words.tsx";
import { decideSubmission, type SubmissionRecord, TOUCHED_BY_SUBMISSIONS } from "../data/forms.ts";
import { namesOptions } from "../data/names.ts";
import { peopleNamesOptions } from "../data/people-search.ts";
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
  /** The reader saw the people who look the same, and decided for a new one. */
  isNew: boolean;
};

type Choice = Pick<FormSubmissionChanges, "person" | "create-person">;

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
  const { submission, who, accepted, isNew } = acceptance;
  const accept = useWrite(
    (choice: Choice, { idempotencyKey }) =>
      decideSubmission(
        submission,
        {
          status: "processed",
          ...(typeof who === "object" && { "person": who.id }),
          ...(accepted.size > 0 && { "accepted-changes": [...accepted] }),
          ...choice,
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
  const run = (choice: Choice) =>
    accept.mutate({ values: choice, intent: newIntent() }, { onError: onFail });
  const found = accept.error?.code === "person-found" ? accept.error.meta["person"] : undefined;
  if (typeof found === "string")
    return <FoundDialog id={found} isBusy={accept.isPending} onChoose={run} onClose={onClose} />;
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
          onClick={() => run(isNew ? { "create-person": true } : {})}
        >
          <Trans>Accept</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** The service found the sender at the last moment: another form, or a colleague, made the person meanwhile. */
function FoundDialog({
  id,
  isBusy,
  onChoose,
  onClose,
}: {
  id: string;
  isBusy: boolean;
  onChoose: (choice: Choice) => void;
  onClose: () => void;
}) {
  const { data } = useQuery(peopleNamesOptions([id]));
  const name = data?.get(id) ?? "…";
  return (
    <Dialog title={<Trans>Is it this person?</Trans>} onClose={onClose} isAlert>
      <p>
        <Trans>
          <Link to="/people/$id" params={{ id }}>
            <bdi>{name}</bdi>
          </Link>{" "}
          has the same address, number or birthday.
        </Trans>
      </p>
      <DialogButtons>
        <Button onClick={onClose}>
          <Trans>Back</Trans>
        </Button>
        <Button busy={isBusy} onClick={() => onChoose({ "create-person": true })}>
          <Trans>Add a new person</Trans>
        </Button>
        <Button kind="filled" busy={isBusy} onClick={() => onChoose({ person: id })}>
          <Trans>Link this person</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** Shows the effects of accepting a submission before it happens, because it cannot be undone. */
function Consequences({ submission, who, accepted }: Omit<Acceptance, "isNew">) {
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
