/** The service as `vestry serve` runs it, but for the log, which is silent, and the rate limits, which are off. */
import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { buildApp } from "../../src/api/app.ts";
import { connect } from "../../src/store/db.ts";
import { webhookParts } from "../support/webhook-parts.ts";
import { serveBench } from "./child.ts";

serveBench(async ({ databaseUrl, origin, connections }) => {
  const app = buildApp({
    db: connect(databaseUrl, { max: connections }),
    origins: [origin],
    publicUrl: origin,
    rateLimits: false,
    throttleKey: randomBytes(32),
    webhooks: webhookParts(),
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return (app.server.address() as AddressInfo).port;
});
