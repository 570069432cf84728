import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join as joinPath } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { newId } from "../../src/base/ids.ts";
import { limits } from "../../src/base/limits.ts";
import { freePort } from "../../src/store/embedded.ts";
import { noBrowser, startBrowser } from "../support/browser.ts";
import { join, makeCell } from "../support/cells.ts";
import { makePerson, makeRow } from "../support/make.ts";
import { freshDatabase } from "../support/database.ts";
import { runGuide, startDemo } from "../support/guides.ts";
import { filesIn } from "../support/files.ts";
import { noise } from "../support/images.ts";
import { makeForm, submissionsOf } from "../support/public-forms.ts";
import { FIRST_PARTY, startService, type TestService } from "../support/service.ts";
import { makeLogin, PASSWORD } from "../support/sign-in.ts";

/** Runs the commands of the guide in a shell, and opens the page of examples/website that they set up in a browser. */

const root = fileURLToPath(new URL("../../../", import.meta.url));
const guide = "show-courses-and-cells-on-your-website";

const ATTACK = `<img src="x" onerror="document.title='attacked'">`;

let service: TestService;
let folder: string;
let site: string;
let website: Server;
let output: string;
/** The output of the commands on the demo account, as they stand in the guide. */
let printed: string;
const ends: (() => Promise<void>)[] = [];

before(async () => {
  const publicUrl = `http://localhost:${await freePort()}`;
  folder = await mkdtemp(joinPath(tmpdir(), "vestry-website-"));
  const files = filesIn(joinPath(folder, "files"), publicUrl);
  const database = await freshDatabase("it makes the counters unusable");
  service = await startService({
    visitorLimits: true,
    rateLimits: { public: { requests: 5_000, windowMs: 20_000 } },
    publicUrl,
    origins: [publicUrl, FIRST_PARTY],
    files,
    database,
    sendsMail: true,
  });
  site = joinPath(folder, "site");
  website = await serve(site);
  const { account, db } = service;
  await db`update accounts set integration_approved = true where id = ${account.id}`;
  const login = await makeLogin(db, account, "ana");
  await db`update people set administrative_status = 'full-administrator' where id = ${login.id}`;
  await furnish(publicUrl);

  const start = await startDemo({ after: (end) => void ends.push(end) });
  // A visitor in the guide takes four seconds to fill in a form.
  [output, printed] = await Promise.all([
    runGuide(
      guide,
      { publicUrl, logins: [{ email: login.email, password: PASSWORD }] },
      {
        cwd: root,
        given: {
          ACCOUNT: account.alias,
          EMAIL: login.email,
          WEBSITE: originOf(website),
          SITE: site,
        },
      },
    ),
    runGuide(guide, start, { cwd: root, given: { SITE: joinPath(folder, "demo-site") } }),
  ]);
});

after(async () => {
  for (const end of ends) await end();
  website.close();
  website.closeAllConnections();
  await rm(folder, { recursive: true, force: true });
  await service.stop();
});

/** Two courses, one with an image and a class, and three cells. */
async function furnish(origin: string): Promise<void> {
  const { account, db } = service;
  const course = await makeRow(db, "courses", account.id, {
    name: "Foundations of Faith",
    summary: "The beginning.",
    price: 4_550,
    price_currency: "EUR",
  });
  const image = await noise(320, 180).png().toBuffer();
  const headers = { "Origin": origin, "Content-Type": "image/png" };
  await service.request("PUT", `/v1/courses/${course}/image`, { body: image, headers });
  await makeRow(db, "courses", account.id, { name: ATTACK, is_public: true });
  await makeRow(db, "course_classes", account.id, {
    course_id: course,
    name: "Autumn",
    status: "open",
    is_public: true,
    starts: "2027-03-02T22:30:00Z",
    time_zone: "Europe/Lisbon",
    seats: 2,
  });
  const alfama = await makeCell(db, account.id, { name: "Alfama", weekday: 3, starts_at: 1_230 });
  const { id } = await makePerson(db, account.id, { fullName: "Gonçalo Almeida" });
  await db`update people set phones = '[{"number": "+351910000001"}]' where id = ${id}`;
  await join(db, account.id, alfama, id, { cell_role: "leader" });
  const chiado = await makeCell(db, account.id, { name: "Chiado", weekday: 5, is_public: true });
  const porto = {
    name: ATTACK,
    category: ATTACK,
    description: ATTACK,
    weekday: 5,
    is_public: true,
  };
  await makeCell(db, account.id, porto);
  await db`update cells set address = '{"neighborhood": "Centro", "city": "Porto"}'`;
  await db`update cells set address = '{"city": "Lisboa", "latitude": 38.712, "longitude": -9.136}'
    where id in (${alfama}, ${chiado})`;
}

const QUESTIONS = [
  { key: "about", type: "heading", label: "About you" },
  { key: "full-name", type: "text", label: "Name", required: true },
  { key: "email", type: "email", label: "E-mail", required: true },
  { key: "phone", type: "phone", label: "Telephone", help: "We call you once." },
  { key: "children", type: "boolean", label: "I have children" },
  {
    "key": "ages",
    "type": "text",
    "label": "How old are they?",
    "required": true,
    "show-if": { field: "children", equals: true },
  },
  { key: "seats", type: "number", label: "Seats", min: 1, max: 9 },
  { key: "size", type: "select", label: "Size", options: [{ value: "s", label: "Small" }] },
  {
    key: "likes",
    type: "multi-select",
    label: "Likes",
    options: [{ value: "music", label: "Music" }],
  },
  { key: "home", type: "address", label: "Home" },
  { key: "challenge", type: "long-text", label: "Story" },
  { key: "hidden", type: "boolean", label: "I was here before" },
  { key: "source", type: "hidden", label: "Source" },
] as const;

const types: Record<string, string> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
};

/** A web server as any website has one. */
async function serve(directory: string): Promise<Server> {
  const server = createServer((request, response) => {
    const name =
      request.url === "/" ? "index.html" : (request.url ?? "").slice(1).replace(/\?.*/, "");
    readFile(joinPath(directory, name)).then(
      (body) =>
        response.writeHead(200, { "Content-Type": types[extname(name)] ?? "text/plain" }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const originOf = (server: Server): string =>
  `http://localhost:${(server.address() as AddressInfo).port}`;

test("the commands of the guide make a course and a cell public and read them", () => {
  assert.equal(output.includes(`"errors"`), false, output);
  assert.match(output, /"name":"Foundations of Faith"/);
  assert.match(output, /"seats-left":"few"/);
  assert.match(output, /"distance":0\.9/);
  assert.match(
    output,
    /"leaders":\[{"name":"Gonçalo","phone":"\+351910000001","phone-display":"\+351 910 000 001"}\]/,
  );
});

test("the commands of the guide send a form and two requests, and staff get them", () => {
  assert.match(output, /"status":"received","confirmation-message":null,"confirmation-sent":true/);
  const [row = ""] = /"type":"form-submissions"[^\n]*"Rosa Nunes"[^\n]*/.exec(output) ?? [];
  assert.match(row, /"status":"new"/);
  assert.equal(output.match(/"attributes":{"status":"received"}/g)?.length, 2);
  assert.match(output, /"message":"May I come\?"/);
});

test("the commands of the guide run as printed on the demo account", () => {
  assert.match(printed, /"name":"Alfama"/);
  assert.match(printed, /"seats-left":/);
  assert.match(printed, /"leaders":\[{"name":"Gonçalo","phone":"\+/);
});

describe("the page in a browser", { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await startBrowser();
  });
  after(() => browser.close());

  async function open(width: number, url = originOf(website)) {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    await page.goto(url);
    return { page, complaints };
  }

  const groups = (page: Page) => page.locator("#group-list > li");
  const settled = (page: Page) => page.locator("#group-list:not([aria-busy])").waitFor();

  for (const width of [1_280, 390])
    test(`the page shows courses, classes and cells without scrolling sideways at ${width} px`, async (context) => {
      const { complaints, page } = await open(width);
      context.after(() => page.close());
      const course = page.locator("#course-list > li", { hasText: "Foundations of Faith" });
      await course.waitFor();
      await settled(page);
      const text = await course.innerText();
      for (const part of [
        "The beginning.",
        "€45.50",
        "Autumn",
        "March 2, 2027",
        "Only a few places",
      ])
        assert.ok(text.includes(part), `${part} in ${text}`);
      const decoded = `document.querySelector("#course-list img").decode().then(() => true)`;
      assert.ok(await page.evaluate(decoded));
      const alfama = await groups(page).filter({ hasText: "Alfama" }).innerText();
      assert.match(alfama, /Wednesdays, 20:30/);
      const [inside, outside] = (await page.evaluate(
        "[document.documentElement.scrollWidth, window.innerWidth]",
      )) as [number, number];
      assert.ok(inside <= outside, `${inside} px in ${outside} px`);
      assert.deepEqual(complaints, []);
    });

  test("visitors search by city and day, and open the details of a cell", async (context) => {
    const { complaints, page } = await open(1_280);
    context.after(() => page.close());
    await settled(page);
    await page.getByLabel("City").fill("lisboa");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("status").filter({ hasText: "2 results" }).waitFor();
    await page.getByLabel("Day").selectOption("Wednesday");
    await page.getByRole("status").filter({ hasText: "1 result" }).waitFor();
    await page.getByText("More about Alfama").click();
    const phone = page.getByRole("link", { name: "+351 910 000 001" });
    await phone.waitFor();
    assert.equal(await phone.getAttribute("href"), "tel:+351910000001");
    await page.getByLabel("City").fill("nowhere");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing was found.").waitFor();
    assert.deepEqual(complaints, []);
  });

  test("texts of the service are shown as they are and never run", async (context) => {
    const { complaints, page } = await open(1_280);
    context.after(() => page.close());
    await settled(page);
    await page.locator("#course-list > li").first().waitFor();
    const attack = groups(page).filter({ hasText: ATTACK });
    await attack.locator("summary").click();
    await attack.locator("details > p").first().waitFor();
    assert.equal(await page.locator('main img[src="x"]').count(), 0);
    assert.match(await page.title(), /^Courses and groups/);
    assert.deepEqual(complaints, []);
  });

  test("the page works with a keyboard, and every control has a name", async (context) => {
    const { page } = await open(390);
    context.after(() => page.close());
    await settled(page);
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to the content" });
    assert.ok(await skip.evaluate((link) => link === link.ownerDocument.activeElement));
    for (const name of ["Courses", "Groups"])
      assert.equal(await page.getByRole("region", { name }).count(), 1, name);
    for (const [role, name] of [
      ["textbox", "City"],
      ["combobox", "Day"],
    ] as const)
      assert.equal(await page.getByRole(role, { name, exact: true }).count(), 1, name);
    assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
  });

  // -- The form -------------------------------------------------------------------------------------------------------

  /** A visitor of a network that has sent nothing yet opens a form, and the widget solves its challenge. */
  async function openForm(width: number, attributes: Record<string, unknown> = {}) {
    const { db } = service;
    await db`delete from counters`;
    const id = await makeForm(service, {
      "challenge": "pow",
      "fields": QUESTIONS,
      "privacy-notice": ATTACK,
      ...attributes,
    });
    // The page that the guide has set up, with another form.
    const html = await readFile(joinPath(site, "form.html"), "utf8");
    const name = `${id}.html`;
    const named = html.replace(/(name="vestry-form" content=")[^"]*/, `$1${id}`);
    await writeFile(joinPath(site, name), named);
    const { complaints, page } = await open(width, `${originOf(website)}/${name}?source=flyer`);
    await page.locator('altcha-widget [data-state="verified"]').waitFor();
    return { complaints, id, page };
  }

  const fill = async (page: Page) => {
    await page.getByLabel("Name").fill("Ana Lima");
    await page.getByLabel("E-mail").fill(`${newId()}@visitor.example`);
    await page.getByLabel("I agree").check();
  };
  const send = (page: Page) => page.getByRole("button", { name: "Send" }).click();

  test("a visitor fills in a form with answers of every type, the widget proves it, and staff get it", async (context) => {
    const { complaints, id, page } = await openForm(390, {
      "confirmation-email": true,
      "confirmation-message": ATTACK,
    });
    context.after(() => page.close());
    await fill(page);
    assert.equal(await page.getByLabel("How old are they?").isVisible(), false);
    await page.getByLabel("I have children").check();
    await page.getByLabel("How old are they?").fill("3 and 5");
    await page.getByLabel("Telephone").fill("+351 912 345 678");
    await page.getByLabel("Seats").fill("2");
    await page.getByLabel("Size").selectOption("Small");
    await page.getByLabel("Music").check();
    await page.getByLabel("City").fill("Lisboa");
    await page.getByLabel("Story").fill("One\ntwo");
    const [inside, outside] = (await page.evaluate(
      "[document.documentElement.scrollWidth, window.innerWidth]",
    )) as [number, number];
    assert.ok(inside <= outside, `${inside} px in ${outside} px`);
    // A form that is sent within three seconds counts as that of a program.
    const now = Date.now.bind(Date);
    context.mock.method(Date, "now", () => now() + limits.formFillMsMin);
    await send(page);
    await page.getByRole("status").filter({ hasText: ATTACK }).waitFor();
    await page.getByRole("status").filter({ hasText: "We sent you a mail." }).waitFor();
    const [submission] = await submissionsOf(service, id);
    assert.ok(submission);
    const { email, ...answers } = submission.attributes["answers"] as Record<string, unknown>;
    assert.match(String(email), /@visitor\.example$/);
    assert.deepEqual(answers, {
      "full-name": "Ana Lima",
      "phone": "+351912345678",
      "children": true,
      "ages": "3 and 5",
      "seats": 2,
      "size": "s",
      "likes": ["music"],
      "home": { city: "Lisboa" },
      "challenge": "One\ntwo",
      "hidden": false,
      "source": "flyer",
    });
    assert.deepEqual(
      [submission.attributes["status"], submission.attributes["source"]],
      ["new", "public"],
    );
    assert.deepEqual(complaints, []);
  });

  test("422 · mistakes stand at their questions, and the same proof is good for the correction", async (context) => {
    const { id, page } = await openForm(1_280);
    context.after(() => page.close());
    await fill(page);
    await page.getByLabel("Telephone").fill("12");
    await send(page);
    await page.getByRole("alert").filter({ hasText: "Nothing was sent yet." }).waitFor();
    const phone = page.getByLabel("Telephone");
    assert.equal(await phone.getAttribute("aria-invalid"), "true");
    assert.ok(await phone.evaluate((input) => input === input.ownerDocument.activeElement));
    assert.match(await page.locator("#answer-phone-problem").innerText(), /telephone number/);
    await phone.fill("");
    await send(page);
    await page.getByRole("status").filter({ hasText: "Thank you." }).waitFor();
    assert.equal((await stored(id)).length, 1);
  });

  test("422 · a proof that was used is replaced, and the visitor sends again", async (context) => {
    const { id, page } = await openForm(1_280);
    context.after(() => page.close());
    await fill(page);
    const proof = await page.locator('input[name="proof"]').inputValue();
    const { challenge } = JSON.parse(Buffer.from(proof, "base64").toString()) as {
      challenge: string;
    };
    const { account, db } = service;
    await db`
      insert into visit_proofs (account_id, key, expires_at)
      values (${account.id}, ${Buffer.from(challenge, "hex")}, now() + interval '1 hour')`;
    await send(page);
    await page.getByRole("alert").filter({ hasText: "open for a long time" }).waitFor();
    await page.locator('altcha-widget [data-state="verified"]').waitFor();
    assert.notEqual(await page.locator('input[name="proof"]').inputValue(), proof);
    await send(page);
    await page.getByRole("status").filter({ hasText: "Thank you." }).waitFor();
    assert.equal((await stored(id)).length, 1);
  });

  test("409, 410, 429, 503 · the page says why nothing was sent, and keeps what was typed", async (context) => {
    const { id, page } = await openForm(1_280);
    context.after(() => page.close());
    const { db } = service;
    await fill(page);
    const refuses = async (words: string | RegExp) => {
      await send(page);
      await page.getByRole("alert").filter({ hasText: words }).waitFor();
      assert.equal(await page.getByLabel("Name").inputValue(), "Ana Lima");
    };
    await db`alter table counters rename to away`;
    await refuses("The service is busy.");
    await db`alter table away rename to counters`;
    await db`update forms set version_number = 2 where id = ${id}`;
    await refuses("This form has changed.");
    await db`update forms set version_number = 1, closes_at = now() where id = ${id}`;
    await refuses("This form is closed.");
    await db`update counters set requests = 100`;
    await refuses(/Please try again in \d+ seconds/);
    assert.deepEqual(await stored(id), []);
  });

  const stored = (formId: string) =>
    service.db`select from form_submissions where form_id = ${formId}`;

  test("a page of another origin shows an error and no data", async (context) => {
    const stranger = await serve(site);
    context.after(() => stranger.close());
    const { page } = await open(1_280, originOf(stranger));
    context.after(() => page.close());
    await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor();
    assert.equal(await groups(page).count(), 0);
  });
});
