import { encryptionKeysOf, knownKeysOf } from "../app/config.ts";
import { Cipher } from "../store/cipher.ts";
import { keysInUse, reencryptSecrets } from "../webhooks/endpoints/reencrypt.ts";
import { type Command, command } from "./command.ts";
import { withDatabase } from "./database.ts";

export const commands: readonly Command[] = [
  command({
    name: "keys list",
    summary: "Lists the encryption keys, and how many secrets need each.",
    options: {},
    async run(_values, context) {
      const configured = knownKeysOf(context.config()).map(({ id }) => id);
      const used = await withDatabase(context, keysInUse);
      const keys = [...new Set([...configured, ...used.keys()])].map((id) => ({
        id,
        encrypts: id === configured[0],
        configured: configured.includes(id),
        secrets: used.get(id) ?? 0,
      }));
      return {
        json: { keys },
        lines: keys.map(
          ({ configured: known, encrypts, id, secrets }) =>
            `${id}  ${encrypts ? "encrypts" : known ? "decrypts" : "MISSING from ENCRYPTION_KEYS"}  ${secrets === 1 ? "1 secret" : `${secrets} secrets`}`,
        ),
      };
    },
  }),
  command({
    name: "keys rotate",
    summary:
      "Encrypts every secret anew with the first key of ENCRYPTION_KEYS, while the service runs.",
    options: {},
    async run(_values, context) {
      const { done, ring } = await withDatabase(context, async (db) => {
        const keys = encryptionKeysOf(context.config());
        return { done: await reencryptSecrets(db, new Cipher(keys)), ring: keys };
      });
      const { current, rotated, unreadable } = done;
      const [first, ...others] = ring.map(({ id }) => id);
      return {
        json: { ...done },
        exitCode: unreadable > 0 ? 1 : 0,
        lines: [
          `${rotated} encrypted anew with the key ${first}, ${current} had it already.`,
          ...(unreadable > 0
            ? [
                `${unreadable} cannot be read with the keys of ENCRYPTION_KEYS and stay as they are: npx vestry doctor says which are missing, and where they are. If none is, one has not the value it had.`,
              ]
            : others.length > 0
              ? [
                  `Once every node has been started with this ring, ${others.join(", ")} can be taken out of ENCRYPTION_KEYS.`,
                ]
              : []),
        ],
      };
    },
  }),
];
