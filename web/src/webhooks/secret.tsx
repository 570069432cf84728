import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useBlocker, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { endpointOptions, forgetSecret, secretOf } from "../data/webhooks.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Code } from "../ui/code.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { CheckField } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { Segments } from "../ui/segments.tsx";
import { EmptyState } from "../ui/states.tsx";
import { codeSamples, type SampleLanguage } from "./code-samples.ts";
import styles from "./webhooks.module.css";

const route = getRouteApi("/frame/webhooks/$id/secret");

/** The secret of an endpoint, once. A reload loses it, and the page then says how to get a new one. */
export function Secret() {
  const { t } = useLingui();
  const { id } = route.useParams();
  const secret = secretOf(id);
  const { data: endpoint } = useQuery(endpointOptions(id));
  const name = endpoint?.name ?? (endpoint && URL.parse(endpoint.url)?.host) ?? t`Endpoint`;
  return (
    <Page
      title={
        secret === undefined ? (
          <Trans>The secret is not shown again</Trans>
        ) : (
          <Trans>Store this secret now</Trans>
        )
      }
      documentTitle={t`Secret · Webhooks`}
      above={<bdi>{name}</bdi>}
    >
      {secret === undefined ? (
        <EmptyState
          title={<Trans>Lost it? Rotate the secret.</Trans>}
          actions={
            <>
              <LinkButton to="/webhooks/$id" params={{ id }} search={{ open: "rotate" }}>
                <Trans>Rotate secret</Trans>
              </LinkButton>
              <LinkButton to="/webhooks/$id" params={{ id }}>
                <Trans>To the endpoint</Trans>
              </LinkButton>
            </>
          }
        >
          <Trans>
            The service shows a secret once. A rotation makes a new one. If the last rotation was
            less than 48 hours ago, set the URL again instead.
          </Trans>
        </EmptyState>
      ) : (
        <Once id={id} secret={secret} />
      )}
    </Page>
  );
}

function Once({ id, secret }: { id: string; secret: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [isStored, setStored] = useState(false);
  const [language, setLanguage] = useState<SampleLanguage>("node");
  const blocker = useBlocker({
    shouldBlockFn: () => !isStored,
    enableBeforeUnload: () => !isStored,
    withResolver: true,
  });
  const { code, label } = codeSamples[language];
  return (
    <div className={styles.narrow}>
      <p className={styles.secret} dir="ltr" data-secret>
        {secret}
      </p>
      <div className={styles.bar}>
        <CopyButton text={secret} />
      </div>
      <p className={styles.quiet}>
        <Trans>
          The receiver verifies messages with it. Keep it in the settings of the receiver, and never
          in a web page. It is not shown again.
        </Trans>
      </p>
      <Card title={<Trans>Verify messages with it</Trans>}>
        <Segments<SampleLanguage>
          label={t`Language`}
          value={language}
          options={Object.entries(codeSamples).map(
            ([one, sample]) => [one as SampleLanguage, sample.label] as const,
          )}
          onChange={setLanguage}
        />
        <Code label={t`Code in ${label}`}>{code}</Code>
      </Card>
      <CheckField
        name="stored"
        checked={isStored}
        onChange={({ currentTarget: { checked } }) => setStored(checked)}
        label={<Trans>I have stored it</Trans>}
      />
      <div className={styles.bar}>
        <Button
          kind="filled"
          reason={isStored ? undefined : t`Store the secret first.`}
          onClick={() => {
            void navigate({ to: "/webhooks/$id", params: { id }, replace: true }).then(() =>
              forgetSecret(id),
            );
          }}
        >
          <Trans>Continue</Trans>
        </Button>
      </div>
      {blocker.status === "blocked" && (
        <Dialog title={<Trans>Leave without the secret?</Trans>} onClose={blocker.reset} isAlert>
          <p>
            <Trans>
              It is shown on the page of the endpoint until you reload or close this tab. After that
              you need a new one.
            </Trans>
          </p>
          <DialogButtons>
            <Button onClick={blocker.proceed}>
              <Trans>Leave</Trans>
            </Button>
            <Button kind="filled" onClick={blocker.reset}>
              <Trans>Stay</Trans>
            </Button>
          </DialogButtons>
        </Dialog>
      )}
    </div>
  );
}
