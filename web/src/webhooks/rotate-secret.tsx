import { Trans, useLingui } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { WriteDialog } from "../app/write-dialog.tsx";
import { type EndpointRecord, rotateSecret } from "../data/webhooks.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { formatMoment } from "../ui/format.ts";

/** A new secret, beside the present one for 48 hours. */
export function RotateSecret({
  endpoint,
  onClose,
}: {
  endpoint: EndpointRecord;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { id } = endpoint;
  const until = endpoint["previous-secret-valid-until"];
  const write = useWrite((_: void, { idempotencyKey }) => rotateSecret(endpoint, idempotencyKey), {
    touches: ["webhook-endpoints", "webhook-endpoint-changes"],
    onDone: () => void navigate({ to: "/webhooks/$id/secret", params: { id } }),
  });
  return (
    <WriteDialog
      title={<Trans>Rotate the secret?</Trans>}
      action={<Trans>Rotate</Trans>}
      reason={until ? t`Two secrets are valid until ${formatMoment(until)}.` : undefined}
      write={write}
      onAct={() => write.mutate({ values: undefined, intent: newIntent() })}
      onClose={onClose}
      isAlert
    >
      <p>
        <Trans>
          You get a new secret. For 48 hours, each message has two signatures, so the receiver can
          verify with the old or the new secret. After that, only the new one counts.
        </Trans>
      </p>
      {until && (
        <p>
          <Trans>
            The last rotation is not over: two secrets are valid until {formatMoment(until)}. To
            replace the secret at once, set the URL again.
          </Trans>
        </p>
      )}
    </WriteDialog>
  );
}
