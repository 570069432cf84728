import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { WriteDialog } from "../app/write-dialog.tsx";
import {
  deliveryCountOptions,
  type EndpointRecord,
  firstFailureOptions,
  replay,
} from "../data/webhooks.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { Button } from "../ui/button.tsx";
import { now } from "../ui/clock.ts";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { accountTimeZone } from "../ui/format.ts";
import { momentOf, wallOf } from "../ui/moments.ts";
import { Banner } from "../ui/states.tsx";
import styles from "./webhooks.module.css";

/** The service makes no more deliveries at once. */
const AT_ONCE = 10_000;

/** Delivers again everything that failed, for a receiver that was broken. */
export function ReplayButton({ endpoint }: { endpoint: EndpointRecord }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        icon={<RotateCw size={16} />}
        reason={
          endpoint.status === "active" ? undefined : t`Only an active endpoint gets deliveries.`
        }
        onClick={() => setOpen(true)}
      >
        <Trans>Deliver all failed again …</Trans>
      </Button>
      {isOpen && <ReplaySinceFailure endpoint={endpoint} onClose={() => setOpen(false)} />}
    </>
  );
}

type Opened = { endpoint: EndpointRecord; onClose: () => void };

/** The period begins with the first failure, which is looked up when the dialog opens. */
function ReplaySinceFailure({ endpoint, onClose }: Opened) {
  const { data: first } = useQuery(firstFailureOptions(endpoint.id));
  if (first === undefined) return null;
  if (first !== null) return <Replay endpoint={endpoint} first={first} onClose={onClose} />;
  return (
    <Dialog title={<Trans>Deliver all failed again</Trans>} onClose={onClose}>
      <p>
        <Trans>Nothing failed in 30 days.</Trans>
      </p>
      <DialogButtons>
        <Button onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function Replay({ endpoint, first, onClose }: Opened & { first: string }) {
  const { t } = useLingui();
  const zone = accountTimeZone();
  const [openedAt] = useState(() => new Date(now()).toISOString());
  const [since, setSince] = useState(() => wallOf(first, zone));
  const from = since === "" ? first : momentOf(since, zone);
  const { data: count } = useQuery(
    deliveryCountOptions({
      endpoint: endpoint.id,
      outcome: ["failed", "suppressed"],
      kind: "production",
      from,
      to: openedAt,
    }),
  );
  const write = useWrite(
    (_: void, { idempotencyKey }) => replay(endpoint, { from, to: openedAt }, idempotencyKey),
    { touches: ["webhook-deliveries"] },
  );
  const done = write.data;
  const remaining = done?.["remaining-count"] ?? 0;
  const isDone = done !== undefined && remaining === 0;
  return (
    <WriteDialog
      title={<Trans>Deliver all failed again</Trans>}
      action={remaining > 0 ? <Trans>Continue</Trans> : <Trans>Deliver again</Trans>}
      cancel={done ? <Trans>Close</Trans> : undefined}
      reason={isDone ? t`Done` : count === 0 ? t`Nothing failed in this period.` : undefined}
      write={write}
      onAct={() => write.mutate({ values: undefined, intent: newIntent() })}
      onClose={onClose}
    >
      <TextField
        name="since"
        type="datetime-local"
        label={t`Failed since`}
        help={t`At first, the time of the first failure.`}
        value={since}
        onChange={({ currentTarget: { value } }) => setSince(value)}
      />
      {count !== undefined && !done && (
        <p>
          <Plural
            value={count}
            one="# delivery failed or was not sent."
            other="# deliveries failed or were not sent."
          />{" "}
          <Trans>
            Each event is delivered once, unless it has arrived since, is on its way, or its type is
            not chosen any more.
          </Trans>
        </p>
      )}
      {count !== undefined && count > AT_ONCE && !done && (
        <p className={styles.quiet}>
          <Trans>At most 10,000 at once. Continue for the others.</Trans>
        </p>
      )}
      {done && (
        <Banner>
          <Plural
            value={done["created-count"]}
            one="# is delivered again."
            other="# are delivered again."
          />{" "}
          {remaining > 0 && <Plural value={remaining} one="# remains." other="# remain." />}
        </Banner>
      )}
    </WriteDialog>
  );
}
