import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Navigate, Outlet, useLocation, useMatch, useMatches } from "@tanstack/react-router";
import { type ComponentType, lazy, Suspense, useEffect, useState } from "react";
import { sessionOptions } from "../data/session.ts";
import { Toasts } from "../ui/toasts.tsx";
import { Forbidden } from "./forbidden.tsx";
import { speakFor, withTexts } from "./languages.ts";
import { holds, isFullAdministrator } from "./may.ts";
import { useFrameKeys } from "./frame-keys.ts";
import { Menu } from "./menu.tsx";
import { Notices } from "./notices.tsx";
import { useOpened } from "./opened.ts";
import { PaletteWait } from "./palette-wait.tsx";
import type { QuickKind } from "./quick-kinds.ts";
import { SessionProvider, useSession } from "./session.tsx";
import { SessionEnd } from "./session-end.tsx";
import styles from "./shell.module.css";
import { isAnythingUnsaved } from "./unsaved.ts";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** The caller needs one of these permissions. */
    needs?: readonly string[];
    /** The service knows no permission for it. */
    isForFullAdministrators?: true;
    /** Adds a record from any page. The route of the frame names it, because its fields are in `records/`, which uses the frame. */
    QuickAdd?: ComponentType<{ kind?: QuickKind | undefined }>;
  }
}

/** The menu by rights, the panel with the screen, and what appears over them. */
export function Shell() {
  const { data: session } = useQuery(sessionOptions);
  // A session that ends leaves the page with the typed text under the log-in.
  const [shown, setShown] = useState(session);
  if (session && session !== shown && session.person.id === shown?.person.id) setShown(session);
  if (!shown) return <Navigate to="/login" />;
  return (
    <SessionProvider value={shown}>
      <Frame />
      <SessionEnd shown={shown} current={session} />
    </SessionProvider>
  );
}

const Palette = lazy(() => withTexts(() => import("./palette.tsx"), "over"));
const KeysSheet = lazy(() => withTexts(() => import("./keys-sheet.tsx"), "over"));
const LogOut = lazy(() => withTexts(() => import("./log-out.tsx"), "over"));

function Frame() {
  const session = useSession();
  const { person, account } = session;
  const { pathname } = useLocation();
  const { isForFullAdministrators = false, needs } = useMatches({
    select: (matches) => matches.at(-1)?.staticData ?? {},
  });
  const QuickAdd = useMatch({ from: "/frame", select: (match) => match.staticData.QuickAdd });
  const opened = useOpened();
  useFrameKeys();

  const {
    lang,
    country,
    currency,
    "time-zone": zone,
    "time-format": hours,
    "first-weekday": firstWeekday,
  } = account.settings;
  useEffect(() => {
    void speakFor(session);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Other members of the session do not change texts or formats.
  }, [person.locale, lang, country, currency, zone, hours, firstWeekday]);

  useEffect(() => {
    // The first field of a new record has the focus already.
    if (document.activeElement?.matches("main form input")) return;
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  }, [pathname]);

  const lacksRight =
    (needs?.every((permission) => !holds(session, permission)) ?? false) ||
    (isForFullAdministrators && !isFullAdministrator(session));
  const isForbidden = lacksRight && !isAnythingUnsaved();
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        <Trans>Skip to the content</Trans>
      </a>
      <Menu />
      <main className={styles.panel} id="content" tabIndex={-1}>
        <Notices />
        <Suspense>{isForbidden ? <Forbidden permission={needs?.[0]} /> : <Outlet />}</Suspense>
      </main>
      <Toasts />
      <Suspense fallback={opened?.name === "palette" && <PaletteWait />}>
        {opened?.name === "palette" && <Palette />}
        {opened?.name === "keys" && <KeysSheet />}
        {opened?.name === "log-out" && <LogOut />}
        {opened?.name === "quick-add" && QuickAdd && <QuickAdd kind={opened.kind} />}
      </Suspense>
    </div>
  );
}
