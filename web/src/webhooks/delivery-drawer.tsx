import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { VestryError, type WebhookDeliveryAttempt } from "@vestry/sdk";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { Failure } from "../app/failure.tsx";
import { FailureBanner } from "../app/problem-words.tsx";
import { useSession } from "../app/session.tsx";
import { peopleNamesOptions } from "../data/people-search.ts";
import { curlOf, messageOf } from "../data/webhook-message.ts";
import {
  chainOptions,
  type DeliveryRecord,
  deliveryOptions,
  endpointOptions,
  eventOptions,
  type EventRecord,
  redeliver,
  remainingIn,
} from "../data/webhooks.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { Button } from "../ui/button.tsx";
import { Facts } from "../ui/card.tsx";
import { now } from "../ui/clock.ts";
import { Code, Json } from "../ui/code.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatMoment, formatNumber } from "../ui/format.ts";
import { EmptyState, Skeleton } from "../ui/states.tsx";
import { Ltr, Time } from "../ui/text.tsx";
import { toast } from "../ui/toasts.tsx";
import { Due } from "./due.tsx";
import { FailureSentence } from "./failure-sentence.tsx";
import { OutcomeChip } from "./outcome-chip.tsx";
import { type Obstacle, obstacleTo } from "./rules.ts";
import styles from "./webhooks.module.css";
import { kindWords, stateWords, suppressionWords } from "./words.ts";

type ToDelivery = (delivery: string) => LinkProps;

/** One delivery over its list. The answer of the receiver stands first, since people come for it. */
export function DeliveryDrawer({
  id,
  onClose,
  linkTo,
}: {
  id: string;
  onClose: () => void;
  linkTo: ToDelivery;
}) {
  const { i18n } = useLingui();
  const { data: delivery, error, refetch } = useQuery(deliveryOptions(id));
  const title =
    delivery === undefined ? (
      <Trans>Delivery</Trans>
    ) : delivery.kind === "production" ? (
      <Ltr>{delivery["event-type"]}</Ltr>
    ) : (
      i18n._(kindWords[delivery.kind])
    );
  const isGone = error instanceof VestryError && error.status === 404;
  return (
    <Dialog title={title} onClose={onClose} isDrawer>
      {isGone && (
        <EmptyState title={<Trans>This delivery is gone</Trans>}>
          <Trans>
            A delivery is kept for 30 days. It goes earlier when the person whom its event is about
            is deleted.
          </Trans>
        </EmptyState>
      )}
      {error && !isGone && !delivery && <Failure error={error} onRetry={() => void refetch()} />}
      {!delivery && !error && <Skeleton height={400} />}
      {delivery && !isGone && <Content key={id} delivery={delivery} linkTo={linkTo} />}
    </Dialog>
  );
}

function Content({ delivery, linkTo }: { delivery: DeliveryRecord; linkTo: ToDelivery }) {
  const attempts = delivery.attempts ?? [];
  const finished = attempts.find(({ state }) => state !== "started");
  const { data: event } = useQuery(eventOptions(delivery.event?.id));
  return (
    <>
      <Answer attempt={finished} />
      <State delivery={delivery} linkTo={linkTo} />
      <Attempts attempts={attempts} />
      {delivery.kind === "production" ? (
        event && <Message delivery={delivery} event={event} attempt={finished} />
      ) : (
        <section className={styles.section}>
          <h3>
            <Trans>Message</Trans>
          </h3>
          <p className={styles.quiet}>
            <Trans>It has no data of your church.</Trans>
          </p>
        </section>
      )}
      {delivery.kind === "production" && event === null && (
        <p className={styles.quiet}>
          <Trans>The event is gone, because the person whom it was about was deleted.</Trans>
        </p>
      )}
      {event && <About event={event} />}
      <Chain delivery={delivery} linkTo={linkTo} />
    </>
  );
}

function Answer({ attempt }: { attempt: WebhookDeliveryAttempt | undefined }) {
  const { t } = useLingui();
  if (attempt === undefined)
    return (
      <p className={styles.quiet}>
        <Trans>Nothing was sent yet, so there is no answer.</Trans>
      </p>
    );
  const status = attempt["http-status"];
  const ms = attempt["duration-ms"];
  const answer = attempt.answer;
  return (
    <section className={styles.section}>
      <h3>
        <Trans>The receiver's answer</Trans>
      </h3>
      <p>
        <span className={styles.figure} dir="ltr">
          {status ?? attempt["error-code"] ?? "–"}
        </span>{" "}
        <span className={styles.quiet}>
          {ms !== null && ms !== undefined && <Trans>after {formatNumber(ms)} ms</Trans>}{" "}
          <Time moment={attempt["started-at"]} />
        </span>
      </p>
      {answer ? (
        <Code label={t`Start of the answer`}>{answer}</Code>
      ) : (
        <p className={styles.quiet}>
          {status === null || status === undefined ? (
            <Trans>There was no answer.</Trans>
          ) : (
            <Trans>The answer had no text.</Trans>
          )}
        </p>
      )}
      {attempt["error-code"] && (
        <p>
          <FailureSentence code={attempt["error-code"]} message={attempt["error-message"]} />
        </p>
      )}
    </section>
  );
}

function useObstacles(): Readonly<Record<Obstacle, string>> {
  const { t } = useLingui();
  return {
    kind: t`Only events are delivered again. Send a new test instead.`,
    state: t`Only what failed or was not sent is delivered again.`,
    endpoint: t`The endpoint was deleted.`,
    unverified: t`Verify the endpoint first.`,
    paused: t`Resume the endpoint first.`,
    unsubscribed: t`The endpoint does not get events of this type.`,
  };
}

function State({ delivery, linkTo }: { delivery: DeliveryRecord; linkTo: ToDelivery }) {
  const { t, i18n } = useLingui();
  const { data: endpoint, error } = useQuery(endpointOptions(delivery.endpoint?.id ?? ""));
  const isDeleted = error instanceof VestryError && error.status === 404;
  const words = useObstacles();
  const obstacle =
    endpoint === undefined && !isDeleted
      ? undefined
      : obstacleTo(delivery, isDeleted ? null : (endpoint ?? null));
  const [next, setNext] = useState<{ id: string; remaining: number | undefined }>();
  const write = useWrite((_: void, { idempotencyKey }) => redeliver(delivery.id, idempotencyKey), {
    touches: ["webhook-deliveries"],
    onDone: (made) => {
      setNext({ id: made.id, remaining: remainingIn(made) });
      toast(t`It is delivered again`);
    },
  });
  const reason = delivery["suppression-reason"];
  const due = delivery["next-attempt-at"];
  return (
    <section className={styles.section}>
      <div className={styles.bar}>
        <OutcomeChip status={delivery.status} />
        <Button
          icon={<RotateCw size={16} />}
          busy={write.isPending}
          reason={obstacle && words[obstacle]}
          onClick={() => write.mutate({ values: undefined, intent: newIntent() })}
        >
          <Trans>Deliver again</Trans>
        </Button>
      </div>
      <p>
        {i18n._(stateWords[delivery.status])} {reason && i18n._(suppressionWords[reason])}{" "}
        {due && <Due moment={due} />}
      </p>
      {endpoint && (
        <p className={styles.quiet}>
          <Link to="/webhooks/$id" params={{ id: endpoint.id }}>
            {endpoint.name ?? endpoint.url}
          </Link>
        </p>
      )}
      <FailureBanner error={write.error} />
      {next && (
        <p role="status">
          <Link {...linkTo(next.id)} resetScroll={false}>
            <Trans>See the new delivery</Trans>
          </Link>{" "}
          {next.remaining !== undefined && (
            <span className={styles.quiet}>
              <Plural
                value={next.remaining}
                one="# more is possible this hour."
                other="# more are possible this hour."
              />
            </span>
          )}
        </p>
      )}
    </section>
  );
}

function Attempts({ attempts }: { attempts: readonly WebhookDeliveryAttempt[] }) {
  const { t } = useLingui();
  if (attempts.length === 0) return null;
  return (
    <section className={styles.section}>
      <h3>
        <Trans>Attempts</Trans>
      </h3>
      <ol className={styles.attempts} aria-label={t`Attempts`}>
        {attempts.map((attempt) => {
          const number = attempt["attempt-number"];
          const ms = attempt["duration-ms"];
          const code = attempt["error-code"];
          return (
            <li key={attempt.id}>
              <Trans>Attempt {number}</Trans>
              {" · "}
              {attempt.state === "started" ? (
                <Trans>under way</Trans>
              ) : attempt.state === "abandoned" ? (
                <Trans>result unknown</Trans>
              ) : (
                <Ltr>{attempt["http-status"] ?? code}</Ltr>
              )}
              {ms !== null && ms !== undefined && <> · {t`${formatNumber(ms)} ms`}</>}
              {" · "}
              <Time moment={attempt["started-at"]} />
              {code && (
                <small>
                  <FailureSentence code={code} message={attempt["error-message"]} />
                </small>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function Message({
  delivery,
  event,
  attempt,
}: {
  delivery: DeliveryRecord;
  event: EventRecord;
  attempt: WebhookDeliveryAttempt | undefined;
}) {
  const { t } = useLingui();
  const { service } = useSession();
  const message = messageOf(event, {
    delivery: delivery.id,
    kind: delivery.kind,
    attempt: attempt?.["attempt-number"] ?? 1,
  });
  const body = JSON.stringify(message);
  const startedAt = attempt === undefined ? now() : Date.parse(attempt["started-at"]);
  const headers = [
    ["Content-Type", "application/vnd.api+json"],
    ["Webhook-Id", event.id],
    ["Webhook-Timestamp", String(Math.floor(startedAt / 1_000))],
    ["X-Svc-Delivery-Id", delivery.id],
    ["User-Agent", `Vestry/${service.version}`],
  ] as const;
  return (
    <>
      <section className={styles.section}>
        <h3>
          <Trans>Payload</Trans>
        </h3>
        <Json label={t`Payload`} value={message} />
        <div className={styles.bar}>
          <CopyButton text={body} />
          <CopyButton text={curlOf(body, headers)}>
            <Trans>Copy as curl</Trans>
          </CopyButton>
        </div>
      </section>
      <section className={styles.section}>
        <h3>
          <Trans>Headers</Trans>
        </h3>
        <Facts
          facts={[
            ...headers.map(
              ([name, value]) =>
                [<Ltr key={name}>{name}</Ltr>, <Ltr key={value}>{value}</Ltr>] as const,
            ),
            [<Ltr key="name">Webhook-Signature</Ltr>, t`The service does not keep it.`],
          ]}
        />
      </section>
    </>
  );
}

function About({ event }: { event: EventRecord }) {
  const { t } = useLingui();
  const { subject, actor } = event;
  const ids = [subject, actor].flatMap((one) => (one?.$type === "people" ? [one.id] : []));
  const { data: names } = useQuery({ ...peopleNamesOptions(ids), enabled: ids.length > 0 });
  const link = (one: typeof subject) => {
    if (one === null) return null;
    const { $type: type, id } = one;
    const words = names?.get(id) ?? `${type} ${id}`;
    if (type === "people")
      return (
        <Link to="/people/$id" params={{ id }}>
          <bdi>{words}</bdi>
        </Link>
      );
    if (type === "cells")
      return (
        <Link to="/cells/$id" params={{ id }}>
          <Ltr>{words}</Ltr>
        </Link>
      );
    return <Ltr>{words}</Ltr>;
  };
  return (
    <section className={styles.section}>
      <h3>
        <Trans>Event</Trans>
      </h3>
      <Facts
        facts={[
          [t`About`, link(subject)],
          [t`Changed by`, link(actor)],
          [t`Happened`, formatMoment(event["occurred-at"])],
          [
            t`Id`,
            <Link key="id" to="/webhooks/events" search={{ event: event.id }}>
              <Ltr>{event.id}</Ltr>
            </Link>,
          ],
        ]}
      />
    </section>
  );
}

/** The delivery with those that followed it or came before it. */
function Chain({ delivery, linkTo }: { delivery: DeliveryRecord; linkTo: ToDelivery }) {
  const { t } = useLingui();
  const { data: chain = [] } = useQuery(chainOptions(delivery.event?.id, delivery.endpoint?.id));
  if (chain.length < 2) return null;
  return (
    <section className={styles.section}>
      <h3>
        <Trans>All deliveries of this event here</Trans>
      </h3>
      <ol className={styles.attempts} aria-label={t`All deliveries of this event here`}>
        {chain.map((one) => (
          <li key={one.id}>
            <div className={styles.bar}>
              <OutcomeChip status={one.status} />
              {one.id === delivery.id ? (
                <b>{formatMoment(one["created-at"])}</b>
              ) : (
                <Link {...linkTo(one.id)} resetScroll={false}>
                  {formatMoment(one["created-at"])}
                </Link>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
