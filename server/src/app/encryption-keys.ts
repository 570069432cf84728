import { CannotStart } from "./cannot-start.ts";
import { type Config, encryptionKeysOf, keyFileOf, knownKeysOf } from "./config.ts";
import { isDatabaseAway } from "../store/away.ts";
import { Cipher } from "../store/cipher.ts";
import { connect, type Db } from "../store/db.ts";
import { foreignKeys, keysInUse } from "../webhooks/index.ts";

const IF_LOST =
  "If it is lost, set ENCRYPTION_KEYS to a key with another name. Each webhook endpoint then needs a new secret.";

/** Refuses to generate a key for a database with secrets, which the new key could not decrypt. */
export async function requireKeys(db: Db, config: Config): Promise<void> {
  if (knownKeysOf(config).length > 0) return;
  const [table] = await db<
    { name: string | null }[]
  >`select to_regclass('webhook_secrets') as name`;
  if (table?.name === null) return;
  const ids = [...(await keysInUse(db)).keys()];
  if (ids.length > 0)
    throw new CannotStart(
      `The database has secrets that are encrypted with the key ${ids.join(", ")}, and the file ${keyFileOf(config)} is missing. ` +
        `Restore it from a backup. ${IF_LOST}`,
    );
}

/** The same before the service connects to its servers. One that is away is examined when it is back. */
export async function requireKeysFor(urls: readonly string[], config: Config): Promise<void> {
  if (knownKeysOf(config).length > 0) return;
  for (const [index, url] of urls.entries()) {
    const db = connect(url, { max: 1, name: "vestry-start" });
    try {
      await requireKeys(db, config);
    } catch (error) {
      if (index === 0 || !isDatabaseAway(error)) throw error;
    } finally {
      await db.end({ timeout: 1 });
    }
  }
}

/** Refuses a key that is another one than the database knows by this name. Reports keys that are missing. */
export async function examineKeys(
  db: Db,
  config: Config,
  say: (line: string) => void,
): Promise<void> {
  const ring = encryptionKeysOf(config);
  const foreign = await foreignKeys(db, new Cipher(ring));
  if (foreign.length > 0)
    throw new CannotStart(
      `The key ${foreign.join(", ")} of ${config.encryptionKeys.length > 0 ? "ENCRYPTION_KEYS" : keyFileOf(config)} decrypts no secret of this database, which were encrypted with another key of that name. ` +
        `Restore that key from a backup. ${IF_LOST}`,
    );
  const known = ring.map(({ id }) => id);
  const missing = [...(await keysInUse(db)).keys()].filter((id) => !known.includes(id));
  // The service would start well and send nothing of theirs.
  if (missing.length > 0)
    say(
      `Some signing secrets are encrypted with ${missing.join(", ")}, which this node lacks in ENCRYPTION_KEYS. Their messages wait. npx vestry doctor shows where to find the keys.`,
    );
}
