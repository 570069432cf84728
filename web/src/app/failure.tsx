import { Trans } from "@lingui/react/macro";
import { VestryError } from "@vestry/sdk";
import { useEffect, useEffectEvent } from "react";
import { isTransient } from "../data/query-client.ts";
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
      message={<ReadWords error={error} onRetry={onRetry} />}
      requestId={error.requestId}
      onRetry={onRetry}
    />
  );
}

const PAUSE_S = 10;

/** The words for a read that failed. A fault that passes repeats the read after some time. The frame repeats it after a reconnection. */
export function ReadWords({
  error,
  onRetry,
}: {
  error: VestryError;
  onRetry: (() => void) | undefined;
}) {
  const repeat = useEffectEvent(() => onRetry?.());
  useEffect(() => {
    if (!isTransient(error) || error.status === 0) return;
    const timer = setTimeout(repeat, (error.retryAfter ?? PAUSE_S) * 1000);
    return () => clearTimeout(timer);
  }, [error]);
  if (error.status === 0)
    return <Trans>No connection. This continues by itself when the connection returns.</Trans>;
  if (error.status === 429)
    return <Trans>Too many requests at once. The app tries again by itself.</Trans>;
  if (error.status >= 500)
    return <Trans>The service has a problem. The app tries again by itself.</Trans>;
  return <FailureWords error={error} />;
}

const Home = () => (
  <LinkButton to="/">
    <Trans>Home</Trans>
  </LinkButton>
);
