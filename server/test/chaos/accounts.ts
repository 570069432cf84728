import type { Db } from "../../src/store/db.ts";
import { makeLiveEndpoint } from "../support/engine.ts";
import { type TestAccount, makeAccount } from "../support/make.ts";
import { type Login, makeLogin } from "../support/sign-in.ts";
import { type MoodyReceiver, startMoodyReceiver } from "./receivers.ts";

export interface ChaosAccount extends TestAccount {
  /** The server of the account. */
  readonly db: Db;
  readonly login: Login;
  readonly receiver: MoodyReceiver;
  readonly endpointId: string;
}

/** Spreads accounts over the servers. Each has a receiver that subscribes to events of people. */
export const makeAccounts = (servers: readonly Db[], count: number): Promise<ChaosAccount[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const db = servers[index % servers.length] as Db;
      const account = await makeAccount(db);
      const login = await makeLogin(db, account, "chaos");
      let secret = "";
      const receiver = await startMoodyReceiver(() => secret);
      const endpoint = await makeLiveEndpoint(db, account.id, {
        url: receiver.url,
        events: ["person.created", "person.updated"],
      });
      secret = endpoint.secret;
      return { ...account, db, login, receiver, endpointId: endpoint.id };
    }),
  );
