import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FailureWords } from "../app/problem-words.tsx";
import { decideRequest, joinRequestOptions } from "../data/join-requests.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { Button } from "../ui/button.tsx";
import { Facts } from "../ui/card.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { firstPhone } from "../ui/reach.tsx";
import { Skeleton } from "../ui/states.tsx";
import { Ltr, Time } from "../ui/text.tsx";

/** Accepts or declines a request to join a group. A decision is final. */
export function DecideRequest({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useLingui();
  const { data: request } = useQuery(joinRequestOptions(id));
  const [reason, setReason] = useState<string>();
  const write = useWrite(
    (decision: Parameters<typeof decideRequest>[1], { idempotencyKey }) =>
      decideRequest(request ?? { id }, decision, idempotencyKey),
    {
      touches: ["cell-join-requests", "cell-memberships", "cells", "people"],
      onDone: onClose,
    },
  );
  const decide = (decision: Parameters<typeof decideRequest>[1]) =>
    write.mutate({ values: decision, intent: newIntent() });

  const name = request?.person?.["full-name"] ?? request?.contact?.["full-name"] ?? "";
  const stored = firstPhone(request?.person?.phones);
  const phone = stored?.number ?? request?.contact?.phone;
  const email = request?.person?.email ?? request?.contact?.email;
  return (
    <Dialog title={name ? <bdi>{name}</bdi> : t`Request`} onClose={onClose}>
      {request ? (
        <Facts
          facts={[
            [t`Wants to join`, <bdi key="cell">{request.cell.name}</bdi>],
            [t`Asked`, <Time key="time" moment={request["created-at"]} />],
            [t`Message`, request.message],
            [
              t`Phone`,
              phone && (
                <a key="phone" href={`tel:${phone}`}>
                  <Ltr>{stored?.display ?? phone}</Ltr>
                </a>
              ),
            ],
            [
              t`E-mail`,
              email && (
                <a key="email" href={`mailto:${email}`}>
                  <Ltr>{email}</Ltr>
                </a>
              ),
            ],
          ]}
        />
      ) : (
        <Skeleton height={120} />
      )}
      {reason !== undefined && (
        <TextField
          label={<Trans>Reason, if you want to keep one</Trans>}
          value={reason}
          maxLength={300}
          onChange={({ currentTarget: { value } }) => setReason(value)}
        />
      )}
      {write.error && (
        <p role="alert">
          <FailureWords error={write.error} />
        </p>
      )}
      <DialogButtons>
        {reason !== undefined && (
          <Button onClick={() => setReason(undefined)}>
            <Trans>Back</Trans>
          </Button>
        )}
        <Button
          kind="danger"
          busy={write.isPending}
          onClick={() =>
            reason === undefined
              ? setReason("")
              : decide({ "status": "declined", "decline-reason": reason.trim() || null })
          }
        >
          <Trans>Decline</Trans>
        </Button>
        {reason === undefined && (
          <Button
            kind="filled"
            busy={write.isPending}
            onClick={() => decide({ status: "approved" })}
          >
            <Trans>Accept</Trans>
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}
