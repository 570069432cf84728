import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { codes } from "../src/base/errors.ts";
import { describedCatalogue } from "../src/catalogue.ts";
import { serviceDocument } from "../src/contract/service-document.ts";
import { startService, type TestService } from "./support/service.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** As a visitor: no token, and no origin, since a browser sends none with a page. */
const visit = (path: string, headers: Record<string, string> = {}) =>
  service.get(path, { as: null, headers: { Origin: null, ...headers } });

/** The URLs of the resources that the page loads. */
async function assets(): Promise<string[]> {
  const { text } = await visit("/docs");
  return [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map((match) => match[1] ?? "");
}

test("anybody may read the document, which names no host", async () => {
  const answer = await visit("/openapi.json");
  assert.equal(answer.status, 200);
  const document = JSON.parse(answer.text) as { servers: unknown };
  assert.deepEqual(document, JSON.parse(JSON.stringify(serviceDocument(describedCatalogue))));
  assert.deepEqual(document.servers, [{ url: "/" }]);
});

test("the page sends requests to this service only", async () => {
  const answer = await visit("/docs");
  assert.equal(answer.status, 200);
  assert.doesNotMatch(answer.text, /https?:\/\//);
  const policy = new Map(
    (answer.headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources.join(" ")];
    }),
  );
  assert.equal(policy.get("default-src"), "'none'");
  assert.equal(policy.get("script-src"), "'self'");
  assert.equal(policy.get("connect-src"), "'self'");
  assert.equal(policy.get("frame-ancestors"), "'none'");
  assert.doesNotMatch([...policy.values()].join(" "), /http|\*/);
});

test("the resources of the page exist, are immutable and are named by their content", async () => {
  const loaded = await assets();
  assert.deepEqual(
    loaded.map((path) => path.replace(/\?.*/, "")),
    ["/docs/page.css", "/docs/scalar.js", "/docs/page.js"],
  );
  for (const path of loaded) {
    const answer = await visit(path);
    assert.equal(answer.status, 200, path);
    assert.match(answer.headers.get("cache-control") ?? "", /immutable/);
    assert.equal(answer.headers.get("etag"), `"${path.split("?v=")[1]}"`);
    assert.ok(answer.text.length > 500, path);
  }
});

test("unchanged resources are not sent again", async () => {
  for (const path of ["/openapi.json", "/docs", ...(await assets())]) {
    const etag = (await visit(path)).headers.get("etag") ?? "";
    const again = await visit(path, { "If-None-Match": etag });
    assert.equal(again.status, 304, path);
    assert.equal(again.text, "");
  }
});

test("resources are compressed for clients that accept it", async () => {
  for (const [sent, kept] of [
    ["gzip, br", "gzip"],
    ["identity", null],
  ] as const) {
    const answer = await visit("/docs/scalar.js", { "Accept-Encoding": sent });
    assert.equal(answer.headers.get("content-encoding"), kept);
    assert.match(answer.headers.get("vary") ?? "", /Accept-Encoding/);
    assert.match(answer.text, /createApiReference/);
  }
});

test("links.type of an error leads to the entry of its code", async () => {
  const { document } = await service.get("/v1/courses/x");
  const [error] = document.errors ?? [];
  const { hash, pathname } = new URL(error?.links.type ?? "");
  assert.equal(hash, "#not-found");
  const page = await visit(pathname);
  assert.equal(page.status, 200);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  for (const code of Object.keys(codes)) assert.ok(page.text.includes(`id="${code}"`), code);
});
