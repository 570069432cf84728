import type { Actor } from "../../access/actor.ts";
import { staleVersion } from "../../jsonapi/sql/write.ts";
import type { Tx } from "../../store/db.ts";
import { applyStep } from "./endpoint-rows.ts";
import { lockLiveEndpoint, stepOf } from "./live-endpoint.ts";

/** Keeps the row for history, hides the endpoint and frees its URL. */
export async function deleteEndpoint(
  tx: Tx,
  actor: Actor,
  { id, version }: { id: string; version: number },
): Promise<void> {
  const endpoint = await lockLiveEndpoint(tx, actor, id);
  if (endpoint.configurationVersion !== version) throw staleVersion();
  await applyStep(tx, actor.accountId, id, stepOf(endpoint, { kind: "deleted" }), actor);
}
