import type { Feature } from "../../jsonapi/definition/feature.ts";
import type { Db } from "../../store/db.ts";
import { personInvitations } from "./invitations/invitations.ts";
import { revocation } from "./invitations/may.ts";
import { invitationMails, resetMails } from "./mails/mails.ts";
import { notices, sendAddressLetters, sweepLetters } from "./mails/notices.ts";
import { endPasswordLinks } from "./passwords/end-links.ts";
import { sweepInvitations, sweepPasswordTokens } from "./passwords/password-tokens.ts";

const permissions = ["person-invitations:write"] as const;

declare module "../../access/permissions.ts" {
  interface Permissions extends Record<(typeof permissions)[number], true> {}
}

declare module "../../jsonapi/definition/resource.ts" {
  interface Published {
    endPasswordLinks: typeof endPasswordLinks;
    sendAddressLetters: typeof sendAddressLetters;
  }
}

export const signInFeature: Feature = {
  types: [personInvitations],
  tables: ["login_letters"],
  extends: { people: { actions: revocation } },
  permissions,
  presets: {
    administrator: permissions,
    pastor: permissions,
    secretary: permissions,
  },
  queues: [invitationMails, resetMails, notices],
  published: { endPasswordLinks, sendAddressLetters },
  jobs: [
    { name: "access-tokens", schedule: "25 * * * *", run: sweepAccessTokens },
    { name: "password-tokens", schedule: "35 * * * *", run: sweepPasswordTokens },
    { name: "login-letters", schedule: "40 3 * * *", run: sweepLetters },
    { name: "person-invitations", schedule: "50 3 * * *", run: sweepInvitations },
  ],
  // The kept person keeps their own log-in. That of a removed person ends.
  personColumns: {
    "access_tokens.person_id": "deleted",
    "login_letters.person_id": "deleted",
    "logins.person_id": "deleted",
    "password_tokens.person_id": "deleted",
    "person_credentials.person_id": "deleted",
    "person_invitations.person_id": "deleted",
  },
};

async function sweepAccessTokens(db: Db): Promise<number> {
  const { count } = await db`delete from access_tokens where expires_at <= now()`;
  return count;
}
