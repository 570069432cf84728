import { useLingui } from "@lingui/react/macro";
import { linkOptions } from "@tanstack/react-router";
import { LinkTabs } from "../ui/tabs.tsx";

const places = linkOptions([
  { to: "/webhooks" },
  { to: "/webhooks/deliveries" },
  { to: "/webhooks/events" },
  { to: "/webhooks/event-types" },
]);

/** The pages of webhooks beside each other. */
export function Places({ current }: { current: (typeof places)[number]["to"] }) {
  const { t } = useLingui();
  const labels = {
    "/webhooks": t`Endpoints`,
    "/webhooks/deliveries": t`Deliveries`,
    "/webhooks/events": t`Events`,
    "/webhooks/event-types": t`Catalog`,
  };
  return (
    <LinkTabs
      label={t`Parts of webhooks`}
      current={current}
      tabs={places.map((link) => ({ id: link.to, label: labels[link.to], link }))}
    />
  );
}
