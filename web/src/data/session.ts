import { queryOptions } from "@tanstack/react-query";
import { type Bootstrap, type Credentials, VestryError } from "@vestry/sdk";
import { api } from "./client.ts";
import { isSameRun, noteRun, ofDevice } from "./kept.ts";
import { keys } from "./keys.ts";
import { queryClient, shouldRetry } from "./query-client.ts";

/** The name under which the bootstrap is kept. Other tabs notice its changes. */
const KEPT = "session";
export const KEPT_SESSION = `vestry.${KEPT}`;

/** After a log-out, other tabs leave their page. */
export const forgetSession = (): void => ofDevice.delete(KEPT);

/** The session of the last visit. Without *Keep me logged in* it ends with the browser, as at the service. */
export function keptSession(): Bootstrap | undefined {
  const kept = ofDevice.get<Bootstrap | null>(KEPT);
  return kept && (kept.session.remember || isSameRun()) ? kept : undefined;
}

/** The tables of the device are no part of the start. */
const forgetSheets = (): Promise<void> =>
  import("./kept-sheets.ts").then(
    (late) => late.forgetSheets(),
    () => undefined,
  );

function keep(session: Bootstrap): Bootstrap {
  const before = ofDevice.get<Bootstrap | null>(KEPT);
  if (before && before.person.id !== session.person.id) void forgetSheets();
  ofDevice.set(KEPT, session);
  noteRun();
  return session;
}

/**
 * A session that has ended leaves nothing to read without a connection. Reports and drafts stay for the person. Other tabs show the
 * log-in over their page.
 */
function endKept(): void {
  if (ofDevice.get(KEPT)) ofDevice.set(KEPT, null);
  void forgetSheets();
}

/**
 * The person, the account and the rights of the caller, or null without a session. Without a connection they are those of
 * the last visit, so the menu stays the same.
 */
export const sessionOptions = queryOptions({
  queryKey: keys.session,
  queryFn: async ({ signal }): Promise<Bootstrap | null> => {
    try {
      return keep(await api.session.get({ signal }));
    } catch (error) {
      if (!(error instanceof VestryError)) throw error;
      const kept = error.status === 401 ? undefined : keptSession();
      if (kept === undefined) endKept();
      if (error.status === 401) return null;
      if (kept === undefined || (error.status > 0 && error.status < 500)) throw error;
      return kept;
    }
  },
  // Without a connection, the kept session is there at once, or the log-in has to wait.
  retry: (count, error) => error.status !== 0 && shouldRetry(count, error),
  // A right that ends without a rejection is noticed at the next navigation or focus after this time.
  staleTime: 60_000,
});

export async function openSession(credentials: Credentials): Promise<Bootstrap> {
  const session = keep(await api.session.open(credentials));
  const { alias, "church-name": name } = session.account;
  rememberChurch({ alias, name });
  return session;
}

export const currentSession = (): Bootstrap | null | undefined =>
  queryClient.getQueryData(sessionOptions.queryKey);

/** Whether the service sends mail. Without a session, the rejection of the read says it. */
export async function sendsMail(): Promise<boolean> {
  try {
    return (await api.session.get()).service.mail;
  } catch (error) {
    if (error instanceof VestryError && error.status === 401) return error.meta.mail === true;
    throw error;
  }
}

export type Church = { alias: string; name: string };

/** The church of the last log-in on this device. */
export const rememberedChurch = (): Church | undefined => ofDevice.get<Church>("church");
export const rememberChurch = (church: Church): boolean => ofDevice.set("church", church);
export const forgetChurch = (): void => ofDevice.delete("church");

/** Without a church, each church of the address sends a link. */
export const requestPasswordReset = (username: string, account?: string): Promise<void> =>
  api.passwordResets.create({ username, account });

/** The church and the log-in whose password a link sets. The link itself could name any. */
export const passwordLinkOptions = (token: string) =>
  queryOptions({
    queryKey: ["password-link", token],
    queryFn: ({ signal }) => api.session.readPasswordLink(token, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Sets the password with the token of an invitation or a reset. */
export const confirmPassword = (token: string, newPassword: string): Promise<void> =>
  api.passwordResetConfirmations.create({ token, "new-password": newPassword });
