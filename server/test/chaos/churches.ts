import type { Db } from "../../src/store/db.ts";
import { makeLiveEndpoint } from "../support/engine.ts";
import { type Church, makeChurch } from "../support/make.ts";
import { type MoodyReceiver, startMoodyReceiver } from "./receivers.ts";

export interface ChaosChurch extends Church {
  readonly receiver: MoodyReceiver;
  readonly endpointId: string;
}

/** Each with a receiver that wants to hear of its people. */
export const makeChurches = (db: Db, count: number): Promise<ChaosChurch[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const church = await makeChurch(db);
      let secret = "";
      const receiver = await startMoodyReceiver(() => secret);
      const endpoint = await makeLiveEndpoint(db, church.id, {
        url: receiver.url,
        events: ["person.created", "person.updated"],
      });
      secret = endpoint.secret;
      return { ...church, receiver, endpointId: endpoint.id };
    }),
  );
