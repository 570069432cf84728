import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CirclePause, CirclePlay, Ellipsis, KeyRound, Link2, Send, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Failure } from "../app/failure.tsx";
import { usePageActions } from "../app/page-actions.ts";
import { FailureWords } from "../app/problem-words.tsx";
import {
  deliveryOptions,
  endpointOptions,
  type EndpointRecord,
  hasEnded,
  remainingIn,
  secretOf,
  sendTest,
  setStatus,
} from "../data/webhooks.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { formatMoment } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { MenuButton } from "../ui/popover.tsx";
import { Banner, Skeleton } from "../ui/states.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { toast } from "../ui/toasts.tsx";
import { ChangeUrl } from "./change-url.tsx";
import { DeleteEndpoint } from "./delete-endpoint.tsx";
import { Deliveries } from "./deliveries.tsx";
import { FailureSentence } from "./failure-sentence.tsx";
import { Health } from "./health.tsx";
import { ReplayButton } from "./replay.tsx";
import { RotateSecret } from "./rotate-secret.tsx";
import { EndpointSettings } from "./settings.tsx";
import { Timeline } from "./timeline.tsx";
import { Verification } from "./verification.tsx";
import styles from "./webhooks.module.css";
import { healthTones, healthWords, pauseWords } from "./words.ts";

const route = getRouteApi("/frame/webhooks/$id");

/** An endpoint: whether it works, what was sent to it, and its settings. */
export function Endpoint() {
  const { t, i18n } = useLingui();
  const { id } = route.useParams();
  const search = route.useSearch();
  const { data: endpoint, error, refetch } = useQuery(endpointOptions(id));
  const name = endpoint?.name ?? (endpoint && URL.parse(endpoint.url)?.host) ?? t`Endpoint`;
  const health = endpoint?.["effective-health"];
  const tabs = [
    { id: "deliveries", label: t`Deliveries` },
    { id: "settings", label: t`Settings` },
    { id: "timeline", label: t`Timeline` },
  ];
  const current = tabs.find((one) => one.id === search.tab)?.id ?? "deliveries";
  return (
    <Page
      title={<bdi>{name}</bdi>}
      documentTitle={t`${name} · Webhooks`}
      back={{ to: "/webhooks", label: t`Back to the endpoints` }}
      beside={health && <Chip tone={healthTones[health]}>{i18n._(healthWords[health])}</Chip>}
      beneath={
        endpoint && (
          <span className={styles.mono} dir="ltr">
            {endpoint.url}
          </span>
        )
      }
      actions={endpoint && <Actions endpoint={endpoint} />}
    >
      {error && !endpoint && <Failure error={error} onRetry={() => void refetch()} />}
      {!endpoint && !error && <Skeleton height={320} />}
      {endpoint && (
        <>
          <Notices endpoint={endpoint} />
          {endpoint.status === "pending-verification" ? (
            <Verification endpoint={endpoint} />
          ) : (
            <Health endpoint={endpoint} window={search.window === "7d" ? "7d" : "24h"} />
          )}
          <Tabs
            label={t`Parts of the endpoint`}
            tabs={tabs}
            current={current}
            to="/webhooks/$id"
            params={{ id }}
          />
          {current === "deliveries" && (
            <Deliveries
              endpoint={id}
              types={endpoint.events}
              search={search}
              action={<ReplayButton endpoint={endpoint} />}
            />
          )}
          {current === "settings" && <EndpointSettings endpoint={endpoint} />}
          {current === "timeline" && <Timeline endpoint={id} />}
        </>
      )}
    </Page>
  );
}

/** What needs a look: failures in a row, a pause, two secrets, and a secret that was not stored. */
function Notices({ endpoint }: { endpoint: EndpointRecord }) {
  const { i18n } = useLingui();
  const { id } = endpoint;
  const failures = endpoint["consecutive-production-failures"];
  const failure = endpoint["last-production-failure"];
  const pause = endpoint["pause-reason"];
  const until = endpoint["previous-secret-valid-until"];
  return (
    <>
      {secretOf(id) !== undefined && (
        <Banner
          action={
            <LinkButton kind="quiet" to="/webhooks/$id/secret" params={{ id }}>
              <Trans>Show it</Trans>
            </LinkButton>
          }
        >
          <Trans>You have not stored the secret yet.</Trans>
        </Banner>
      )}
      {endpoint.status === "active" && failures > 0 && failure && (
        <Banner
          tone="bad"
          action={
            // A failed attempt that is repeated waits, and is no failed delivery yet.
            <Link to="." search={{ kind: "production" }} resetScroll={false}>
              <Trans>Show them</Trans>
            </Link>
          }
        >
          <Plural value={failures} one="# failure." other="# failures in a row." />{" "}
          <FailureSentence code={failure.code} message={failure.message} />
        </Banner>
      )}
      {pause && (
        <Banner tone={pause === "manual" ? "warn" : "bad"}>{i18n._(pauseWords[pause])}</Banner>
      )}
      {until && (
        <Banner>
          <Trans>
            Two secrets are valid until {formatMoment(until)}. Give the receiver the new one before.
          </Trans>
        </Banner>
      )}
    </>
  );
}

type Opened = "rotate" | "url" | "delete" | undefined;

function Actions({ endpoint }: { endpoint: EndpointRecord }) {
  const { t } = useLingui();
  const { open } = route.useSearch();
  const [opened, setOpened] = useState<Opened>(open === "rotate" ? "rotate" : undefined);
  const isActive = endpoint.status === "active";
  const status = useWrite((next: "active" | "paused") => setStatus(endpoint, next), {
    touches: ["webhook-endpoints", "webhook-deliveries", "webhook-endpoint-changes"],
    onDone: ({ status: now }) =>
      toast(now === "paused" ? t`The endpoint is paused` : t`The endpoint is active again`),
  });
  const test = useTest(endpoint);
  const close = () => setOpened(undefined);
  usePageActions([
    { id: "rotate-secret", label: t`Rotate secret`, run: () => setOpened("rotate") },
    ...(isActive ? [{ id: "send-test", label: t`Send test`, run: test.run }] : []),
  ]);
  const error = status.error ?? test.error;
  return (
    <>
      {error && (
        <span role="alert">
          <FailureWords error={error} />
        </span>
      )}
      <Button
        icon={<Send size={16} />}
        busy={test.isBusy}
        reason={isActive ? undefined : t`Only an active endpoint gets a test.`}
        onClick={test.run}
      >
        <span>
          <Trans>Send test</Trans>
        </span>
      </Button>
      <Button icon={<KeyRound size={16} />} onClick={() => setOpened("rotate")}>
        <span>
          <Trans>Rotate secret</Trans>
        </span>
      </Button>
      <MenuButton
        trigger={{ iconOnly: true, label: t`More`, icon: <Ellipsis size={18} /> }}
        entries={[
          isActive
            ? {
                id: "pause",
                label: t`Pause`,
                icon: <CirclePause size={16} />,
                onSelect: () => status.mutate({ values: "paused", intent: newIntent() }),
              }
            : {
                id: "resume",
                label: t`Resume`,
                icon: <CirclePlay size={16} />,
                reason:
                  endpoint.status === "pending-verification"
                    ? t`Verify the endpoint first.`
                    : endpoint["pause-reason"] === "security-policy"
                      ? t`Change the URL first.`
                      : undefined,
                onSelect: () => status.mutate({ values: "active", intent: newIntent() }),
              },
          {
            id: "url",
            label: t`Change URL …`,
            icon: <Link2 size={16} />,
            onSelect: () => setOpened("url"),
          },
          {
            id: "delete",
            label: t`Delete …`,
            icon: <Trash2 size={16} />,
            isDanger: true,
            onSelect: () => setOpened("delete"),
          },
        ]}
      />
      {opened === "rotate" && <RotateSecret endpoint={endpoint} onClose={close} />}
      {opened === "url" && <ChangeUrl endpoint={endpoint} onClose={close} />}
      {opened === "delete" && <DeleteEndpoint endpoint={endpoint} onClose={close} />}
    </>
  );
}

/** Sends a test and says how it ended, as soon as it has. */
function useTest(endpoint: EndpointRecord) {
  const { t } = useLingui();
  const [delivery, setDelivery] = useState<string>();
  const told = useRef<string>(undefined);
  const write = useWrite((_: void, { idempotencyKey }) => sendTest(endpoint.id, idempotencyKey), {
    touches: ["webhook-deliveries"],
    onDone: (made) => {
      setDelivery(made.id);
      const remaining = remainingIn(made);
      toast(
        remaining === undefined
          ? t`The test is on its way`
          : t`The test is on its way. Tests left this hour: ${remaining}`,
      );
    },
  });
  const { data } = useQuery({
    ...deliveryOptions(delivery ?? ""),
    enabled: delivery !== undefined,
  });
  const ended = data && hasEnded(data) ? data : undefined;
  useEffect(() => {
    if (ended === undefined || told.current === ended.id) return;
    told.current = ended.id;
    const [last] = ended.attempts ?? [];
    const status = last?.["http-status"] ?? last?.["error-code"] ?? "";
    toast(
      ended.status === "delivered"
        ? t`The receiver accepted the test: ${status}`
        : t`The test failed: ${status}`,
    );
  }, [ended, t]);
  return {
    error: write.error,
    isBusy: write.isPending,
    run: () => write.mutate({ values: undefined, intent: newIntent() }),
  };
}
