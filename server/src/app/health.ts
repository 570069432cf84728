import type { FastifyInstance } from "fastify";
import { unavailable } from "../base/errors.ts";
import type { Db } from "../store/db.ts";
import { readinessOf } from "../store/readiness.ts";

const uncounted = { config: { uncounted: true } } as const;

/**
 * `/livez`: the process runs, which it says without asking anybody. `/readyz`: it can serve, which takes the database;
 * while it stops it is no longer ready, so that a balancer sends nothing more.
 */
export function registerHealth(app: FastifyInstance, db: Db, isStopping: () => boolean): void {
  const askDatabase = readinessOf(db);
  app.get("/livez", uncounted, async (_request, reply) => reply.type("text/plain").send("ok\n"));
  app.get("/readyz", uncounted, async (_request, reply) => {
    if (isStopping()) throw unavailable(5);
    await askDatabase();
    return reply.type("text/plain").send("ready\n");
  });
}
