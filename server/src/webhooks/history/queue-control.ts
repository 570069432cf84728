import { randomBytes } from "node:crypto";
import { wake } from "../../events/wake.ts";
import { onCommit, type Tx } from "../../store/db.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";

export interface Control {
  accountId: string;
  endpointId: string;
  controlType: "webhook.verification" | "webhook.test";
  destinationVersion: number;
  verificationGeneration: number;
}

/** Unguessable, and safe without escaping in JSON, URLs and shells. */
const CHALLENGE_BYTES = 32;

/** Queues a control message for an endpoint. Returns the delivery's id. */
export async function queueControl(tx: Tx, control: Control): Promise<string> {
  const { accountId, controlType, destinationVersion, endpointId, verificationGeneration } =
    control;
  const kind = controlType === "webhook.verification" ? "verification" : "test";
  const challenge =
    kind === "verification" ? randomBytes(CHALLENGE_BYTES).toString("base64url") : null;
  const [queued] = await tx<{ id: string }[]>`
    with control as (
      insert into webhook_controls (account_id, id, endpoint_id, control_type, destination_version,
        verification_generation, challenge, created_at, expires_at)
      select ${accountId}, history_id(now()), ${endpointId}, ${controlType}, ${destinationVersion},
        ${verificationGeneration}, ${challenge}, moment,
        moment + ${webhookLimits.controlMessageMs} * interval '1 millisecond'
      from date_trunc('milliseconds', now()) as moment
      returning id, created_at, expires_at
    ), delivery as (
      insert into webhook_deliveries (account_id, id, created_at, updated_at, kind, endpoint_id, message_id,
        destination_version, next_attempt_at, expires_at)
      select ${accountId}, history_id(now()), created_at, created_at, ${kind}, ${endpointId}, id,
        ${destinationVersion}, created_at, expires_at
      from control
      returning id, message_id, next_attempt_at, expires_at
    )
    insert into webhook_queue (account_id, delivery_id, endpoint_id, message_id, kind, destination_version,
      verification_generation, expires_at, due_at)
    select ${accountId}, id, ${endpointId}, message_id, ${kind}, ${destinationVersion},
      ${verificationGeneration}, expires_at, next_attempt_at
    from delivery
    returning delivery_id as id`;
  if (!queued) throw new Error("A control message was not queued.");
  onCommit(tx, wake);
  return queued.id;
}
