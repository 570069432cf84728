import { VestryError } from "@vestry/sdk";
import { QueryClient } from "@tanstack/react-query";

declare module "@tanstack/react-query" {
  interface Register {
    /** Reads and writes go through the client, which throws nothing else. */
    defaultError: VestryError;
  }
}

/** Network failures and faults of the service pass. An answer about this request does not change by repeating it. */
export const isTransient = (error: unknown): error is VestryError =>
  error instanceof VestryError &&
  (error.status === 0 || error.status === 429 || error.status >= 500);

/** The record was deleted, or the caller no longer sees it. What was read before is no longer true. */
export const isGone = (error: unknown): boolean =>
  error instanceof VestryError && (error.status === 404 || error.status === 410);

/** A longer wait looks like an app that hangs, so the failure is shown. */
const SILENT_S = 2;

/** After 0.5 s and 2 s, or after the time that the service names. */
export const retryDelay = (attempt: number, error: unknown) =>
  error instanceof VestryError && error.retryAfter !== undefined
    ? error.retryAfter * 1000
    : attempt === 0
      ? 500
      : 2_000;

export const shouldRetry = (count: number, error: unknown) =>
  count < 2 && isTransient(error) && (error.retryAfter ?? 0) <= SILENT_S;

export const queryClient = new QueryClient({
  defaultOptions: {
    // A request without a network fails at once, so that a block can say so. It runs again when the network returns.
    queries: {
      staleTime: 30_000,
      retry: shouldRetry,
      retryDelay,
      networkMode: "always",
      refetchOnReconnect: true,
    },
    mutations: { networkMode: "always" },
  },
});
