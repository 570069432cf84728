import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import type { Bootstrap } from "@vestry/sdk";
import { lazy, useEffect, useState } from "react";
import { onConnection } from "../data/connection.ts";
import { keys } from "../data/keys.ts";
import { KEPT_SESSION, sessionOptions } from "../data/session.ts";
import { Button } from "../ui/button.tsx";
import { now } from "../ui/clock.ts";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { withTexts } from "./languages.ts";
import { leave } from "./leave.ts";

const LoginForm = lazy(() => withTexts(() => import("./login-form.tsx"), "login"));

const WARNING_MS = 120_000;
/** Timers of browsers cannot wait for more than 24 days. */
const LONGEST_TIMER_MS = 3_600_000;

/** The warning before the end of a session, and the log-in over the page after it. */
export function SessionEnd({
  shown,
  current,
}: {
  shown: Bootstrap;
  current: Bootstrap | null | undefined;
}) {
  const client = useQueryClient();
  useOtherTabs(shown.person.id);

  const isOther = current ? current.person.id !== shown.person.id : false;
  useEffect(() => {
    if (isOther) leave(() => location.reload());
  }, [isOther]);

  if (current !== null)
    return current && <Warning key={current.session["expires-at"]} session={current} />;
  return (
    <Dialog
      title={<Trans>Your session has ended</Trans>}
      onClose={() => undefined}
      isDismissable={false}
    >
      <p>
        <Trans>
          Log in again, <bdi>{shown.person["full-name"]}</bdi>, and you continue where you were.
        </Trans>
      </p>
      <LoginForm
        onDone={(session) => {
          // Another person starts on a new page, which cannot read the drafts of the first person.
          if (session.person.id !== shown.person.id) return leave(() => location.assign("/"));
          client.setQueryData(sessionOptions.queryKey, session);
          void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
        }}
      />
    </Dialog>
  );
}

/** Another tab can log in, prolong the session, or log out. */
function useOtherTabs(personId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    function follow({ key, newValue }: StorageEvent) {
      if (key !== KEPT_SESSION) return;
      if (newValue === null) return leave(() => location.assign("/login"));
      // Null, if the session has ended without a log-out.
      const session = JSON.parse(newValue) as Bootstrap | null;
      if (session !== null && session.person.id !== personId) return leave(() => location.reload());
      client.setQueryData(sessionOptions.queryKey, session);
    }
    addEventListener("storage", follow);
    return () => removeEventListener("storage", follow);
  }, [client, personId]);

  // A session that was read from the device is read again from the service, and so is what failed.
  useEffect(
    () =>
      onConnection(() => {
        void client.invalidateQueries({ queryKey: keys.session });
        void client.invalidateQueries({ predicate: ({ state }) => state.status === "error" });
      }),
    [client],
  );
}

/** Two minutes before the session ends, the person can stay. Reading the session prolongs it. */
function Warning({ session }: { session: Bootstrap }) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const end = Date.parse(session.session["expires-at"]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const refresh = () => void client.invalidateQueries({ queryKey: keys.session });
    function wait() {
      const left = end - now();
      if (left <= 0) return refresh();
      if (left <= WARNING_MS) setOpen(true);
      const next = left > WARNING_MS ? left - WARNING_MS : left;
      timer = setTimeout(wait, Math.min(next, LONGEST_TIMER_MS));
    }
    wait();
    return () => clearTimeout(timer);
  }, [client, end]);

  function stay() {
    setOpen(false);
    void client.invalidateQueries({ queryKey: keys.session });
  }

  return (
    <Dialog isOpen={isOpen} title={<Trans>Are you still there?</Trans>} onClose={stay} isAlert>
      <p>
        <Trans>You will be logged out in two minutes.</Trans>
      </p>
      <DialogButtons>
        <Button kind="filled" onClick={stay}>
          <Trans>Stay logged in</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
