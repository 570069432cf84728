import { Plural, Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useMatch } from "@tanstack/react-router";
import { useEffect } from "react";
import { ofPerson } from "../data/kept.ts";
import { followChanges } from "../data/live.ts";
import { keepOwnSheets } from "../data/sheets/device-sheets.ts";
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
  const { person, leads } = useSession();
  const owner = person.id;
  const cells = leads.map(({ id }) => id).join();
  const client = useQueryClient();
  useEffect(() => followChanges(client), [client, owner]);
  useEffect(() => startOutbox(owner), [owner]);
  // A report keeps its own sheet. The others wait until the leader is not in the middle of one.
  const isReporting =
    useMatch({ from: "/frame/cells/$id/meetings/$meeting", shouldThrow: false }) !== undefined;
  useEffect(() => {
    if (isReporting) return;
    const keptAt = ofPerson.get<number>("sheets-kept-at") ?? 0;
    if (cells === "" || Math.abs(now() - keptAt) < SHEETS_LAST_MS) return;
    keepOwnSheets(owner, cells.split(",")).then(
      () => ofPerson.set("sheets-kept-at", now()),
      // The next start tries again.
      () => undefined,
    );
  }, [owner, cells, isReporting]);

  const mine = useOutbox().entries.filter((entry) => entry.owner === owner);
  const waiting = mine.filter(({ state }) => state === "waiting").length;
  const stuck = mine.find(({ state }) => state !== "waiting");
  return (
    <>
      {waiting > 0 && (
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
