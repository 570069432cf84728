import { DAY, MINUTE } from "../../base/clock.ts";
import { type Config, keyFileOf, keysInFileOf, knownKeysOf, OWN_KEY } from "../../app/config.ts";
import type { Db } from "../../store/db.ts";
import { formatNetwork } from "../../base/networks.ts";
import { neglectedPartitions } from "../../store/partitions.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { keysInUse } from "../../webhooks/endpoints/reencrypt.ts";
import {
  type RefusedEndpoint,
  refusedEndpoints,
} from "../../webhooks/endpoints/refused-endpoints.ts";
import { type Finding, few, finding } from "./finding.ts";

/** What would keep messages from being sent, or send them where they should not go. */
export async function* examineWebhooks(db: Db, config: Config): AsyncGenerator<Finding> {
  const known = new Set(knownKeysOf(config).map(({ id }) => id));
  const missing = [...(await keysInUse(db)).keys()].filter((id) => !known.has(id));
  if (missing.length > 0)
    yield finding(
      "encryption-keys-missing",
      `Signing secrets are encrypted with keys that this node does not have: ${few(missing)}. Their messages wait.`,
      remedyFor(missing, config),
    );

  const [queue] = await db<{ overdueMs: number; ready: number }[]>`
    select (count(*) filter (where ready))::int as ready,
      coalesce(extract(epoch from now() - min(due_at) filter (where ready)), 0)::float8 * 1000 as "overdueMs"
    from webhook_queue`;
  if (queue && queue.overdueMs > OVERDUE_MS)
    yield finding(
      "webhooks-overdue",
      `${queue.ready} deliveries are due, the oldest for ${Math.round(queue.overdueMs / MINUTE)} minutes.`,
      "See that a node with --role all or worker runs. If one does, a receiver is slow, or one more worker is needed.",
    );

  const { missing: unmade, overdue } = await neglectedPartitions(db, webhookLimits.retentionMs);
  if (unmade.length > 0)
    yield finding(
      "partitions-missing",
      `History lacks partitions of the days to come: ${few(unmade)}. What happens on such a day cannot be recorded, and writes fail.`,
      "Run npx vestry migrate, and see in the log (sweep-failed) why no node makes them.",
    );
  if (overdue.length > 0)
    yield finding(
      "partitions-overdue",
      `History is kept beyond its ${webhookLimits.retentionMs / DAY} days, with what it tells of people: ${few(overdue)}.`,
      "See that a node runs, and in the log (sweep-failed) why it cannot drop them: mostly a view or the like depends on them, and has to be dropped first.",
    );

  const { paused, threatened } = await refusedEndpoints(db, config.webhookAllowNetworks);
  if (threatened.length > 0)
    yield finding(
      "endpoints-at-refused-addresses",
      `Webhook endpoints are at addresses that are not public and that WEBHOOK_ALLOW_NETWORKS does not name; the next message pauses them: ${few(threatened.map(named))}.`,
      "If they are meant, put their networks into WEBHOOK_ALLOW_NETWORKS, in .env of every node, before anything is sent to them.",
    );
  if (paused.length > 0)
    yield finding(
      "endpoints-paused-for-security",
      `Webhook endpoints are paused, since their address was not public when something was to be sent: ${few(paused.map(named))}.`,
      "Allow the address in WEBHOOK_ALLOW_NETWORKS, or have its DNS records corrected. Then a full administrator of the church sets the URL again, the same one too; that makes a new secret, and the endpoint has to be verified.",
    );

  if (config.webhookAllowNetworks.length > 0)
    yield finding(
      "private-networks-allowed",
      `Webhooks may be sent to ${few(config.webhookAllowNetworks.map(formatNetwork))}: whoever may register an endpoint reaches what is there.`,
      "That is for trying out and for private installations. Otherwise empty WEBHOOK_ALLOW_NETWORKS.",
    );
}

/** A key that an installation made for itself is in nobody's head. */
function remedyFor(missing: readonly string[], config: Config): string {
  const made = keysInFileOf(config).map(({ id }) => id);
  const here = missing.filter((id) => made.includes(id));
  const place =
    here.length > 0
      ? `${keyFileOf(config)} has ${few(here)}, as name:key. `
      : missing.includes(OWN_KEY)
        ? `A node without ENCRYPTION_KEYS made ${OWN_KEY}: the file encryption-keys in its DATA_DIR has it, as name:key. `
        : "";
  return `${place}Put what is missing into ENCRYPTION_KEYS of every node, behind the first, and start them again.`;
}

const named = ({ alias, id, origin }: RefusedEndpoint) => `${id} of ${alias} (${origin})`;

const OVERDUE_MS = 5 * MINUTE;
