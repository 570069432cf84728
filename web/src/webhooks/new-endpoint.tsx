import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { NewWebhookEndpoint } from "@vestry/sdk";
import { useState } from "react";
import { EditForm } from "../app/form.tsx";
import { type Form, useForm } from "../app/use-form.tsx";
import { createEndpoint, type EndpointRecord, eventTypesOptions } from "../data/webhooks.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { Banner, Skeleton } from "../ui/states.tsx";
import { EventChoices } from "./event-choices.tsx";
import { UrlField } from "./url-field.tsx";
import styles from "./webhooks.module.css";

const route = getRouteApi("/frame/webhooks/new");

/** Registers a receiver. A link in the documentation of a program can fill the form. */
export function NewEndpoint() {
  const { t } = useLingui();
  const { data: types } = useQuery(eventTypesOptions);
  const { events = "", name = "", url = "" } = route.useSearch();
  const asked = events.split(",").filter(Boolean);
  const known = types?.map(({ id }) => id) ?? [];
  const unknown = asked.filter((one) => !known.some((id) => id === one));
  return (
    <Page
      title={<Trans>New endpoint</Trans>}
      documentTitle={t`New endpoint`}
      back={{ to: "/webhooks", label: t`Back to the endpoints` }}
    >
      {types === undefined ? (
        <Skeleton height={400} />
      ) : (
        <div className={styles.narrow}>
          {(url !== "" || asked.length > 0) && (
            <Banner>
              <Trans>
                A link filled in this form. Check the address: it will get the data of these events.
              </Trans>{" "}
              {unknown.length > 0 && (
                <Trans>Unknown types are left out: {unknown.join(", ")}.</Trans>
              )}
            </Banner>
          )}
          <EndpointForm
            base={{ name, url, events: asked.filter((one) => known.some((id) => id === one)) }}
            isPrefilled={url !== "" || asked.length > 0}
          />
        </div>
      )}
    </Page>
  );
}

type Base = { name: string; url: string; events: string[] };

function EndpointForm({ base, isPrefilled }: { base: Base; isPrefilled: boolean }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [twin, setTwin] = useState<string>();
  const form = useForm<EndpointRecord>({
    base,
    // The link that fills the form would be overwritten by what was typed before.
    draft: isPrefilled ? undefined : { type: "webhook-endpoints", id: "new", card: "new" },
    send: (values) => {
      setTwin(undefined);
      const given = values as unknown as NewWebhookEndpoint;
      return createEndpoint({ ...given, name: given.name || null }, ({ id }) => setTwin(id));
    },
    touches: ["webhook-endpoints"],
    onSaved: (saved) =>
      saved &&
      void navigate({ to: "/webhooks/$id/secret", params: { id: saved.id }, replace: true }),
    onCancel: () =>
      twin === undefined
        ? void navigate({ to: "/webhooks" })
        : void navigate({ to: "/webhooks/$id", params: { id: twin }, search: { open: "rotate" } }),
  });
  const chosen = form.control<readonly string[] | null>("events");
  return (
    <EditForm form={form as Form} submit={<Trans>Add endpoint</Trans>}>
      {twin !== undefined && (
        <Banner
          action={
            <Button kind="quiet" onClick={form.cancel}>
              <Trans>Rotate its secret</Trans>
            </Button>
          }
        >
          <Trans>
            An endpoint with this address exists. If you have no secret of it, the answer to its
            creation was lost. Rotate its secret to get one.
          </Trans>
        </Banner>
      )}
      <UrlField {...form.text("url")} autoFocus />
      <TextField
        {...form.text("name")}
        label={t`Name`}
        help={t`Such as the program that receives the events.`}
        autoComplete="off"
        maxLength={120}
      />
      <EventChoices {...chosen} value={chosen.value ?? []} />
    </EditForm>
  );
}
