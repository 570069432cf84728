import type { Feature } from "../../jsonapi/definition/feature.ts";
import type { Db } from "../../store/db.ts";
import { sweepThrottles } from "./throttle.ts";

export const signInFeature: Feature = {
  tables: ["login_throttles"],
  jobs: [
    { name: "login-throttles", schedule: "20 * * * *", run: sweepThrottles },
    { name: "access-tokens", schedule: "25 * * * *", run: sweepAccessTokens },
  ],
  // The kept person keeps their own log-in. That of a removed person ends.
  personColumns: {
    "access_tokens.person_id": "deleted",
    "logins.person_id": "deleted",
    "person_credentials.person_id": "deleted",
  },
};

async function sweepAccessTokens(db: Db): Promise<number> {
  const { count } = await db`delete from access_tokens where expires_at <= now()`;
  return count;
}
