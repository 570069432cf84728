import type { Server } from "node:http";
import type { Metrics } from "./metrics.ts";

/**
 * An `import` reads every member of a module, and one of this one's, `WebSocket`, loads all that `fetch` needs. Nobody here
 * needs it, and it would stay in memory for good.
 */
const { createServer } = process.getBuiltinModule("node:http");

export interface MetricsServerOptions {
  host: string;
  port: number;
  metrics: Metrics;
  /** What `/readyz` asks, as on the service's own port. */
  isReady: () => Promise<boolean>;
}

/**
 * `/metrics` for Prometheus, on a port of its own that the world need not reach; and `/livez` and `/readyz`, so that a
 * node that only works, and has no other port, can be watched like the others.
 */
export function startMetricsServer(options: MetricsServerOptions): Promise<Server> {
  const { metrics, isReady } = options;
  const server = createServer((request, response) => {
    const answer = (status: number, text: string, type = "text/plain; charset=utf-8") => {
      response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" });
      response.end(request.method === "HEAD" ? undefined : text);
    };
    const fail = () => answer(500, "The metrics could not be collected.\n");
    if (request.method !== "GET" && request.method !== "HEAD") return answer(405, "Only GET.\n");
    switch (request.url?.split("?", 1)[0]) {
      case "/metrics":
        metrics.text().then((text) => answer(200, text, metrics.contentType), fail);
        return;
      case "/livez":
        return answer(200, "ok\n");
      case "/readyz":
        isReady().then(
          (ready) => (ready ? answer(200, "ready\n") : answer(503, "stopping\n")),
          () => answer(503, "The database cannot be reached.\n"),
        );
        return;
      default:
        return answer(404, "There are /metrics, /livez and /readyz.\n");
    }
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: options.host, port: options.port }, () => resolve(server));
  });
}
