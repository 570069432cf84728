import type { Bootstrap } from "@vestry/sdk";
import { createContext, useContext } from "react";
import { setOwner } from "../data/kept.ts";
import { speakFor } from "./languages.ts";

const SessionContext = createContext<Bootstrap | undefined>(undefined);
export const SessionProvider = SessionContext.Provider;

/** The session of the caller. Every screen but the log-in has one. */
export function useSession(): Bootstrap {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("useSession needs a session above it.");
  return session;
}

/** The page belongs to this person from now on, in the person's language. Another person needs a new page. */
export async function adopt(session: Bootstrap | null): Promise<void> {
  if (session !== null) setOwner(session.person.id);
  await speakFor(session);
}
