import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, beforeEach, test } from "node:test";
import { newId } from "../src/base/ids.ts";
import { makeCell } from "./support/cells.ts";
import { makeClass } from "./support/courses.ts";
import { makeAccount, makeRow } from "./support/make.ts";
import { type Answer, startService, type TestService } from "./support/service.ts";
import { openPublicArea } from "./support/visits.ts";

/** The pages of accounts without a website. They read the documents of /p/v1, whose tests hold the rules of the public area. */

const HOSTILE = `</script></title><script>alert("1")</script> & 'it'`;

let service: TestService;
let root: string;
before(async () => {
  service = await startService();
  root = `/c/${service.account.alias}`;
});
after(() => service.stop());
beforeEach(async () => {
  await show({ "public-pages": true, "public-area": true, "lang": "en" });
  await service.db`update accounts set church_name = 'Grace Church', status = 'active' where id = ${service.account.id}`;
});

const show = (settings: Record<string, unknown>, accountId = service.account.id) =>
  openPublicArea(service.db, accountId, settings);

const visit = (path: string, headers: Record<string, string> = {}) =>
  service.get(path, { as: null, headers: { Origin: null, ...headers } });

const cell = (columns: Parameters<typeof makeCell>[2] = {}, accountId = service.account.id) =>
  makeCell(service.db, accountId, { is_public: true, ...columns });

const course = (columns: Record<string, string> = {}) =>
  makeRow(service.db, "courses", service.account.id, {
    name: "Alpha",
    is_public: true,
    ...columns,
  });

const title = ({ text }: Answer) => /<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1];

test("every text of a church is escaped, also in the facts for search engines", async () => {
  const hostile = { name: HOSTILE, description: HOSTILE };
  const courseId = await course({ ...hostile, category: HOSTILE, summary: HOSTILE });
  const classId = await makeClass(service.db, service.account.id, courseId, {
    name: HOSTILE,
    location: HOSTILE,
    is_public: true,
  });
  const cellId = await cell(hostile);
  await service.db`
    update accounts set church_name = ${HOSTILE}, phone = ${HOSTILE},
      settings = settings || jsonb_build_object('cells-label', ${HOSTILE}::text)
    where id = ${service.account.id}`;
  const hostileQuery = new URLSearchParams({ city: HOSTILE, for: HOSTILE, lat: HOSTILE });
  const search = `/cells?${hostileQuery.toString()}`;
  for (const path of [
    "",
    "/courses",
    `/courses/${courseId}`,
    `/classes/${classId}`,
    "/cells",
    search,
    `/cells/${cellId}`,
    "/nothing",
  ]) {
    const { text } = await visit(root + path);
    assert.equal(text.includes("&lt;script&gt;alert(&quot;1&quot;)"), true, path);
    assert.equal(text.includes("<script>alert"), false, path);
    assert.equal(text.match(/<\/title>/g)?.length, 1, path);
  }
  const { text } = await visit(`${root}/courses/${courseId}`);
  const facts = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? "";
  assert.equal((JSON.parse(facts) as { name: string }).name, HOSTILE);
});

test("404 · an account without pages looks like an account that does not exist", async () => {
  const unknown = await visit("/c/nobody");
  assert.equal(unknown.status, 404);
  assert.equal(unknown.headers.get("cache-control"), "no-store");
  const { account, db } = service;
  const closings = [
    () => show({ "public-pages": false }),
    () => show({ "public-area": false }),
    () => db`update accounts set integration_approved = false where id = ${account.id}`,
    () => db`update accounts set status = 'inactive' where id = ${account.id}`,
  ];
  for (const close of closings) {
    await show({ "public-pages": true, "public-area": true });
    assert.equal((await visit(root)).status, 200);
    await close();
    for (const path of [root, `${root}/cells`, `${root}/sitemap.xml`]) {
      const closed = await visit(path);
      assert.deepEqual([closed.status, closed.text], [404, unknown.text], path);
    }
  }
});

test("404 · private rows and those of other accounts do not exist, in the church's language", async () => {
  const other = await makeAccount(service.db);
  await show({ "public-pages": true }, other.id);
  await show({ lang: "es" });
  const hidden = await cell({ is_public: false, name: "Hidden" });
  const foreign = await cell({ name: "Foreign" }, other.id);
  for (const id of [hidden, foreign, newId(), "me", "%00"]) {
    const answer = await visit(`${root}/cells/${id}`);
    assert.deepEqual([answer.status, title(answer)], [404, "Esta página no existe"], id);
  }
  const { text } = await visit(`${root}/cells`);
  assert.doesNotMatch(text, /Hidden|Foreign/);
  assert.doesNotMatch(
    (await visit(`${root}/sitemap.xml`)).text,
    new RegExp(`${hidden}|${foreign}`),
  );
});

test("404 · a page that does not exist leads on to the church, and shows its logo from another host", async () => {
  const { account, db } = service;
  await db`update accounts set logo_url = 'https://files.church.example/logo.png' where id = ${account.id}`;
  const answer = await visit(`${root}/cells/${newId()}`);
  await db`update accounts set logo_url = null where id = ${account.id}`;
  assert.equal(answer.status, 404);
  assert.ok(answer.text.includes(`<a href="${root}/courses">`), answer.text);
  assert.ok(answer.text.includes(`<img src="https://files.church.example/logo.png"`), answer.text);
  const policy = answer.headers.get("content-security-policy") ?? "";
  assert.match(policy, /img-src [^;]*https:\/\/files\.church\.example/);
});

test("a page has the language of the church, and an unknown church that of the reader", async () => {
  const expected = { "en": "Courses", "pt-BR": "Cursos", "es-MX": "Cursos", "fr": "Courses" };
  for (const [lang, heading] of Object.entries(expected)) {
    await show({ lang });
    const page = await visit(`${root}/courses`, { "Accept-Language": "de" });
    assert.equal(title(page), heading);
    const language = { "es-MX": "es", "fr": "en" }[lang] ?? lang;
    assert.match(page.text, new RegExp(`<html lang="${language}">`));
  }
  const unknown = await visit("/c/nobody", { "Accept-Language": "pt;q=0.9, en" });
  assert.equal(title(unknown), "Esta página não existe");
});

test("pages are cached like the public area, with a policy that runs no inline script", async () => {
  const page = await visit(root, { Cookie: "vestry=vbt_unknown" });
  assert.equal(page.headers.get("cache-control"), "public, max-age=300");
  assert.doesNotMatch(page.headers.get("vary") ?? "", /cookie/i);
  assert.match(
    page.headers.get("content-security-policy") ?? "",
    /^default-src 'none'; script-src 'self'; style-src 'self';/,
  );
  const again = await visit(root, { "If-None-Match": page.headers.get("etag") ?? "" });
  assert.deepEqual([again.status, again.text], [304, ""]);
  const files = [...page.text.matchAll(/"(\/c\/page[^"]+)"/g)].map(([, file = ""]) => file);
  assert.equal(files.length, 2);
  for (const file of files)
    assert.match((await visit(file)).headers.get("cache-control") ?? "", /immutable/);
});

test("429 · pages count as reads of the public area", async () => {
  const limited = await startService({
    rateLimits: { public: { requests: 2, windowMs: 60_000 } },
    visitorLimits: true,
  });
  const get = (path: string) => limited.get(path, { as: null, headers: { Origin: null } });
  await get("/c/nobody");
  await get("/p/v1/cells");
  const answer = await get("/c/nobody");
  assert.deepEqual([answer.status, title(answer)], [429, "Many people are reading this now"]);
  assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
  await limited.stop();
});

test("the week of a search begins with the first weekday of the account, and the locale names its country", async () => {
  await show({ "country": "PT", "first-weekday": 1 });
  const { text } = await visit(`${root}/cells`);
  const days = [...text.matchAll(/<option value="(\d)">(\w+day)</g)].map(([, day]) => day);
  assert.deepEqual(days, ["1", "2", "3", "4", "5", "6", "0"]);
  assert.match(text, /property="og:locale" content="en_PT"/);
});

test("visitors search by place, and parameters of other sites mean nothing", async () => {
  await service.db`delete from cells where account_id = ${service.account.id}`;
  const places = { Near: [38.71, -9.14], Nearer: [38.72, -9.14], Far: [41.15, -8.61] };
  for (const [name, [latitude, longitude]] of Object.entries(places)) {
    const id = await cell({ name });
    await service.db`
      update cells set address = ${JSON.stringify({ latitude, longitude })}::text::jsonb where id = ${id}`;
  }
  await show({ country: "PT" });
  const { text } = await visit(`${root}/cells?lat=38.7204&lng=-9.1399&km=5&fbclid=x&weekday=9`);
  const found = [...text.matchAll(/<h2><a [^>]+><bdi>(\w+)/g)].map(([, name]) => name);
  assert.deepEqual(found, ["Nearer", "Near"]);
  assert.match(text, /name="lat" value="38.72"/);
  assert.match(text, /<p class="quiet">[01]\.\d km<\/p>/);
});

/** The facts of a page for search engines. */
const factsOf = ({ text }: Answer) =>
  JSON.parse(
    /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? "null",
  ) as Record<string, unknown> | null;

test("the church, a class and a cell have facts for search engines, without what the page does not show", async () => {
  await service.db`delete from cells where account_id = ${service.account.id}`;
  const courseId = await course();
  const classId = await makeClass(service.db, service.account.id, courseId, {
    name: "Autumn",
    location: "Main hall",
    is_public: true,
  });
  const cellId = await cell({ name: "North", weekday: 2, starts_at: 1170, ends_at: 1260 });
  await service.db`
    update cells set address = ${JSON.stringify({ street: "Secret Street", city: "Olinda" })}::text::jsonb
    where id = ${cellId}`;
  assert.partialDeepStrictEqual(factsOf(await visit(root)), {
    "@type": "Church",
    "name": "Grace Church",
  });
  assert.partialDeepStrictEqual(factsOf(await visit(`${root}/classes/${classId}`)), {
    "@type": "CourseInstance",
    "name": "Alpha · Autumn",
    "location": { name: "Main hall" },
  });
  const found = await visit(`${root}/cells/${cellId}`);
  assert.partialDeepStrictEqual(factsOf(found), {
    "@type": "Event",
    "name": "North",
    "eventSchedule": {
      byDay: "https://schema.org/Tuesday",
      startTime: "19:30",
      endTime: "21:00",
      repeatFrequency: "P1W",
    },
    "location": { address: { addressLocality: "Olinda" } },
  });
  assert.ok(!found.text.includes("Secret Street"), found.text);
});

test("301 · a slash at the end of a path leads to the page, and never to another site", async () => {
  const follow = async (path: string) => {
    const answer = await visit(path);
    return [answer.status, answer.headers.get("location")];
  };
  assert.deepEqual(await follow(`${root}/`), [301, root]);
  assert.deepEqual(await follow(`${root}/cells/?weekday=2`), [301, `${root}/cells?weekday=2`]);
  assert.deepEqual(await follow(`${root}//evil.example/`), [301, `${root}//evil.example`]);
  assert.equal((await follow("/c/nobody/"))[0], 404);
});

test("robots.txt names the sitemap of the churches with pages, and no other church", async () => {
  const other = await makeAccount(service.db);
  const robots = await visit("/robots.txt");
  const address = /^Sitemap: (.*)$/m.exec(robots.text)?.[1] ?? "";
  assert.equal(new URL(address).pathname, "/c/sitemap.xml");
  const { text } = await visit("/c/sitemap.xml");
  assert.ok(text.includes(`${root}/sitemap.xml</loc>`), text);
  assert.ok(!text.includes(`/c/${other.alias}/`), text);
  const page = await visit(root);
  const icon = /<link rel="icon" href="([^"]+)">/.exec(page.text)?.[1] ?? "";
  const file = await visit(icon);
  assert.deepEqual([file.status, file.headers.get("content-type")], [200, "image/svg+xml"]);
});

test("the style has the tokens of the web app", async () => {
  const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
  const tokensIn = (css: string) =>
    new Map(
      [...css.matchAll(/^\s+(--[\w-]+): (.*);$/gm)].map(([, name = "", value]) => [name, value]),
    );
  const app = tokensIn(await read("web/src/ui/tokens.css"));
  const own = tokensIn(await read("server/src/app/church-pages/page.css"));
  assert.ok(own.size > 10);
  for (const [name, value] of own) assert.equal(value, app.get(name), name);
});
