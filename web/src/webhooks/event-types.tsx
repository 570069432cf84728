import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Failure } from "../app/failure.tsx";
import { endpointsOptions, eventTypesOptions } from "../data/webhooks.ts";
import { TextField } from "../ui/field.tsx";
import { formatList } from "../ui/format.ts";
import { contains } from "../ui/names.ts";
import { Page } from "../ui/page.tsx";
import { Skeleton } from "../ui/states.tsx";
import { AboutType } from "./event-choices.tsx";
import { Places } from "./places.tsx";
import styles from "./webhooks.module.css";

const route = getRouteApi("/frame/webhooks/event-types");

/** The catalog: every type of events, and the endpoints that get it. */
export function EventTypes() {
  const { t } = useLingui();
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: types, error, refetch } = useQuery(eventTypesOptions);
  const { data: endpoints = [] } = useQuery(endpointsOptions);
  const found = types?.filter(({ description, id }) => contains(id, q) || contains(description, q));
  return (
    <Page title={<Trans>Catalog</Trans>} documentTitle={t`Catalog of events`}>
      <Places current="/webhooks/event-types" />
      {error && !types && <Failure error={error} onRetry={() => void refetch()} />}
      {!types && !error && <Skeleton height={400} />}
      {found && (
        <div className={styles.narrow}>
          <TextField
            label={t`Search the catalog`}
            name="q"
            type="search"
            value={q}
            autoComplete="off"
            onChange={({ currentTarget: { value } }) =>
              void navigate({ search: { q: value || undefined }, replace: true })
            }
          />
          <ul className={styles.types}>
            {found.map((type) => {
              const own = endpoints.filter(({ events }) => events.some((one) => one === type.id));
              return (
                <li key={type.id} className={styles.type}>
                  <h2 dir="ltr">
                    <code>{type.id}</code>
                  </h2>
                  <AboutType type={type} />
                  <p className={styles.about}>
                    <Trans>Since version {type.since}</Trans>
                    {own.length > 0 && (
                      <>
                        {" · "}
                        <Link to="/webhooks">
                          {formatList(
                            own.map(({ name, url }) => name ?? URL.parse(url)?.host ?? url),
                          )}
                        </Link>
                      </>
                    )}
                  </p>
                </li>
              );
            })}
          </ul>
        </div>
      )}
    </Page>
  );
}
