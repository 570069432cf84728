const missing = new WeakSet<object>();
let isReloading = false;

/** `public/recover.js` reloads the page once if a chunk is missing, and prevents the error. */
export function noteMissingChunks(): void {
  addEventListener("vite:preloadError", (event) => {
    isReloading = event.defaultPrevented;
    missing.add(event.payload);
  });
}

/** The page is about to be replaced, and what fails until then is not worth a word. */
export const isLeaving = (): boolean => isReloading;

/** Waits for the end of a page that is about to be replaced. */
export const unlessLeaving = <Value>(value: Value): Value | Promise<never> =>
  isReloading ? new Promise<never>(() => undefined) : value;

export const isMissingChunk = (error: unknown): boolean =>
  error instanceof Error && (missing.has(error) || isMissingChunk(error.cause));

/** The service worker keeps the shell, so that the app starts without a connection. */
export async function keepShell(): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const create = { createScriptURL: () => "/sw.js" };
  const policy = window.trustedTypes?.createPolicy("vestry", create) ?? create;
  await navigator.serviceWorker.register(policy.createScriptURL(""));
}
