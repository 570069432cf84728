import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const server = await createServer({
  configFile: fileURLToPath(new URL("vite.config.ts", import.meta.url)),
  server: { host: "127.0.0.1", port: Number(process.env.PORT ?? 5173) },
});
await server.listen();
server.printUrls();
