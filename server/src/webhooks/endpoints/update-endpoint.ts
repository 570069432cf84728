import { isDeepStrictEqual } from "node:util";
import type { Actor } from "../../access/actor.ts";
import { staleVersion } from "../../jsonapi/sql/write.ts";
import type { Tx } from "../../store/db.ts";
import type { RequestedChange } from "./requested-change.ts";
import { applyStep, type Configuration, type StoredEndpoint } from "./endpoint-rows.ts";
import { judgedUrl } from "./endpoint-url.ts";
import { lockLiveEndpoint, stepOf } from "./live-endpoint.ts";
import type { WebhookParts } from "../parts.ts";
import type { SecretReference } from "./reveal-secret.ts";

/** `version` is the version that the caller has read. It is compared after the endpoint is locked. */
export async function updateEndpoint(
  tx: Tx,
  actor: Actor,
  { id, version }: { id: string; version: number },
  change: RequestedChange,
  parts: WebhookParts,
): Promise<{ reveals?: SecretReference }> {
  const endpoint = await lockLiveEndpoint(tx, actor, id);
  if (endpoint.configurationVersion !== version) throw staleVersion();
  switch (change.kind) {
    case "configuration":
      return setConfiguration(tx, actor, endpoint, change);
    case "status":
      return setStatus(tx, actor, endpoint, change);
    case "destination":
      return setDestination(tx, actor, endpoint, change, parts);
  }
}

type ChangeOf<Kind> = Omit<Extract<RequestedChange, { kind: Kind }>, "kind">;

async function setConfiguration(
  tx: Tx,
  actor: Actor,
  endpoint: StoredEndpoint,
  { events, name }: ChangeOf<"configuration">,
) {
  const configuration = differing(endpoint, { name, events });
  const differs = Object.keys(configuration).length > 0;
  const step = stepOf(endpoint, { kind: "edited", differs });
  await applyStep(tx, actor.accountId, endpoint.id, step, actor, { configuration });
  return {};
}

async function setStatus(
  tx: Tx,
  actor: Actor,
  endpoint: StoredEndpoint,
  { status }: ChangeOf<"status">,
) {
  const kind = status === "paused" ? "pause-requested" : "resume-requested";
  const step = stepOf(endpoint, { kind }, { pointer: "/data/attributes/status" });
  await applyStep(tx, actor.accountId, endpoint.id, step, actor);
  return {};
}

/** Setting the same URL also resets the destination, so that a client that lost the secret gets a new one. */
async function setDestination(
  tx: Tx,
  actor: Actor,
  endpoint: StoredEndpoint,
  { events, name, url }: ChangeOf<"destination">,
  parts: WebhookParts,
) {
  const { normalized: normalizedUrl } = judgedUrl(url, parts);
  const configuration = differing(endpoint, { name, url, normalizedUrl, events });
  const step = stepOf(endpoint, { kind: "destination-set" });
  const { cipher } = parts;
  await applyStep(tx, actor.accountId, endpoint.id, step, actor, { configuration, cipher });
  return { reveals: { endpointId: endpoint.id, generation: step.endpoint.secretGeneration } };
}

function differing(
  before: Configuration,
  after: { [Name in keyof Configuration]?: Configuration[Name] | undefined },
): Partial<Configuration> {
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) =>
        value !== undefined && !isDeepStrictEqual(value, before[name as keyof Configuration]),
    ),
  );
}
