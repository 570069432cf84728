import { Trans } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { WriteDialog } from "../app/write-dialog.tsx";
import { type EndpointRecord, setUrl } from "../data/webhooks.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { UrlField } from "./url-field.tsx";
import { WaitingEnd } from "./waiting.tsx";

/** Another address, or the same one again. The dialog says what follows, since even the same address replaces the secret. */
export function ChangeUrl({
  endpoint,
  onClose,
}: {
  endpoint: EndpointRecord;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const { id } = endpoint;
  const [url, setValue] = useState(endpoint.url);
  const write = useWrite(
    (next: string, { idempotencyKey }) => setUrl(endpoint, next, idempotencyKey),
    {
      touches: ["webhook-endpoints", "webhook-deliveries", "webhook-endpoint-changes"],
      onDone: () => void navigate({ to: "/webhooks/$id/secret", params: { id } }),
    },
  );
  return (
    <WriteDialog
      title={<Trans>Change the URL</Trans>}
      action={<Trans>Change the URL and get a new secret</Trans>}
      kind="danger"
      write={write}
      onAct={() => write.mutate({ values: url.trim(), intent: newIntent() })}
      onClose={onClose}
      isAlert
    >
      <p>
        <Trans>
          The present secret ends at once, and you get a new one. The service verifies the address
          again, and sends no events before. The same holds if you set the same address again.
        </Trans>
      </p>
      <WaitingEnd endpoint={id} />
      <UrlField
        name="url"
        value={url}
        onChange={({ currentTarget: { value } }) => setValue(value)}
      />
    </WriteDialog>
  );
}
