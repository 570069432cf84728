import type { Db } from "../../src/store/db.ts";
import { makeLiveEndpoint } from "../support/engine.ts";
import { type TestAccount, makeAccount } from "../support/make.ts";
import { type MoodyReceiver, startMoodyReceiver } from "./receivers.ts";

export interface ChaosAccount extends TestAccount {
  readonly receiver: MoodyReceiver;
  readonly endpointId: string;
}

/** Each account has a receiver that subscribes to events of people. */
export const makeAccounts = (db: Db, count: number): Promise<ChaosAccount[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const account = await makeAccount(db);
      let secret = "";
      const receiver = await startMoodyReceiver(() => secret);
      const endpoint = await makeLiveEndpoint(db, account.id, {
        url: receiver.url,
        events: ["person.created", "person.updated"],
      });
      secret = endpoint.secret;
      return { ...account, receiver, endpointId: endpoint.id };
    }),
  );
