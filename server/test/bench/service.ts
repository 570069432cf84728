/** The service as `vestry serve` runs it, but for the log, which is silent, and the rate limits, which are off. */
import type { AddressInfo } from "node:net";
import { buildApp } from "../../src/api/app.ts";
import { connect } from "../../src/store/db.ts";
import { serveBench } from "./child.ts";

serveBench(async ({ databaseUrl, origin, connections }) => {
  const db = connect(databaseUrl, { max: connections });
  const app = buildApp({ db, origins: [origin], publicUrl: origin, rateLimits: false });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return (app.server.address() as AddressInfo).port;
});
