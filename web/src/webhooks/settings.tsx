import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import type { WebhookEndpointChanges } from "@vestry/sdk";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { DraftOffer, EditForm, useDraft } from "../app/form.tsx";
import { type Form, useForm } from "../app/use-form.tsx";
import {
  type EndpointRecord,
  eventTypesOptions,
  readEndpoint,
  saveEndpoint,
  timelineOptions,
} from "../data/webhooks.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Button } from "../ui/button.tsx";
import { Card, Facts } from "../ui/card.tsx";
import { TextField } from "../ui/field.tsx";
import { formatMoment, formatNumber } from "../ui/format.ts";
import { EventChoices } from "./event-choices.tsx";
import { WaitingEnd } from "./waiting.tsx";
import styles from "./webhooks.module.css";

/** The name and the events of an endpoint, and what it does not get. */
export function EndpointSettings({ endpoint }: { endpoint: EndpointRecord }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const draft = useDraft({ type: "webhook-endpoints", id: endpoint.id, card: "settings" });
  return (
    <div className={styles.narrow}>
      {isOpen ? (
        <SettingsForm endpoint={endpoint} onDone={() => setOpen(false)} />
      ) : (
        <Card
          title={<Trans>Settings</Trans>}
          action={
            <Button kind="quiet" icon={<Pencil size={15} />} onClick={() => setOpen(true)}>
              <Trans>Edit</Trans>
            </Button>
          }
        >
          {draft.isKept && <DraftOffer onContinue={() => setOpen(true)} onDrop={draft.drop} />}
          <Facts
            facts={[
              [t`Name`, endpoint.name && <bdi>{endpoint.name}</bdi>],
              [t`Registered`, formatMoment(endpoint["created-at"])],
              [t`Verified`, endpoint["verified-at"] && formatMoment(endpoint["verified-at"])],
              [t`Number of the secret`, formatNumber(endpoint["secret-generation"])],
              [
                t`Events`,
                <span key="events" className={styles.mono} dir="ltr">
                  {endpoint.events.join(", ")}
                </span>,
              ],
            ]}
          />
        </Card>
      )}
      <Missing endpoint={endpoint} />
    </div>
  );
}

const valuesOf = ({ name, events }: EndpointRecord) => ({ name, events });

function SettingsForm({ endpoint, onDone }: { endpoint: EndpointRecord; onDone: () => void }) {
  const { t } = useLingui();
  const form = useForm<EndpointRecord>({
    base: valuesOf(endpoint),
    record: endpoint,
    draft: { type: "webhook-endpoints", id: endpoint.id, card: "settings" },
    // Only what changed is sent, and never the address.
    send: (changes, options) =>
      saveEndpoint(
        endpoint.id,
        changes as Pick<WebhookEndpointChanges, "name" | "events">,
        options,
      ),
    read: () => readEndpoint(endpoint.id),
    valuesOf,
    touches: ["webhook-endpoints", "webhook-deliveries", "webhook-endpoint-changes"],
    onSaved: onDone,
    onCancel: onDone,
  });
  const chosen = form.control<readonly string[]>("events");
  const removed = endpoint.events.filter((one) => !chosen.value.includes(one));
  return (
    <EditForm form={form as Form} title={<Trans>Settings</Trans>} isFilled={false}>
      <TextField {...form.text("name")} label={t`Name`} autoComplete="off" maxLength={120} />
      <EventChoices {...chosen} />
      {removed.map((type) => (
        <WaitingEnd key={type} endpoint={endpoint.id} type={type} />
      ))}
    </EditForm>
  );
}

/** What the endpoint does not get, and why. */
function Missing({ endpoint }: { endpoint: EndpointRecord }) {
  const { data: types = [] } = useQuery(eventTypesOptions);
  const { data } = useInfiniteQuery(timelineOptions(endpoint.id));
  const chosen: readonly string[] = endpoint.events;
  const others = types.filter(({ id }) => !chosen.includes(id)).map(({ id }) => id);
  const uncaptured = types.filter((one) => chosen.includes(one.id) && !one["is-captured"]);
  const paused = data?.pages
    .flatMap(({ items }) => items)
    .find(({ change }) => change === "paused");
  return (
    <Card title={<Trans>What it does not get</Trans>}>
      {endpoint.status === "paused" && paused && (
        <p>
          <Trans>
            Nothing since {formatMoment(paused["happened-at"])}, because it is paused. Events of
            this time are not sent later.
          </Trans>
        </p>
      )}
      {endpoint.status === "pending-verification" && (
        <p>
          <Trans>
            Nothing yet, because its address is not verified. Events of this time are not sent
            later.
          </Trans>
        </p>
      )}
      {uncaptured.length > 0 && (
        <p>
          <Trans>
            Types that this version does not send yet: {uncaptured.map(({ id }) => id).join(", ")}
          </Trans>
        </p>
      )}
      {others.length === 0 ? (
        <p>
          <Trans>All types of events are chosen.</Trans>
        </p>
      ) : (
        <details>
          <summary>
            <Plural
              value={others.length}
              one="# type of events that is not chosen"
              other="# types of events that are not chosen"
            />
          </summary>
          <p className={styles.mono} dir="ltr">
            {others.join(", ")}
          </p>
        </details>
      )}
    </Card>
  );
}
