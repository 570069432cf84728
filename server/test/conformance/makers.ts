import type { Db } from "../../src/store/db.ts";
import { recordDelivery, recordEvent } from "../support/history.ts";
import { makeEndpoint } from "../support/make.ts";
import type { Makers } from "./furnish.ts";

/** Rows that the database's catalog cannot describe: history is read through a view, and an endpoint has a life. */
export const webhookMakers = (db: Db, accountId: string): Makers => ({
  "webhook-endpoints": () => makeEndpoint(db, accountId),
  "webhook-events": async (rowOf) =>
    recordEvent(db, accountId, { subject: { type: "people", id: (await rowOf("people")) ?? "" } }),
  "webhook-deliveries": async (rowOf) => {
    const [endpointId = "", eventId = ""] = [
      await rowOf("webhook-endpoints"),
      await rowOf("webhook-events"),
    ];
    const exhausted = { endpointId, eventId, status: "exhausted" };
    const originId = await recordDelivery(db, accountId, exhausted);
    return recordDelivery(db, accountId, { ...exhausted, originId });
  },
});
