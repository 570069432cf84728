import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { WriteDialog } from "../app/write-dialog.tsx";
import { markStale } from "../data/cache.ts";
import { keys } from "../data/keys.ts";
import { deleteEndpoint, type EndpointRecord } from "../data/webhooks.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { WaitingEnd } from "./waiting.tsx";

export function DeleteEndpoint({
  endpoint,
  onClose,
}: {
  endpoint: EndpointRecord;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const write = useWrite(() => deleteEndpoint(endpoint), {
    touches: [],
    onDone: () =>
      void navigate({ to: "/webhooks" }).then(() => {
        client.removeQueries({ queryKey: keys.one("webhook-endpoints", endpoint.id) });
        markStale(client, ["webhook-endpoints", "webhook-deliveries"]);
      }),
  });
  return (
    <WriteDialog
      title={<Trans>Delete this endpoint?</Trans>}
      action={<Trans>Delete for good</Trans>}
      kind="danger"
      write={write}
      onAct={() => write.mutate({ values: undefined, intent: newIntent() })}
      onClose={onClose}
    >
      <p>
        <Trans>
          It gets no more events, and its secret is erased. What was sent to it stays in the history
          for 30 days.
        </Trans>
      </p>
      <WaitingEnd endpoint={endpoint.id} />
    </WriteDialog>
  );
}
