import { requireKeys } from "../app/encryption-keys.ts";
import { encryptionKeysOf, knownKeysOf } from "../app/config.ts";
import { Cipher } from "../store/cipher.ts";
import { keysInUse, reencryptSecrets } from "../webhooks/index.ts";
import type { Db } from "../store/db.ts";
import type { AddCommand } from "./context.ts";
import { withDatabase } from "./database.ts";

const secretsOf = (count: number) => (count === 1 ? "1 secret" : `${count} secrets`);

export const addKeys: AddCommand = (program, context) => {
  const keys = program.command("keys").description("List and rotate encryption keys.");

  keys
    .command("list")
    .description("List the encryption keys and how many secrets need each.")
    .action(
      context.action(async () => {
        const configured = knownKeysOf(context.config()).map(({ id }) => id);
        const used = await withDatabase(context, keysOnAll);
        const listed = [...new Set([...configured, ...used.keys()])].map((id) => ({
          id,
          encrypts: id === configured[0],
          configured: configured.includes(id),
          secrets: used.get(id) ?? 0,
        }));
        return {
          json: { keys: listed },
          lines: listed.map(
            ({ configured: known, encrypts, id, secrets }) =>
              `${id}  ${encrypts ? "encrypts" : known ? "decrypts" : "MISSING from ENCRYPTION_KEYS"}  ${secretsOf(secrets)}`,
          ),
        };
      }),
    );

  keys
    .command("rotate")
    .description(
      "Re-encrypt every secret with the first key of ENCRYPTION_KEYS while the service runs.",
    )
    .action(
      context.action(async () => {
        const { done, ring } = await withDatabase(context, async (db) => {
          const config = context.config();
          for (const server of db.servers) await requireKeys(server, config);
          const configured = encryptionKeysOf(config);
          const cipher = new Cipher(configured);
          const done = { rotated: 0, current: 0, unreadable: 0 };
          for (const server of db.servers) {
            const part = await reencryptSecrets(server, cipher);
            for (const name of ["rotated", "current", "unreadable"] as const)
              done[name] += part[name];
          }
          return { done, ring: configured };
        });
        const { current, rotated, unreadable } = done;
        const [first, ...others] = ring.map(({ id }) => id);
        const lines = [
          `Re-encrypted ${secretsOf(rotated)} with the key ${first}; ${current} already used it.`,
        ];
        if (unreadable > 0)
          lines.push(
            `${secretsOf(unreadable)} could not be decrypted with ENCRYPTION_KEYS and stayed unchanged.`,
            "Run npx vestry doctor to see which keys are missing. If none is missing, one key has the wrong value.",
          );
        else if (others.length > 0)
          lines.push(
            `After every node has restarted with these keys, remove ${others.join(", ")} from ENCRYPTION_KEYS.`,
          );
        return { json: { ...done }, exitCode: unreadable > 0 ? 1 : 0, lines };
      }),
    );
};

/** The number of secrets for each key, on all servers. */
async function keysOnAll(db: Db): Promise<ReadonlyMap<string, number>> {
  const used = new Map<string, number>();
  for (const server of db.servers)
    for (const [id, secrets] of await keysInUse(server))
      used.set(id, (used.get(id) ?? 0) + secrets);
  return used;
}
