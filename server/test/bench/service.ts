/** The service as `vestry serve` runs it, whole, but for the log, which is silent, and the rate limits, which are off. */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readConfig } from "../../src/config.ts";
import { startService } from "../../src/service.ts";
import { serveBench } from "./child.ts";

serveBench(async ({ databaseUrl, origin, role }) => {
  const [port, metricsPort] = await freePorts(2);
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DEMO: "off",
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString("base64")}`,
    LOG_LEVEL: "silent",
    METRICS_PORT: String(metricsPort),
    ORIGINS: origin,
    PORT: String(port),
    RATE_LIMITS: "off",
  });
  await startService({ config, role, say: () => {} });
  return config.port;
});

/** Held together and then let go, so that no two are one. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = servers.map(
    (server) =>
      new Promise<number>((resolve) =>
        server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
      ),
  );
  const found = await Promise.all(ports);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return found;
}
