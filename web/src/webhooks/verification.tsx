import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { FailureBanner } from "../app/problem-words.tsx";
import { type EndpointRecord, remainingIn, verifyEndpoint } from "../data/webhooks.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { formatMoment } from "../ui/format.ts";
import { Stepper } from "../ui/stepper.tsx";
import { Due } from "./due.tsx";
import { FailureSentence } from "./failure-sentence.tsx";
import styles from "./webhooks.module.css";

/** The way from a new address to an active endpoint: the challenge, the answer of the receiver, and the end. */
export function Verification({ endpoint }: { endpoint: EndpointRecord }) {
  const { t } = useLingui();
  const [remaining, setRemaining] = useState<number>();
  const write = useWrite(
    (_: void, { idempotencyKey }) => verifyEndpoint(endpoint, idempotencyKey),
    {
      touches: ["webhook-endpoints", "webhook-deliveries", "webhook-endpoint-changes"],
      onDone: (made) => setRemaining(remainingIn(made)),
    },
  );
  const verification = endpoint.verification ?? undefined;
  const isUnderWay = verification?.status === "pending";
  const code = verification?.["last-error-code"];
  const next = verification?.["next-attempt-at"];
  const done = t`done`;
  const [sent, answered] = [
    verification === undefined ? "later" : "done",
    verification === undefined ? "later" : isUnderWay ? "now" : "failed",
  ] as const;
  const words = { done, now: t`under way`, failed: t`failed`, later: t`not yet` };
  return (
    <Card title={<Trans>Verification</Trans>}>
      <p className={styles.quiet}>
        <Trans>
          Before it sends events, the service asks the receiver to repeat a challenge. The receiver
          needs its secret for this.
        </Trans>
      </p>
      <Stepper
        label={t`Verification`}
        steps={[
          { id: "sent", title: t`The service sends a challenge`, state: sent, words: words[sent] },
          {
            id: "answered",
            title: t`The receiver repeats it`,
            state: answered,
            words: words[answered],
            detail: (
              <>
                {code && <FailureSentence code={code} />}{" "}
                {isUnderWay && next && <Due moment={next} />}{" "}
                {isUnderWay && verification && (
                  <Trans>This ends at {formatMoment(verification["expires-at"], "time")}.</Trans>
                )}
                {verification?.status === "expired" && <Trans>The time ended.</Trans>}
              </>
            ),
          },
          { id: "active", title: t`The endpoint gets events`, state: "later", words: words.later },
        ]}
      />
      <FailureBanner error={write.error} />
      <div className={styles.bar}>
        <Button
          busy={write.isPending}
          onClick={() => write.mutate({ values: undefined, intent: newIntent() })}
        >
          <Trans>Verify again</Trans>
        </Button>
        {remaining !== undefined && (
          <span className={styles.quiet} role="status">
            <Plural
              value={remaining}
              one="# more is possible this hour."
              other="# more are possible this hour."
            />
          </span>
        )}
      </div>
    </Card>
  );
}
