import type { FastifyInstance } from "fastify";
import { unavailable } from "../../base/errors.ts";
import type { Db } from "../../store/db.ts";
import { readinessOf } from "../../store/readiness.ts";

const uncounted = { config: { uncounted: true } } as const;

/**
 * `/livez` reports that the process runs. `/readyz` reports that it can serve requests: the database answers and the
 * service is not stopping.
 */
export function registerHealth(
  app: FastifyInstance,
  db: Db,
  isStopping: () => boolean,
  note: () => string = () => "",
): void {
  const askDatabase = readinessOf(db);
  app.get("/livez", uncounted, async (_request, reply) => reply.type("text/plain").send("ok\n"));
  app.get("/readyz", uncounted, async (_request, reply) => {
    if (isStopping()) throw unavailable(5);
    await askDatabase();
    return reply.type("text/plain").send(`ready\n${note()}`);
  });
}
