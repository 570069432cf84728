import { Trans, useLingui } from "@lingui/react/macro";
import { VestryError } from "@vestry/sdk";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";
import { useCountdown } from "./countdown.ts";
import styles from "./attempt.module.css";
import { FailureWords } from "./problem-words.tsx";
import { waitOf } from "./wait.ts";

type Attempt = ReturnType<typeof useAttempt>;

/** One press of a button at a time, its failure, and the seconds to wait after too many. */
export function useAttempt() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<VestryError>();
  const [wait, startWaiting] = useCountdown();
  return {
    isBusy,
    error,
    wait,
    reset: () => setError(undefined),
    run: (event: { preventDefault: () => void }, act: () => Promise<void>) => {
      event.preventDefault();
      if (isBusy || wait > 0) return;
      setBusy(true);
      setError(undefined);
      act()
        .catch((failure: unknown) => {
          if (!(failure instanceof VestryError)) throw failure;
          setError(failure);
          if (failure.status === 429) startWaiting(failure.retryAfter ?? 30);
        })
        .finally(() => setBusy(false));
    },
  };
}

export function SubmitButton({
  attempt,
  kind = "filled",
  children,
}: {
  attempt: Attempt;
  kind?: "plain" | "filled";
  children: ReactNode;
}) {
  const { t } = useLingui();
  const { isBusy, wait } = attempt;
  const { count, unit } = waitOf(wait);
  return (
    <Button
      kind={kind}
      type="submit"
      busy={isBusy}
      reason={wait > 0 ? t`Wait until the time is over.` : undefined}
    >
      {wait === 0 ? (
        children
      ) : unit === "minute" ? (
        <Trans>Try again in {count} min</Trans>
      ) : (
        <Trans>Try again in {count} s</Trans>
      )}
    </Button>
  );
}

/** One sentence under the form, which takes the focus. */
export function FormFailure({ error }: { error: VestryError | undefined }) {
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => sentence.current?.focus(), [error]);
  if (error === undefined) return null;
  return (
    <p className={styles.failure} role="alert" tabIndex={-1} ref={sentence}>
      <FailureWords error={error} />
    </p>
  );
}
