import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { X } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Failure } from "../app/failure.tsx";
import { peopleNamesOptions } from "../data/people-search.ts";
import {
  deliveriesOptions,
  type DeliveryOutcome,
  type DeliveryRow,
  type DeliverySearch,
  OUTCOMES,
} from "../data/webhooks.ts";
import { Button } from "../ui/button.tsx";
import { SelectField } from "../ui/field.tsx";
import { formatMoment, formatNumber } from "../ui/format.ts";
import { Segments } from "../ui/segments.tsx";
import { EmptyState, Skeleton } from "../ui/states.tsx";
import { Time } from "../ui/text.tsx";
import { OutcomeChip } from "./outcome-chip.tsx";
import styles from "./webhooks.module.css";
import { kindWords, outcomeWords } from "./words.ts";

const DeliveryDrawer = lazy(() =>
  import("./delivery-drawer.tsx").then((late) => ({ default: late.DeliveryDrawer })),
);

/** The search parameters of a list of deliveries, as the address has them. */
export type DeliveriesSearch = Partial<
  Record<"outcome" | "type" | "kind" | "from" | "to" | "delivery", string>
>;

const isOneOf = <Value extends string>(values: readonly Value[], text?: string): text is Value =>
  values.some((one) => one === text);

const isMoment = (text: string | undefined) =>
  text !== undefined && !Number.isNaN(Date.parse(text)) ? text : undefined;

const KINDS = ["production", "test", "verification"] as const;

/** What the address asks for. An unknown value is left out. */
const searchOf = (search: DeliveriesSearch, types: readonly string[]) => ({
  outcome: isOneOf(OUTCOMES, search.outcome) ? search.outcome : undefined,
  type: isOneOf(types, search.type) ? search.type : undefined,
  kind: isOneOf(KINDS, search.kind) ? search.kind : undefined,
  from: isMoment(search.from),
  to: isMoment(search.to),
});

/** Deliveries of one endpoint or of all, by outcome, with the drawer of one of them. The address has the filters and the drawer. */
export function Deliveries({
  endpoint,
  types,
  search,
  action,
}: {
  endpoint?: string;
  /** The types to choose from. */
  types: readonly string[];
  search: DeliveriesSearch;
  action?: ReactNode;
}) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const wanted = { ...searchOf(search, types), endpoint };
  const set = (changes: DeliveriesSearch) =>
    void navigate({ search: { ...search, ...changes } as never, to: ".", resetScroll: false });
  return (
    <div className={styles.column}>
      <div className={styles.bar}>
        <Segments<DeliveryOutcome | "">
          label={t`Outcome`}
          value={wanted.outcome ?? ""}
          options={[
            ["", t({ message: "All", context: "deliveries" })],
            ...OUTCOMES.map((one) => [one, i18n._(outcomeWords[one])] as const),
          ]}
          onChange={(outcome) => set({ outcome: outcome || undefined })}
        />
        <SelectField
          label={t`Event type`}
          name="type"
          value={wanted.type ?? ""}
          onChange={({ currentTarget: { value } }) => set({ type: value || undefined })}
          options={[["", t`All types`], ...types.map((one) => [one, one] as const)]}
        />
        <SelectField
          label={t`Kind`}
          name="kind"
          value={wanted.kind ?? ""}
          onChange={({ currentTarget: { value } }) => set({ kind: value || undefined })}
          options={[
            ["", t`All kinds`],
            ...KINDS.map((one) => [one, i18n._(kindWords[one])] as const),
          ]}
        />
        {action}
      </div>
      {wanted.from !== undefined && (
        <div>
          <Button
            icon={<X size={16} />}
            onClick={() => set({ from: undefined, to: undefined })}
            aria-label={t`Remove the period`}
          >
            {wanted.to === undefined ? (
              <Trans>since {formatMoment(wanted.from)}</Trans>
            ) : (
              `${formatMoment(wanted.from)} – ${formatMoment(wanted.to)}`
            )}
          </Button>
        </div>
      )}
      <DeliveryList key={JSON.stringify(wanted)} wanted={wanted} search={search} />
      {search.delivery !== undefined && (
        <Suspense>
          <DeliveryDrawer
            id={search.delivery}
            onClose={() => set({ delivery: undefined })}
            linkTo={(delivery) => ({ to: ".", search: { ...search, delivery } as never })}
          />
        </Suspense>
      )}
    </div>
  );
}

function DeliveryList({ wanted, search }: { wanted: DeliverySearch; search: DeliveriesSearch }) {
  const { t } = useLingui();
  const query = useInfiniteQuery(deliveriesOptions(wanted));
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = query;
  const all = data?.pages.flatMap(({ items }) => items) ?? [];
  const newest = all[0]?.["created-at"];
  // Events that arrive later are not pushed under the pointer. Tests and verifications were asked for, and appear at once.
  const [until, setUntil] = useState<string>();
  if (until === undefined && newest !== undefined) setUntil(newest);
  const rows = all.filter(
    (row) => row.kind !== "production" || until === undefined || row["created-at"] <= until,
  );
  const news = all.length - rows.length;
  const total = data?.pages[0]?.total ?? 0;
  const isFiltered = Object.entries(wanted).some(([name, one]) => name !== "endpoint" && one);
  const names = useQuery({
    ...peopleNamesOptions([...new Set(rows.flatMap(subjectPerson))].sort()),
    enabled: rows.some((row) => subjectPerson(row).length > 0),
  });
  if (data === undefined)
    return error ? (
      <Failure error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={320} />
    );
  if (all.length === 0)
    return (
      <EmptyState
        title={isFiltered ? <Trans>Nothing matches</Trans> : <Trans>Nothing was sent yet</Trans>}
      >
        {!isFiltered && <Trans>The next event of a chosen type appears here.</Trans>}
      </EmptyState>
    );
  return (
    <>
      <div className={styles.bar} role="status">
        <span className={styles.quiet}>
          <Plural value={total} one="# delivery" other="# deliveries" />
        </span>
        {news > 0 && (
          <Button kind="quiet" onClick={() => setUntil(newest)}>
            <Plural value={news} one="Show # new one" other="Show # new ones" />
          </Button>
        )}
      </div>
      <ul className={styles.rows} aria-label={t`Deliveries`}>
        {rows.map((row) => (
          <li key={row.id}>
            <Row row={row} search={search} name={names.data?.get(subjectPerson(row)[0] ?? "")} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            <Trans>Show more</Trans>
          </Button>
        </div>
      )}
    </>
  );
}

const subjectPerson = ({ event }: DeliveryRow): string[] =>
  event?.subject?.$type === "people" ? [event.subject.id] : [];

function Row({
  row,
  search,
  name,
}: {
  row: DeliveryRow;
  search: DeliveriesSearch;
  name: string | undefined;
}) {
  const { t, i18n } = useLingui();
  const { id, kind } = row;
  const [status, code, ms] = [
    row["last-http-status"],
    row["last-error-code"],
    row["last-duration-ms"],
  ];
  const result = [status ?? code, ms !== null && t`${formatNumber(ms)} ms`].filter(Boolean);
  return (
    <div className={styles.row}>
      <OutcomeChip status={row.status} />
      <span className={styles.what}>
        <Link to="." search={{ ...search, delivery: id } as never} resetScroll={false}>
          {kind === "production" ? row["event-type"] : i18n._(kindWords[kind])}
        </Link>
        {name && <bdi>{name}</bdi>}
      </span>
      <span>{result.join(" · ")}</span>
      <span className={styles.tries}>
        <Plural value={row["attempt-count"]} one="# attempt" other="# attempts" />
      </span>
      <Time moment={row["created-at"]} />
    </div>
  );
}
