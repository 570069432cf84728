import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus, Webhook } from "lucide-react";
import { Failure } from "../app/failure.tsx";
import { type EndpointRow, endpointsOptions } from "../data/webhooks.ts";
import { LinkButton, OutwardButton } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { Chip } from "../ui/chip.tsx";
import { formatNumber } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { EmptyState, Skeleton } from "../ui/states.tsx";
import { Ltr } from "../ui/text.tsx";
import { FailureSentence } from "./failure-sentence.tsx";
import { Places } from "./places.tsx";
import styles from "./webhooks.module.css";
import { HEALTH_ORDER, healthTones, healthWords } from "./words.ts";

/** The endpoints of the account. Those that need a look stand first. */
export function Endpoints() {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(endpointsOptions);
  const rankOf = (one: EndpointRow) => HEALTH_ORDER.indexOf(one["effective-health"]);
  const endpoints = data?.toSorted((one, other) => rankOf(one) - rankOf(other));
  const add = (
    <LinkButton kind="filled" to="/webhooks/new" icon={<Plus size={16} />}>
      <span>
        <Trans>Add endpoint</Trans>
      </span>
    </LinkButton>
  );
  return (
    <Page
      title={<Trans>Webhooks</Trans>}
      documentTitle={t`Webhooks`}
      beside={data && data.length > 0 ? formatNumber(data.length) : undefined}
      actions={add}
    >
      <Places current="/webhooks" />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={240} />}
      {endpoints?.length === 0 && (
        <EmptyState
          title={<Trans>No endpoints yet</Trans>}
          actions={
            <OutwardButton href="/docs" target="_blank">
              <Trans>Open the reference</Trans>
            </OutwardButton>
          }
        >
          <Trans>
            A webhook tells another program at once when something changes here, such as a new
            person. Each message is signed, so the program knows that it came from your church. To
            try it out on your own machine, run <Ltr>npx vestry receive</Ltr>.
          </Trans>
        </EmptyState>
      )}
      {endpoints && endpoints.length > 0 && (
        <div className={styles.narrow}>
          <Lines>
            {endpoints.map((one) => (
              <EndpointLine key={one.id} endpoint={one} />
            ))}
          </Lines>
        </div>
      )}
    </Page>
  );
}

function EndpointLine({ endpoint }: { endpoint: EndpointRow }) {
  const { t, i18n } = useLingui();
  const { id, name, url } = endpoint;
  const health = endpoint["effective-health"];
  const failure = endpoint["last-production-failure"];
  const rate = endpoint.metrics["24h"]["success-rate"];
  const host = hostOf(url);
  return (
    <Line
      face={<Webhook size={20} className={styles.quiet} aria-hidden="true" />}
      title={
        <Link to="/webhooks/$id" params={{ id }}>
          {name ?? host}
        </Link>
      }
      detail={
        <>
          {name && (
            <>
              <Ltr>{host}</Ltr>
              {" · "}
            </>
          )}
          <Plural value={endpoint.events.length} one="# event type" other="# event types" />
          {rate !== null && rate !== undefined && (
            <> · {t`${formatNumber(rate, { style: "percent" })} delivered in 24 hours`}</>
          )}
          {failure && endpoint["consecutive-production-failures"] > 0 && (
            <span className={styles.section}>
              <FailureSentence code={failure.code} message={failure.message} />
            </span>
          )}
        </>
      }
    >
      {health === "healthy" ? (
        <span className={styles.quiet}>{i18n._(healthWords[health])}</span>
      ) : (
        <Chip tone={healthTones[health]}>{i18n._(healthWords[health])}</Chip>
      )}
    </Line>
  );
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? url;
