import { ofTab } from "../data/kept.ts";

const AGAIN_MS = 60_000;

/** A chunk of an old version is gone after an update. The page reloads once. Drafts are kept by their forms. */
export function reloadWithoutChunk(): void {
  addEventListener("vite:preloadError", (event) => {
    const last = ofTab.get<number>("reloaded") ?? 0;
    // Without a network the chunk is not gone. Without storage the reload could repeat forever.
    if (!navigator.onLine || Date.now() - last < AGAIN_MS || !ofTab.set("reloaded", Date.now()))
      return;
    event.preventDefault();
    location.reload();
  });
}

/** The service worker keeps the shell, so that the app starts without a connection. */
export async function keepShell(): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const create = { createScriptURL: () => "/sw.js" };
  const policy = window.trustedTypes?.createPolicy("vestry", create) ?? create;
  await navigator.serviceWorker.register(policy.createScriptURL(""));
}
