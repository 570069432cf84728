import { MINUTE } from "../../base/clock.ts";
import { type Config, keyFileOf, keysInFileOf, knownKeysOf, OWN_KEY } from "../../app/config.ts";
import type { Db } from "../../store/db.ts";
import { formatNetwork } from "../../base/networks.ts";
import { neglectedPartitions } from "../../store/partitions.ts";
import { Cipher } from "../../store/cipher.ts";
import {
  foreignKeys,
  heldSince,
  keysInUse,
  type RefusedEndpoint,
  refusedEndpoints,
} from "../../webhooks/index.ts";
import { type Finding, few, finding } from "./finding.ts";

/** Finds reasons why webhooks are not sent, or could be sent to private addresses. */
export async function* examineWebhooks(db: Db, config: Config): AsyncGenerator<Finding> {
  const known = new Set(knownKeysOf(config).map(({ id }) => id));
  const missing = [...(await keysInUse(db)).keys()].filter((id) => !known.has(id));
  if (missing.length > 0)
    yield finding(
      "encryption-keys-missing",
      `This node lacks the encryption keys of some signing secrets: ${few(missing)}. Their messages wait.`,
      remedyFor(missing, config),
    );

  const ring = knownKeysOf(config);
  const foreign = ring.length === 0 ? [] : await foreignKeys(db, new Cipher(ring));
  if (foreign.length > 0)
    yield finding(
      "encryption-keys-foreign",
      `These keys decrypt no signing secret that was encrypted with a key of their name: ${few(foreign)}.`,
      "They belong to another installation. Restore the keys of this one from a backup. A start is refused meanwhile.",
    );

  const since = await heldSince(db);
  if (since !== undefined)
    yield finding(
      "webhooks-held",
      `This database is a copy, and a node holds its webhooks since ${since}.`,
      "If it replaces the original, run npx vestry webhooks release. If only one node is held, correct its PUBLIC_URL first.",
    );

  const [queue] = await db<{ overdueMs: number; ready: number }[]>`
    select (count(*) filter (where ready))::int as ready,
      coalesce(extract(epoch from now() - min(due_at) filter (where ready)), 0)::float8 * 1000 as "overdueMs"
    from webhook_queue`;
  if (queue && queue.overdueMs > OVERDUE_MS)
    yield finding(
      "webhooks-overdue",
      `${queue.ready} deliveries are overdue, the oldest by ${Math.round(queue.overdueMs / MINUTE)} minutes.`,
      "Check that a node with --role all or --role worker is running. If it is, a receiver is slow or another worker is needed.",
    );

  const { missing: unmade, overdue } = await neglectedPartitions(db);
  if (unmade.length > 0)
    yield finding(
      "partitions-missing",
      `Partitions for the next days are missing: ${few(unmade)}. Writes on those days will fail.`,
      "Run npx vestry migrate, and look for job-failed in the log to see why no node creates them.",
    );
  if (overdue.length > 0)
    yield finding(
      "partitions-overdue",
      `Partitions with personal data are kept longer than promised: ${few(overdue)}.`,
      "Check that a node with --role all or --role worker is running, and look for job-failed in the log. Usually an object such as a view depends on a partition and must be dropped first.",
    );

  const { paused, atRisk } = await refusedEndpoints(db, config.webhookAllowNetworks);
  if (atRisk.length > 0)
    yield finding(
      "endpoints-at-refused-addresses",
      `The next message pauses these webhook endpoints, because their addresses are private and not in WEBHOOK_ALLOW_NETWORKS: ${few(atRisk.map(named))}.`,
      "If these addresses are intended, add their networks to WEBHOOK_ALLOW_NETWORKS in .env on every node before the next message.",
    );
  if (paused.length > 0)
    yield finding(
      "endpoints-paused-for-security",
      `These webhook endpoints are paused, because their address was private when a message was due: ${few(paused.map(named))}.`,
      "Allow the address in WEBHOOK_ALLOW_NETWORKS or correct its DNS records. Then a full administrator of the account sets the URL of the endpoint again. This creates a new secret, and the endpoint must be verified.",
    );

  if (config.webhookAllowNetworks.length > 0)
    yield finding(
      "private-networks-allowed",
      `WEBHOOK_ALLOW_NETWORKS lets webhook endpoints reach private addresses: ${few(config.webhookAllowNetworks.map(formatNetwork))}.`,
      "Use this setting only for tests and private installations. Otherwise leave it empty.",
    );
}

/** Names the file of a key that an installation generated for itself. */
function remedyFor(missing: readonly string[], config: Config): string {
  const made = keysInFileOf(config).map(({ id }) => id);
  const here = missing.filter((id) => made.includes(id));
  const place =
    here.length > 0
      ? `${keyFileOf(config)} contains ${few(here)} as name:key. `
      : missing.includes(OWN_KEY)
        ? `A node without ENCRYPTION_KEYS generated ${OWN_KEY}. The file encryption-keys in its DATA_DIR contains it as name:key. `
        : "";
  return `${place}Append the missing keys to ENCRYPTION_KEYS on every node and restart the nodes.`;
}

const named = ({ alias, id, origin }: RefusedEndpoint) => `${id} of ${alias} (${origin})`;

const OVERDUE_MS = 5 * MINUTE;
