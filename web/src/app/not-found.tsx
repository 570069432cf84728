import { Trans, useLingui } from "@lingui/react/macro";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { VestryError } from "@vestry/sdk";
import { lazy, Suspense } from "react";
import { Button, LinkButton } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { withTexts } from "./languages.ts";
import { isLeaving, isMissingChunk } from "./updates.ts";

const Unread = lazy(() => withTexts(() => import("./unread.tsx"), "frame"));

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
  if (isLeaving()) return null;
  if (error instanceof VestryError)
    return (
      <Suspense>
        <Unread error={error} />
      </Suspense>
    );
  const reload = (
    <Button onClick={() => location.reload()}>
      <Trans>Reload this page</Trans>
    </Button>
  );
  if (isMissingChunk(error))
    return (
      <Page title={<Trans>This page did not load</Trans>} documentTitle={t`Not loaded`}>
        <EmptyState title={<Trans>A part of the app did not arrive.</Trans>} actions={reload}>
          <Trans>
            Vestry may have been updated just now, or the service cannot be reached. Reload this
            page. If that does not help, try again in a few minutes.
          </Trans>
        </EmptyState>
      </Page>
    );
  return (
    <Page title={<Trans>This page is broken</Trans>} documentTitle={t`Broken`}>
      <EmptyState title={<Trans>This is a fault of the app.</Trans>} actions={reload}>
        <Trans>Reload this page. If it happens again, tell the person who runs Vestry:</Trans>{" "}
        <code lang="en" dir="ltr">
          {error instanceof Error ? error.message : String(error)}
        </code>
      </EmptyState>
    </Page>
  );
}
