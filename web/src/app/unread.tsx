import { Trans, useLingui } from "@lingui/react/macro";
import { useRouter } from "@tanstack/react-router";
import type { VestryError } from "@vestry/sdk";
import { useEffect, useEffectEvent } from "react";
import { isOnline, onConnection } from "../data/connection.ts";
import { Page } from "../ui/page.tsx";
import { Failure } from "./failure.tsx";

/** What a page needs before it can be drawn, such as the session, was not read. */
export default function Unread({ error }: { error: VestryError }) {
  const { t } = useLingui();
  const router = useRouter();
  const retry = () => void router.invalidate();
  const onReturn = useEffectEvent(() => {
    if (isOnline()) retry();
  });
  useEffect(() => onConnection(() => onReturn()), []);
  return (
    <Page title={<Trans>This page did not load</Trans>} documentTitle={t`Not loaded`}>
      <Failure error={error} onRetry={retry} />
    </Page>
  );
}
