import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Failure } from "../app/failure.tsx";
import { peopleNamesOptions } from "../data/people-search.ts";
import {
  deliveriesOfEventOptions,
  endpointsOptions,
  eventOptions,
  eventsOptions,
  eventTypesOptions,
} from "../data/webhooks.ts";
import { Button } from "../ui/button.tsx";
import { Json } from "../ui/code.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField } from "../ui/field.tsx";
import { formatMoment } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { EmptyState, Skeleton } from "../ui/states.tsx";
import { Ltr, Time } from "../ui/text.tsx";
import { OutcomeChip } from "./outcome-chip.tsx";
import { Places } from "./places.tsx";
import styles from "./webhooks.module.css";

const route = getRouteApi("/frame/webhooks/events");

/** What happened, newest first, with the deliveries of each event. */
export function Events() {
  const { t } = useLingui();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: types = [] } = useQuery(eventTypesOptions);
  const type = types.some(({ id }) => id === search.type) ? search.type : undefined;
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    eventsOptions({ type }),
  );
  const events = data?.pages.flatMap(({ items }) => items) ?? [];
  const ids = events.flatMap(({ subject }) => (subject?.$type === "people" ? subject.id : []));
  const { data: names } = useQuery({
    ...peopleNamesOptions([...new Set(ids)].sort()),
    enabled: ids.length > 0,
  });
  return (
    <Page title={<Trans>Events</Trans>} documentTitle={t`Events`}>
      <Places current="/webhooks/events" />
      <div className={styles.bar}>
        <SelectField
          label={t`Event type`}
          name="type"
          value={type ?? ""}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ search: { type: value || undefined }, replace: true })
          }
          options={[["", t`All types`], ...types.map(({ id }) => [id, id] as const)]}
        />
      </div>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={320} />}
      {data && events.length === 0 && (
        <EmptyState title={<Trans>No events</Trans>}>
          <Trans>Events are recorded while the church has an endpoint, and kept for 30 days.</Trans>
        </EmptyState>
      )}
      {events.length > 0 && (
        <>
          <p className={styles.quiet}>
            <Plural value={data?.pages[0]?.total ?? 0} one="# event" other="# events" />
          </p>
          <ul className={styles.rows} aria-label={t`Events`}>
            {events.map((event) => {
              const name = names?.get(event.subject?.id ?? "");
              return (
                <li key={event.id}>
                  <div className={styles.eventRow}>
                    <span className={styles.what}>
                      <Link
                        to="/webhooks/events"
                        search={{ type, event: event.id }}
                        resetScroll={false}
                      >
                        {event["event-type"]}
                      </Link>
                      {name && <bdi>{name}</bdi>}
                    </span>
                    <span>{event.cause}</span>
                    <Time moment={event["occurred-at"]} />
                  </div>
                </li>
              );
            })}
          </ul>
          {hasNextPage && (
            <div>
              <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                <Trans>Show more</Trans>
              </Button>
            </div>
          )}
        </>
      )}
      {search.event !== undefined && (
        <EventDrawer
          id={search.event}
          onClose={() => void navigate({ search: { type }, resetScroll: false })}
        />
      )}
    </Page>
  );
}

function EventDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useLingui();
  const { data: event, error, refetch } = useQuery(eventOptions(id));
  const { data: deliveries = [] } = useQuery(deliveriesOfEventOptions(id));
  const { data: endpoints = [] } = useQuery(endpointsOptions);
  const nameOf = (endpoint: string | undefined) => {
    const found = endpoints.find((one) => one.id === endpoint);
    return found?.name ?? found?.url ?? t`Deleted endpoint`;
  };
  return (
    <Dialog
      title={event ? <Ltr>{event["event-type"]}</Ltr> : <Trans>Event</Trans>}
      onClose={onClose}
      isDrawer
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {event === undefined && !error && <Skeleton height={320} />}
      {event === null && (
        <EmptyState title={<Trans>This event is gone</Trans>}>
          <Trans>
            An event is kept for 30 days. It goes earlier when the person whom it is about is
            deleted.
          </Trans>
        </EmptyState>
      )}
      {event && (
        <>
          <p className={styles.quiet}>{formatMoment(event["occurred-at"])}</p>
          <section className={styles.section}>
            <h3>
              <Trans>Deliveries</Trans>
            </h3>
            {deliveries.length === 0 && (
              <p className={styles.quiet}>
                <Trans>No endpoint gets events of this type.</Trans>
              </p>
            )}
            <ul className={styles.attempts} aria-label={t`Deliveries`}>
              {deliveries.map((one) => (
                <li key={one.id}>
                  <div className={styles.bar}>
                    <OutcomeChip status={one.status} />
                    <Link
                      to="/webhooks/$id"
                      params={{ id: one.endpoint?.id ?? "" }}
                      search={{ delivery: one.id }}
                    >
                      {nameOf(one.endpoint?.id)}
                    </Link>
                  </div>
                </li>
              ))}
            </ul>
          </section>
          <section className={styles.section}>
            <h3>
              <Trans>Snapshot</Trans>
            </h3>
            <Json label={t`Snapshot`} value={event.snapshot} />
            <CopyButton text={JSON.stringify(event.snapshot)} />
          </section>
        </>
      )}
    </Dialog>
  );
}
