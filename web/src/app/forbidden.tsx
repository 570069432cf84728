import { Trans, useLingui } from "@lingui/react/macro";
import { LinkButton } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";

/** A page that the caller may not see, or may no longer see. */
export function Forbidden({ permission }: { permission?: string | undefined }) {
  const { t } = useLingui();
  return (
    <Page title={<Trans>Not for you to see</Trans>} documentTitle={t`Not permitted`}>
      <EmptyState
        title={<Trans>You may not see this page.</Trans>}
        actions={
          <LinkButton to="/">
            <Trans>Home</Trans>
          </LinkButton>
        }
      >
        <Trans>An administrator of your church can change that.</Trans>
        {permission && (
          <>
            {" "}
            <small>
              <code dir="ltr">{permission}</code>
            </small>
          </>
        )}
      </EmptyState>
    </Page>
  );
}
