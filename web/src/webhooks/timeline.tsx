import { Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Failure } from "../app/failure.tsx";
import { peopleNamesOptions } from "../data/people-search.ts";
import { timelineOptions } from "../data/webhooks.ts";
import { Button } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { formatMoment } from "../ui/format.ts";
import { Skeleton } from "../ui/states.tsx";
import styles from "./webhooks.module.css";
import { changeWords } from "./words.ts";

/** Who changed the endpoint, and when. Values are not kept, because an address may contain a password. */
export function Timeline({ endpoint }: { endpoint: string }) {
  const { t, i18n } = useLingui();
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    timelineOptions(endpoint),
  );
  const changes = data?.pages.flatMap(({ items }) => items) ?? [];
  const ids = [...new Set(changes.flatMap(({ actor }) => actor?.id ?? []))].sort();
  const { data: names } = useQuery({ ...peopleNamesOptions(ids), enabled: ids.length > 0 });
  if (data === undefined)
    return error ? (
      <Failure error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={240} />
    );
  const fieldWords: Readonly<Record<string, string>> = {
    name: t`Name`,
    events: t`Events`,
    url: t`URL`,
  };
  return (
    <div className={styles.narrow}>
      <Lines>
        {changes.map(({ actor, change, details, id, ...rest }) => {
          const fields = details["changed-fields"].map((name) => fieldWords[name] ?? name);
          return (
            <Line
              key={id}
              title={
                change === "verified" ? (
                  i18n._(changeWords[change])
                ) : (
                  <>
                    {actor ? (
                      <Link to="/people/$id" params={{ id: actor.id }}>
                        {names?.get(actor.id) ?? "…"}
                      </Link>
                    ) : (
                      <Trans>The service</Trans>
                    )}{" "}
                    {i18n._(changeWords[change])}
                  </>
                )
              }
              detail={[formatMoment(rest["happened-at"]), ...fields].join(" · ")}
            />
          );
        })}
      </Lines>
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </div>
  );
}
