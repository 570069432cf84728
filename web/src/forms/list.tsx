import { Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { FormStatus } from "@vestry/sdk";
import { FileText, Plus } from "lucide-react";
import { Failure } from "../app/failure.tsx";
import { useHolds } from "../app/may.ts";
import { formsOptions } from "../data/forms.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { Chip } from "../ui/chip.tsx";
import { SelectField } from "../ui/field.tsx";
import { formatMoment, formatNumber } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { EmptyState, Skeleton } from "../ui/states.tsx";
import styles from "./forms.module.css";
import { formStatuses, formTones } from "./words.ts";

const route = getRouteApi("/frame/forms");

const isStatus = (text: string | undefined): text is FormStatus =>
  text !== undefined && text in formStatuses;

/** The forms that the caller may read, by name. */
export function FormsList() {
  const { t, i18n } = useLingui();
  const { status: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  const status = isStatus(wanted) ? wanted : undefined;
  const mayMake = useHolds("forms:write");
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    formsOptions(status),
  );
  const forms = data?.pages.flatMap(({ items }) => items) ?? [];
  const total = data?.pages[0]?.total;
  const add = mayMake && (
    <LinkButton kind="filled" to="/forms/new" icon={<Plus size={16} />}>
      <span>
        <Trans>New form</Trans>
      </span>
    </LinkButton>
  );
  return (
    <Page
      title={<Trans>Forms</Trans>}
      documentTitle={t`Forms`}
      beside={total === undefined ? undefined : formatNumber(total)}
      actions={add}
    >
      <div className={styles.filters}>
        <SelectField
          label={<Trans>State</Trans>}
          name="status"
          value={status ?? ""}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ search: { status: value || undefined }, replace: true })
          }
          options={[
            ["", t`All but archived`],
            ...Object.entries(formStatuses).map(
              ([value, words]) => [value, i18n._(words)] as const,
            ),
          ]}
        />
      </div>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={200} />}
      {data && forms.length === 0 && (
        <EmptyState
          title={status ? <Trans>Nothing matches</Trans> : <Trans>No forms yet</Trans>}
          actions={status === undefined && mayMake && add}
        >
          {status === undefined && (
            <Trans>With a form, visitors introduce themselves and people sign up.</Trans>
          )}
        </EmptyState>
      )}
      {forms.length > 0 && (
        <div className={styles.narrow}>
          <Lines>
            {forms.map((form) => {
              const place = form.cell ?? form.course;
              const sent = form["submissions-count"] ?? 0;
              const closes = form["closes-at"];
              return (
                <Line
                  key={form.id}
                  face={<FileText size={20} className={styles.quiet} aria-hidden="true" />}
                  title={
                    <Link to="/forms/$id" params={{ id: form.id }}>
                      {form.name}
                    </Link>
                  }
                  detail={[
                    t`sent: ${formatNumber(sent)}`,
                    place?.name,
                    form.status === "open" && closes && t`until ${formatMoment(closes, "day")}`,
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                >
                  {form.status !== "open" && (
                    <Chip tone={formTones[form.status] ?? "plain"}>
                      {i18n._(formStatuses[form.status])}
                    </Chip>
                  )}
                </Line>
              );
            })}
          </Lines>
          {hasNextPage && (
            <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              <Trans>Show more</Trans>
            </Button>
          )}
        </div>
      )}
    </Page>
  );
}
