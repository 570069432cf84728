import { Plural } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { deliveryCountOptions } from "../data/webhooks.ts";

/** How many waiting deliveries of an endpoint end with a change. */
export function WaitingEnd({ endpoint, type }: { endpoint: string; type?: string }) {
  const { data: count = 0 } = useQuery(
    deliveryCountOptions({ endpoint, outcome: "waiting", type }),
  );
  if (count === 0) return null;
  return (
    <p>
      <Plural
        value={count}
        one="# waiting delivery ends and is not sent."
        other="# waiting deliveries end and are not sent."
      />
    </p>
  );
}
