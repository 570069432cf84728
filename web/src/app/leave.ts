import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { ownerId } from "../data/kept.ts";
import { queryClient } from "../data/query-client.ts";
import { keptSession } from "../data/session.ts";

const element = document.getElementById("root");
if (!element) throw new Error("index.html has no element #root.");
const root = createRoot(element);
let isLeft = false;

export const draw = (app: ReactNode): void => root.render(app);

/** Ends the page of a person. Browsers keep pages for the button Back, so nothing of the person may be left on it. */
export function leave(go: () => void): void {
  isLeft = true;
  // An effect can be the caller, and React does not unmount in the middle of one.
  queueMicrotask(() => {
    root.unmount();
    queryClient.clear();
    go();
  });
}

/** A page that returns from that memory has not heard of a log-out, or of another person who logged in. */
export function watchReturn(): void {
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted || ownerId() === undefined) return;
    if (isLeft || keptSession()?.person.id !== ownerId()) leave(() => location.reload());
  });
}
