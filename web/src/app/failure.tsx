import { Trans } from "@lingui/react/macro";
import { VestryError } from "@vestry/sdk";
import { LinkButton } from "../ui/button.tsx";
import { EmptyState, ErrorState } from "../ui/states.tsx";
import { FailureWords } from "./problem-words.tsx";

/** A read that failed, in the words of the reader. `onRetry` reads again. */
export function Failure({ error, onRetry }: { error: Error; onRetry?: (() => void) | undefined }) {
  if (!(error instanceof VestryError)) throw error;
  if (error.status === 404)
    return <EmptyState title={<Trans>Not here, or not yours to see</Trans>} actions={<Home />} />;
  if (error.status === 403)
    return (
      <EmptyState title={<Trans>You may not see this.</Trans>} actions={<Home />}>
        <Trans>An administrator of your church can change that.</Trans>
      </EmptyState>
    );
  return (
    <ErrorState
      message={<ReadWords error={error} />}
      requestId={error.requestId}
      onRetry={onRetry}
    />
  );
}

/** The words for a read that failed. Nothing was entered, so nothing is said about it. */
export const ReadWords = ({ error }: { error: VestryError }) =>
  error.status === 0 ? <Trans>No connection.</Trans> : <FailureWords error={error} />;

const Home = () => (
  <LinkButton to="/">
    <Trans>Home</Trans>
  </LinkButton>
);
