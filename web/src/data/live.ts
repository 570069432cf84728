/** Follows the changes of the service, so that what is shown is read again soon after a colleague changed it. */
import type { QueryClient } from "@tanstack/react-query";
import { isOwnWrite } from "./cache.ts";
import { isOnline, onConnection } from "./connection.ts";
import { ownerId } from "./kept.ts";
import { awaitsAnswer } from "./once.ts";
import { currentSession } from "./session.ts";
import { type Changed, isStale } from "./stale.ts";

/** Changes that belong together arrive together. */
const SOON_MS = 300;
/** While changes keep coming, such as those of an import, lists are not read more often. */
const AGAIN_MS = 3_000;
/** A hidden tab follows for a while, because its person often comes back. */
const HIDDEN_MS = 60_000;
/** Without a stream, the app asks this often. */
const ASK_MS = 30_000;
const LONGEST_PAUSE_MS = 600_000;

/** A record that changed. After a gap, everything can have changed. */
type News = { type: string; id: string } | "everything";

const NAME = "changes";

const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });

/** Marks the reads that the news concern as stale, in small groups. Those on the screen are read again. */
function gathering(client: QueryClient): (news: News) => void {
  let changed = new Map<string, Set<string>>();
  let isEverything = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let doneAt = -AGAIN_MS;
  function mark(): void {
    // The form or the dialog of a write stays as it is until the write has its answer.
    if (awaitsAnswer()) {
      timer = setTimeout(mark, SOON_MS);
      return;
    }
    timer = undefined;
    doneAt = performance.now();
    const [by, all]: [Changed, boolean] = [changed, isEverything];
    changed = new Map();
    isEverything = false;
    void client.invalidateQueries({
      predicate: ({ queryKey, state: { data } }) =>
        queryKey[0] !== "device" && (all || isStale({ queryKey, data }, by, ownerId())),
    });
  }
  return (news) => {
    if (news === "everything") isEverything = true;
    else {
      // The write has read what it needs, except the history.
      const { type, id } = isOwnWrite(news) ? { type: "audit-entries", id: "" } : news;
      changed.set(type, (changed.get(type) ?? new Set()).add(id));
    }
    timer ??= setTimeout(mark, performance.now() - doneAt > AGAIN_MS ? SOON_MS : AGAIN_MS);
  };
}

/** A stream was open, or the service refused it, or it has ended for good because its person reaches other records now. */
type Ended = "opened" | "refused" | "gone";

/**
 * Reads one stream until it fails or is no longer wanted. The browser continues a stream that the service ended, from the last
 * change that it received.
 */
const listen = (tell: (news: News) => void, onOpen: () => void, signal: AbortSignal) =>
  new Promise<Ended>((resolve) => {
    const source = new EventSource("/v1/changes/stream");
    let isOpen = false;
    let wasOpen = false;
    const close = (ended: Ended) => {
      source.close();
      signal.removeEventListener("abort", end);
      resolve(ended);
    };
    const end = () => close(wasOpen ? "opened" : "refused");
    signal.addEventListener("abort", end);
    source.addEventListener("open", () => {
      if (!wasOpen) onOpen();
      isOpen = true;
      wasOpen = true;
    });
    source.addEventListener("change", ({ data }: MessageEvent<string>) => {
      const { attributes } = JSON.parse(data) as {
        attributes: { "resource-type": string; "resource-id": string };
      };
      tell({ type: attributes["resource-type"], id: attributes["resource-id"] });
    });
    source.addEventListener("gone", () => close("gone"));
    source.addEventListener("error", () => {
      if (isOpen && source.readyState === EventSource.CONNECTING) isOpen = false;
      else end();
    });
  });

/** Keeps a stream open. While there is none, it asks, and tries again after growing pauses. */
async function follow(
  tell: (news: News) => void,
  isFirst: boolean,
  signal: AbortSignal,
): Promise<void> {
  // The screens were read a moment before the first stream opened. Before any other there was a gap.
  let hasGap = !isFirst;
  let pause = ASK_MS;
  while (!signal.aborted) {
    const onOpen = () => {
      if (hasGap) tell("everything");
      hasGap = true;
    };
    const ended = await listen(tell, onOpen, signal);
    hasGap = true;
    // The next stream begins at the present position, and everything is read again.
    if (ended === "gone") continue;
    if (ended === "opened") pause = ASK_MS;
    for (let waited = 0; waited < pause && !signal.aborted; waited += ASK_MS) {
      await wait(ASK_MS, signal);
      if (!signal.aborted && currentSession()) tell("everything");
    }
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

/** Follows the changes while the tab is visible and the service is reachable. One tab of a browser listens for all. */
export function followChanges(client: QueryClient): () => void {
  const take = gathering(client);
  const tabs = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(NAME);
  const tell = (news: News) => {
    take(news);
    tabs?.postMessage(news);
  };
  let following: AbortController | undefined;
  let isFirst = true;
  let timer: ReturnType<typeof setTimeout>;

  tabs?.addEventListener("message", ({ data }: MessageEvent<News>) => following && take(data));

  function start(): void {
    if (following) return;
    following = new AbortController();
    const { signal } = following;
    const startedAt = performance.now();
    const run = (isAtOnce: boolean) => follow(tell, isAtOnce, signal);
    if (!isFirst) take("everything");
    const isAlone = isFirst;
    isFirst = false;
    // Without locks, over plain HTTP, each tab has a stream of its own.
    if (!navigator.locks) void run(isAlone);
    else
      navigator.locks
        .request(NAME, { signal }, () => run(isAlone && performance.now() - startedAt < SOON_MS))
        // Another tab listened until this one was no longer wanted.
        .catch(() => undefined);
  }

  function stop(): void {
    following?.abort();
    following = undefined;
  }

  function look(): void {
    clearTimeout(timer);
    if (!isOnline()) stop();
    else if (!document.hidden) start();
    else timer = setTimeout(stop, HIDDEN_MS);
  }

  const forget = onConnection(look);
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    forget();
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
    stop();
    tabs?.close();
  };
}
