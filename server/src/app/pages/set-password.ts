import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import { asset, CSS, HTML, IMMUTABLE, JAVASCRIPT, REVALIDATED, serveFile } from "./static-files.ts";

/** The page that invitations and password resets link to, where the web app is not built. The app has its own. */
export function registerSetPassword(app: FastifyInstance): void {
  const script = asset(JAVASCRIPT, () => own("page.js"));
  const style = asset(CSS, () => own("page.css"));
  const page = asset(HTML, async () =>
    (await own("page.html"))
      .replace("{{script}}", (await script()).hash)
      .replace("{{style}}", (await style()).hash),
  );
  serveFile(app, "/set-password", page, { ...REVALIDATED, "Content-Security-Policy": POLICY });
  serveFile(app, "/set-password/page.js", script, IMMUTABLE);
  serveFile(app, "/set-password/page.css", style, IMMUTABLE);
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const own = (name: string) => readFile(new URL(`set-password/${name}`, import.meta.url), "utf8");
