import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { WebApp } from "../src/app/pages/web-app.ts";
import { limits } from "../src/base/limits.ts";
import { freshDirectory } from "./support/files.ts";
import { codes, etag, startService, type TestService } from "./support/service.ts";
import { cookieFor, inSession } from "./support/session.ts";
import { makeLogin } from "./support/sign-in.ts";

const PAGE = "<!doctype html><title>Vestry</title>";
const SCRIPT = `console.log(${JSON.stringify("x".repeat(2_000))});`;

let directory: Awaited<ReturnType<typeof freshDirectory>>;
let service: TestService;
before(async () => {
  directory = await freshDirectory();
  const write = (path: string, content: string | Buffer) =>
    writeFile(join(directory.path, path), content);
  await mkdir(join(directory.path, "assets"));
  await mkdir(join(directory.path, ".vite"));
  await write(".vite/manifest.json", "{}");
  await write("build.json", JSON.stringify({ hash: "0123456789abcdef", files: [] }));
  await write("index.html", PAGE);
  await write("sw.js", "self.skipWaiting();");
  await write("manifest.webmanifest", "{}");
  await write("icon.svg", "<svg/>");
  await write("assets/main-B1_c.js", SCRIPT);
  await write("assets/main-B1_c.js.br", brotliCompressSync(SCRIPT));
  await write("assets/main-B1_c.js.gz", gzipSync(SCRIPT));
  await write("assets/main-B1_c.css", "body{}");
  const web = WebApp.in(directory.path);
  service = await startService({ rateLimits: true, throttleKey: Buffer.alloc(32, 8), web });
});
after(async () => {
  await service.stop();
  await directory.remove();
});

const get = (path: string, headers: Record<string, string | null> = {}) =>
  service.get(path, { as: null, headers: { Origin: null, ...headers } });
const html = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("the web app", () => {
  test("every page is the same document, which browsers revalidate", async () => {
    for (const [path, headers] of [
      ["/", {}],
      ["/", html],
      ["/people", html],
      ["/people/0198?tab=notes", html],
      ["/print/cells/1", html],
      ["/set-password", html],
      ["/v1beta", html],
    ] as const) {
      const answer = await get(path, headers);
      assert.deepEqual([answer.status, answer.text], [200, PAGE], path);
      assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
      assert.equal(answer.headers.get("cache-control"), "no-cache");
      assert.equal(
        answer.headers.get("content-security-policy"),
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
          "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; " +
          "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types vestry",
      );
      const again = await get(path, { ...headers, "If-None-Match": etag(answer) });
      assert.deepEqual([again.status, again.text], [304, ""]);
    }
    const head = await service.request("HEAD", "/people", { as: null, headers: html });
    assert.deepEqual([head.status, head.text], [200, ""]);
  });

  test("programs get the errors of the service, and its paths keep their 404", async () => {
    for (const [path, headers] of [
      ["/people", { Accept: "*/*" }],
      ["/people", { Accept: "application/vnd.api+json" }],
      ["/v1", html],
      ["/v1/nothing", html],
      ["/v1/people/nobody/nothing", html],
      ["/p/v1/nothing", html],
      ["/docs/nothing", html],
      ["/assets/gone.js", html],
      ["/assets/gone.js", {}],
      ["/session/nothing", html],
    ] as const) {
      const answer = await get(path, headers);
      assert.deepEqual([answer.status, codes(answer)], [404, ["not-found"]], path);
      assert.equal(answer.headers.get("cache-control"), "no-store", path);
    }
    const post = await service.post("/people", {}, { as: null, headers: html });
    assert.equal(post.status, 404);
    assert.equal((await get("/authenticate", html)).status, 405);
    const { status } = await service.get("/v1/people/me", { headers: html });
    assert.equal(status, 200);
  });

  test("assets are immutable, compressed, and do not count", async () => {
    for (const [accepted, encoding] of [
      ["gzip, deflate, br", "br"],
      ["gzip", "gzip"],
      ["identity", null],
    ] as const) {
      const answer = await get("/assets/main-B1_c.js", { "Accept-Encoding": accepted });
      assert.deepEqual([answer.status, answer.text], [200, SCRIPT]);
      assert.equal(answer.headers.get("content-encoding"), encoding);
      assert.equal(answer.headers.get("content-type"), "text/javascript; charset=utf-8");
      assert.equal(answer.headers.get("cache-control"), "public, max-age=31536000, immutable");
      assert.match(answer.headers.get("vary") ?? "", /Accept-Encoding/);
    }
    const style = await get("/assets/main-B1_c.css", { "Accept-Encoding": "br" });
    assert.deepEqual([style.text, style.headers.get("content-encoding")], ["body{}", null]);
    for (let count = 0; count <= limits.requestsPerAddress; count++)
      assert.equal((await get("/assets/main-B1_c.css")).headers.get("ratelimit"), null);
    assert.equal((await get("/")).status, 200);
  });

  test("the service worker, the manifest and the icons are revalidated", async () => {
    for (const [path, type] of [
      ["/sw.js", "text/javascript; charset=utf-8"],
      ["/manifest.webmanifest", "application/manifest+json"],
      ["/icon.svg", "image/svg+xml"],
    ] as const) {
      const answer = await get(path);
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers.get("content-type"), type);
      assert.equal(answer.headers.get("cache-control"), "no-cache");
      assert.match(answer.headers.get("content-security-policy") ?? "", /connect-src 'self'/);
    }
  });

  test("no other file is served", async () => {
    for (const path of [
      "/build.json",
      "/.vite/manifest.json",
      "/assets/",
      "/assets/.",
      "/assets/..%2Findex.html",
      "/assets/..%5Cindex.html",
      "/assets/%2e%2e%2fbuild.json",
      "/assets/main-B1_c.js.br",
      "/assets/main-B1_c.js%00",
      "/assets/__proto__",
    ])
      assert.equal((await get(path)).status, 404, path);
  });

  test("the session names the build", async () => {
    const { email } = await makeLogin(service.db, service.account, "build");
    const { text } = await service.get("/session", inSession(await cookieFor(service, email)));
    const { service: facts } = JSON.parse(text) as { service: { web: string } };
    assert.equal(facts.web, "0123456789abcdef");
  });

  test("without a build, people who open the address come to the reference", async (t) => {
    assert.equal(WebApp.in(join(directory.path, "assets")), undefined);
    const plain = await startService();
    t.after(() => plain.stop());
    const answer = await plain.get("/", { as: null, headers: html });
    assert.deepEqual([answer.status, answer.headers.get("location")], [302, "/docs"]);
    assert.equal((await plain.get("/people", { as: null, headers: html })).status, 404);
    assert.equal((await plain.get("/set-password", { as: null, headers: html })).status, 200);
  });
});

describe("compression", () => {
  const read = (path: string, accepted: string, as = service.account.administrator.token) =>
    service.get(path, { as, headers: { "Accept-Encoding": accepted } });

  test("documents are compressed, and every form has the same ETag", async () => {
    const plain = await read("/v1/people/me", "identity");
    assert.ok(plain.text.length > 1_024);
    assert.equal(plain.headers.get("content-encoding"), null);
    assert.equal(plain.headers.get("vary"), "Origin, Accept-Encoding");
    for (const [accepted, encoding] of [
      ["gzip, br", "br"],
      ["gzip", "gzip"],
    ] as const) {
      const answer = await read("/v1/people/me", accepted);
      assert.equal(answer.headers.get("content-encoding"), encoding);
      assert.ok(Number(answer.headers.get("content-length")) < plain.text.length);
      assert.deepEqual([answer.text, etag(answer)], [plain.text, etag(plain)]);
    }
    const headers = { "If-None-Match": etag(plain), "Accept-Encoding": "br" };
    assert.equal((await service.get("/v1/people/me", { headers })).status, 304);
  });

  test("long lists are compressed beside other requests", async () => {
    const roles = await read("/v1/roles", "br");
    assert.equal(roles.headers.get("content-encoding"), "br");
    const people = Array.from({ length: 60 }, (_, index) => ({
      type: "people",
      attributes: { "full-name": `Long List ${index}` },
    }));
    for (const data of people) await service.post("/v1/people", { data });
    const long = await read("/v1/people", "br");
    assert.ok(long.text.length > 65_536);
    assert.equal(long.headers.get("content-encoding"), "br");
    assert.deepEqual(long.document, (await read("/v1/people", "identity")).document);
  });

  test("short documents, errors and secrets are not compressed", async () => {
    const endpoint = {
      type: "webhook-endpoints",
      attributes: { url: "https://receiver.example/hook", events: ["person.created"] },
    };
    const created = await service.post(
      "/v1/webhook-endpoints",
      { data: endpoint },
      { headers: { "Accept-Encoding": "br" } },
    );
    assert.equal(created.status, 201, created.text);
    assert.ok(created.text.length > 1_024);
    const wrong = {
      "full-name": "",
      ...Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x${n}`, 1])),
    };
    const refused = await service.post(
      "/v1/people",
      { data: { type: "people", attributes: wrong } },
      { headers: { "Accept-Encoding": "br" } },
    );
    assert.ok(refused.text.length > 1_024);
    const short = await read("/v1/people/me?fields[people]=full-name", "br");
    for (const answer of [created, refused, short])
      assert.equal(answer.headers.get("content-encoding"), null);
  });

  test("a session is compressed, because it contains no secret", async () => {
    const { email } = await makeLogin(service.db, service.account, "small", {
      administrativeStatus: "full-administrator",
    });
    const cookie = await cookieFor(service, email);
    const headers = { "Accept-Encoding": "br" };
    const answer = await service.get("/session", inSession(cookie, { headers }));
    assert.equal(answer.headers.get("content-encoding"), "br");
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(answer.headers.get("vary"), "Origin, Cookie, Accept-Encoding");
  });
});
