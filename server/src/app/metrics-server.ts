import type { Server } from "node:http";
import type { Metrics } from "./metrics.ts";

/**
 * An `import` reads every member of node:http. One of them, `WebSocket`, loads the implementation of `fetch`, which would
 * use memory without being needed.
 */
const { createServer } = process.getBuiltinModule("node:http");

export interface MetricsServerOptions {
  host: string;
  port: number;
  metrics: Metrics;
  /** The check behind `/readyz`, the same as on the service's own port. */
  isReady: () => Promise<boolean>;
  /** A line that `/readyz` adds. */
  readinessNote?: () => string;
}

/**
 * Serves `/metrics` for Prometheus on a separate port, which need not be public. It also serves `/livez` and `/readyz`,
 * because a worker has no other port.
 */
export function startMetricsServer(options: MetricsServerOptions): Promise<Server> {
  const { metrics, isReady, readinessNote = () => "" } = options;
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
          (ready) => (ready ? answer(200, `ready\n${readinessNote()}`) : answer(503, "stopping\n")),
          () => answer(503, "The database cannot be reached.\n"),
        );
        return;
      default:
        return answer(404, "Not found. The paths are /metrics, /livez and /readyz.\n");
    }
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: options.host, port: options.port }, () => resolve(server));
  });
}
