import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useHolds } from "../app/may.ts";
import { FailureWords } from "../app/problem-words.tsx";
import {
  type Decision,
  decideRequest,
  requestOptions,
  type RequestType,
} from "../data/join-requests.ts";
import { similarPeopleOptions } from "../data/people-search.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { Button } from "../ui/button.tsx";
import { Facts } from "../ui/card.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { firstPhone } from "../ui/reach-links.ts";
import { Skeleton } from "../ui/states.tsx";
import { toast } from "../ui/toasts.tsx";
import { Ltr, Time } from "../ui/text.tsx";
import { type Who, WhoIsIt } from "./who-is-it.tsx";

/** Says where an accepted person is now, with the way there. */
function useSayAccepted() {
  const { t } = useLingui();
  return (
    type: RequestType,
    { id, name, "full-name": fullName = name }: { id?: string; name: string; "full-name"?: string },
    place: { id: string; name?: string },
  ) => {
    const isGroup = type === "cell-join-requests";
    const { name: placeName = "" } = place;
    toast(
      isGroup ? t`${fullName} is now in ${placeName}` : t`${fullName} is accepted in ${placeName}`,
      undefined,
      [
        ...(id === undefined
          ? []
          : [{ label: t`See the person`, to: "/people/$id", params: { id } } as const]),
        ...(isGroup
          ? [{ label: t`See the group`, to: "/cells/$id", params: { id: place.id } } as const]
          : []),
      ],
    );
  };
}

/** Accepts or declines a request to join a group or to enroll in a class. A decision is final. */
export function DecideRequest({
  type,
  id,
  onClose,
}: {
  type: RequestType;
  id: string;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const { data: request } = useQuery(requestOptions(type, id));
  const [reason, setReason] = useState<string>();
  const [chosen, setChosen] = useState<Who>();
  const sayAccepted = useSayAccepted();
  const seesPeople = useHolds("people:read");
  const contact = request?.contact;
  const { data: similar = [] } = useQuery({
    ...similarPeopleOptions({
      name: contact?.["full-name"] ?? "",
      phone: contact?.phone ?? "",
      email: contact?.email ?? "",
    }),
    enabled: seesPeople && !request?.person && contact !== undefined && contact !== null,
  });
  const write = useWrite(
    (decision: Decision, { idempotencyKey }) =>
      decideRequest(type, request ?? { id }, decision, idempotencyKey),
    {
      touches: [type, "cell-memberships", "cells", "course-enrollments", "people"],
      onDone: ({ person }, { status }) => {
        onClose();
        if (status === "approved" && request?.place)
          sayAccepted(type, { name, ...person }, request.place);
      },
    },
  );
  const decide = (decision: Decision) => write.mutate({ values: decision, intent: newIntent() });

  const name = request?.person?.["full-name"] ?? contact?.["full-name"] ?? "";
  const stored = firstPhone(request?.person?.phones);
  const phone = stored?.number ?? contact?.phone;
  const email = request?.person?.email ?? contact?.email;
  const who: Who = chosen ?? "new";
  return (
    <Dialog title={name ? <bdi>{name}</bdi> : t`Request`} onClose={onClose}>
      {request ? (
        <Facts
          facts={[
            [
              type === "cell-join-requests" ? t`Wants to join` : t`Wants to enroll in`,
              <bdi key="place">{request.place?.name}</bdi>,
            ],
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
      {request && !request.person && seesPeople && reason === undefined && (
        <WhoIsIt
          suggested={similar}
          nobody={<Trans>A new person</Trans>}
          value={who}
          onChange={setChosen}
        />
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
            reason={who === "search" ? t`Choose a person first` : undefined}
            onClick={() =>
              decide({
                status: "approved",
                ...(typeof who === "object" && { person: who.id }),
              })
            }
          >
            <Trans>Accept</Trans>
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}
