import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { isOnline, onConnection, useConnection } from "../data/connection.ts";
import { keys } from "../data/keys.ts";
import { Button } from "../ui/button.tsx";
import { useFirstContent } from "./first-content.ts";
import { useSession } from "./session.tsx";
import styles from "./shell.module.css";

const Background = lazy(loadBackground);

/** The screen works without it. A connection that goes in this moment must not end the page. */
async function loadBackground(): Promise<typeof import("./background.tsx")> {
  try {
    return await import("./background.tsx");
  } catch {
    await new Promise<void>((resolve) => {
      const forget = onConnection(() => {
        if (!isOnline()) return;
        forget();
        resolve();
      });
    });
    return loadBackground();
  }
}

const PROBE_MS = 15_000;

/** Quiet lines above the screen that concern the whole app. */
export function Notices() {
  const client = useQueryClient();
  const { service } = useSession();
  const isConnected = useConnection();
  const hasContent = useFirstContent();
  useEffect(() => {
    if (isConnected) return;
    // A network without a way to the service causes no event when the way returns.
    const probe = setInterval(() => {
      if (!document.hidden) void client.invalidateQueries({ queryKey: keys.session });
    }, PROBE_MS);
    return () => clearInterval(probe);
  }, [client, isConnected]);

  const build = import.meta.env.VITE_BUILD;
  const isOld = build !== undefined && service.web !== null && service.web !== build;
  return (
    <div className={styles.notices} role="status">
      {!isConnected && (
        <p>
          <Trans>No connection</Trans>
        </p>
      )}
      {isOld && isConnected && (
        <p>
          <Trans>New version ready</Trans>
          <Button kind="quiet" onClick={() => location.reload()}>
            <Trans>Reload</Trans>
          </Button>
        </p>
      )}
      <Suspense>{hasContent && <Background />}</Suspense>
    </div>
  );
}
