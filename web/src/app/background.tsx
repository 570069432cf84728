import { Plural, Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useMatch } from "@tanstack/react-router";
import { useEffect } from "react";
import { noteSheetsKept, sheetsKeptAt } from "../data/kept-sheets.ts";
import { followChanges } from "../data/live.ts";
import { keepOwnSheets } from "../data/sheets/device-sheets.ts";
import { keptDays } from "../data/sheets/kept-days.ts";
import { startOutbox, useOutbox } from "../data/sheets/sender.ts";
import { now } from "../ui/clock.ts";
import { useSession } from "./session.tsx";
import { keepShell } from "./updates.ts";

const SHEETS_LAST_MS = 3_600_000;

/** What runs after the first content: the service worker, the changes of colleagues, the outbox, and the sheets of leaders on the device. */
export default function Background() {
  useEffect(() => {
    // A browser that refuses the worker has no start without a connection. Everything else works.
    keepShell().catch(() => undefined);
  }, []);
  const { account, person, leads, session } = useSession();
  const owner = person.id;
  const cells = leads.map(({ id }) => id).join();
  const client = useQueryClient();
  useEffect(() => followChanges(client), [client, owner]);
  // A log-in over the page is a new session, for which reports may be waiting.
  const expiresAt = session["expires-at"];
  useEffect(() => startOutbox(owner), [owner, expiresAt]);
  const days = keptDays(account.settings);
  // A report keeps its own sheet. The others wait until the leader is not in the middle of one.
  const isReporting =
    useMatch({ from: "/frame/cells/$id/meetings/$meeting", shouldThrow: false }) !== undefined;
  useEffect(() => {
    if (isReporting) return;
    if (cells === "" || Math.abs(now() - sheetsKeptAt(owner)) < SHEETS_LAST_MS) return;
    keepOwnSheets(owner, cells.split(","), days).then(
      () => noteSheetsKept(owner),
      // The next start tries again.
      () => undefined,
    );
  }, [owner, cells, days, isReporting]);

  const { entries, isVolatile } = useOutbox();
  const mine = entries.filter((entry) => entry.owner === owner);
  const waiting = mine.filter(({ state }) => state === "waiting").length;
  const stuck = mine.find(({ state }) => state !== "waiting");
  return (
    <>
      {waiting > 0 && isVolatile && (
        <p>
          <Plural
            value={waiting}
            one="# report waits for the connection. This browser stores nothing, so keep this page open."
            other="# reports wait for the connection. This browser stores nothing, so keep this page open."
          />
        </p>
      )}
      {waiting > 0 && !isVolatile && (
        <p>
          <Plural
            value={waiting}
            one="# report is saved on this device and waits for the connection."
            other="# reports are saved on this device and wait for the connection."
          />
        </p>
      )}
      {stuck && (
        <p>
          {stuck.state === "conflict" ? (
            <Trans>There are two reports of {stuck.cellName}. Compare them.</Trans>
          ) : (
            <Trans>The report of {stuck.cellName} was not accepted.</Trans>
          )}
          <Link
            to="/cells/$id/meetings/$meeting"
            params={{ id: stuck.cellId, meeting: stuck.meetingId ?? "new" }}
            search={{ date: stuck.date }}
          >
            <Trans>Open</Trans>
          </Link>
        </p>
      )}
    </>
  );
}
