import { Trans, useLingui } from "@lingui/react/macro";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { Button, LinkButton } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";

export function NotFound() {
  const { t } = useLingui();
  return (
    <Page title={<Trans>Not here</Trans>} documentTitle={t`Not here`}>
      <EmptyState
        title={<Trans>Not here, or not yours to see</Trans>}
        actions={
          <LinkButton to="/">
            <Trans>Home</Trans>
          </LinkButton>
        }
      />
    </Page>
  );
}

/** A screen that failed keeps the frame around it. */
export function Broken({ error }: ErrorComponentProps) {
  const { t } = useLingui();
  return (
    <Page title={<Trans>This page is broken</Trans>} documentTitle={t`Broken`}>
      <EmptyState
        title={error instanceof Error ? error.message : String(error)}
        actions={
          <Button onClick={() => location.reload()}>
            <Trans>Reload this page</Trans>
          </Button>
        }
      />
    </Page>
  );
}
