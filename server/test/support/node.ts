import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/app/config.ts";
import { startService } from "../../src/app/service.ts";
import { freePort } from "../../src/store/embedded.ts";
import { PATIENCE_MS } from "./patience.ts";
import { startReceiver, testAuthority } from "./receiver.ts";

interface Options {
  urls: readonly string[];
  poolers?: readonly { url: string }[];
  say?: (line: string) => void;
  answerMsMax?: number;
}

/** A node of several servers with its engine and jobs, and a receiver that it trusts. */
export async function startNode({
  answerMsMax = PATIENCE_MS,
  poolers = [],
  say = () => undefined,
  urls,
}: Options) {
  const directory = await mkdtemp(join(tmpdir(), "vestry-node-"));
  const receiver = await startReceiver();
  const authority = join(directory, "authority.pem");
  await writeFile(authority, testAuthority().cert);
  const port = await freePort();
  const close = async () => {
    await receiver.close();
    await rm(directory, { recursive: true });
  };
  const node = await startService({
    role: "all",
    say,
    answerMsMax,
    config: readConfig({
      DATABASE_SHARDS: urls.join(" "),
      DATABASE_SHARD_POOLERS: poolers.map(({ url }) => url).join(" "),
      DATA_DIR: join(directory, "data"),
      PORT: String(port),
      METRICS_PORT: "off",
      LOG_LEVEL: "silent",
      DEMO: "off",
      // The key of the tests' cipher, which encrypted the secrets.
      ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}`,
      WEBHOOK_ALLOW_NETWORKS: "127.0.0.0/8",
      WEBHOOK_CA_FILE: authority,
    }),
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    node,
    port,
    receiver,
    async stop() {
      await node.stop("test");
      await close();
    },
  };
}
