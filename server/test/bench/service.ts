/** The service as `vestry serve` runs it, whole, but for the log, which is silent, the rate limits, and the port of the metrics. */
import { randomBytes } from "node:crypto";
import { readConfig } from "../../src/app/config.ts";
import { startService } from "../../src/app/service.ts";
import { freePort } from "../../src/store/embedded.ts";
import { PUBLIC_URL, serveBench } from "./child.ts";

serveBench(async ({ databaseShards, databaseUrl, filesDir = "", origin, role }) => {
  const config = readConfig({
    ...(databaseShards
      ? { DATABASE_SHARDS: databaseShards.join(" ") }
      : { DATABASE_URL: databaseUrl }),
    DEMO: "off",
    FILES_DIR: filesDir,
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString("base64")}`,
    LOG_LEVEL: "silent",
    METRICS_PORT: "off",
    ORIGINS: origin,
    PORT: String(await freePort()),
    PUBLIC_URL,
    RATE_LIMITS: "off",
    VISITOR_LIMITS: "off",
  });
  await startService({ config, role, say: () => {} });
  return config.port;
});
