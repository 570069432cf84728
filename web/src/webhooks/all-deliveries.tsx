import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { eventTypesOptions } from "../data/webhooks.ts";
import { Page } from "../ui/page.tsx";
import { Skeleton } from "../ui/states.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Places } from "./places.tsx";

const route = getRouteApi("/frame/webhooks/deliveries");

/** What was sent to all endpoints. */
export function AllDeliveries() {
  const { t } = useLingui();
  const search = route.useSearch();
  const { data: types } = useQuery(eventTypesOptions);
  return (
    <Page title={<Trans>Deliveries</Trans>} documentTitle={t`Deliveries`}>
      <Places current="/webhooks/deliveries" />
      {types ? (
        <Deliveries types={types.map(({ id }) => id)} search={search} />
      ) : (
        <Skeleton height={320} />
      )}
    </Page>
  );
}
