import { queryOptions } from "@tanstack/react-query";
import { type Bootstrap, type Credentials, VestryError } from "@vestry/sdk";
import { api } from "./client.ts";
import { ofDevice } from "./kept.ts";
import { keys } from "./keys.ts";
import { queryClient } from "./query-client.ts";

/** The name under which the bootstrap is kept. Other tabs notice its changes. */
const KEPT = "session";
export const KEPT_SESSION = `vestry.${KEPT}`;

export const forgetSession = (): void => ofDevice.delete(KEPT);

const keptSession = (): Bootstrap | undefined => ofDevice.get<Bootstrap>(KEPT);

function keep(session: Bootstrap): Bootstrap {
  ofDevice.set(KEPT, session);
  return session;
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
      if (error.status === 401) return null;
      const kept = keptSession();
      if (kept === undefined || (error.status > 0 && error.status < 500)) throw error;
      return kept;
    }
  },
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

/** Sets the password with the token of an invitation or a reset. */
export const confirmPassword = (token: string, newPassword: string): Promise<void> =>
  api.passwordResetConfirmations.create({ token, "new-password": newPassword });
