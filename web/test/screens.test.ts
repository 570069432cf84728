import type { BrowserContext } from "@playwright/test";
import type { Vestry } from "@vestry/sdk";
import { expect, expectAccessible, expectToFit, test } from "./bed.ts";
import { invite, makeForm, makePerson, sendForm, unique } from "./church.ts";
import type { Standing } from "./service.ts";

/**
 * Every screen in the language of its person, in both looks, and in a language that nobody speaks: written from right to left,
 * with longer and accented texts. Axe looks at the light colors at both widths, and at the dark ones at 1280. In the full check it
 * looks at everything.
 */

type Who = Standing | "stranger";

/** The address of a screen, or what leads there in the demo church. */
const screens: readonly [name: string, who: Who, path: string][] = [
  ["log in", "stranger", "/login"],
  ["choose a password", "stranger", "/set-password#token=<token>"],
  ["home of the administrator", "full administrator", "/"],
  ["home of a supervisor", "supervisor", "/"],
  ["home of a leader", "leader", "/"],
  ["home of a member", "member", "/"],
  ["home of a teacher", "teacher", "/"],
  ["people", "secretary", "/people"],
  ["people, filtered", "secretary", "/people?status=member,visitor&sort=-full-name&q=a"],
  ["people, in pages", "of 5,000", "/people?view=pages"],
  ["people, nobody", "secretary", "/people?q=nobody-has-this-name"],
  ["new person", "secretary", "/people/new"],
  ["person", "full administrator", "/people/<person>"],
  ["person, groups", "secretary", "/people/<person>?tab=groups"],
  ["person, notes", "secretary", "/people/<person>?tab=notes"],
  ["person, access", "full administrator", "/people/<person>?tab=access"],
  ["person, history", "full administrator", "/people/<person>?tab=history"],
  ["household", "secretary", "/households/<household>"],
  ["groups", "supervisor", "/cells"],
  ["groups, overdue", "supervisor", "/cells?report=overdue"],
  ["groups, tree", "full administrator", "/cells?view=tree"],
  ["group, members", "leader", "/cells/<cell>"],
  ["group, meetings", "leader", "/cells/<cell>?tab=meetings"],
  ["group, requests", "supervisor", "/cells/<cell>?tab=requests"],
  ["group, about", "full administrator", "/cells/<cell>?tab=about"],
  ["report", "leader", "/cells/<cell>/meetings/<meeting>"],
  ["multiply", "supervisor", "/cells/<cell>/multiply"],
  ["notes", "secretary", "/notes"],
  ["from the public", "full administrator", "/inbox"],
  ["forms", "full administrator", "/forms"],
  ["new form", "full administrator", "/forms/new"],
  ["form, sent", "full administrator", "/forms/<form>"],
  ["form, questions", "full administrator", "/forms/<form>?tab=questions"],
  ["form, settings", "full administrator", "/forms/<form>?tab=settings"],
  ["form, share", "full administrator", "/forms/<form>?tab=share"],
  ["submission", "full administrator", "/forms/<form>/submissions/<submission>"],
  ["webhooks", "full administrator", "/webhooks"],
  ["new endpoint", "full administrator", "/webhooks/new?url=https://crm.example.org/hook"],
  ["endpoint", "full administrator", "/webhooks/<endpoint>"],
  ["endpoint, delivery", "full administrator", "/webhooks/<endpoint>?delivery=<delivery>"],
  ["endpoint, settings", "full administrator", "/webhooks/<endpoint>?tab=settings"],
  ["endpoint, timeline", "full administrator", "/webhooks/<endpoint>?tab=timeline"],
  ["secret, lost", "full administrator", "/webhooks/<endpoint>/secret"],
  ["deliveries", "full administrator", "/webhooks/deliveries"],
  ["events", "full administrator", "/webhooks/events"],
  ["catalog of events", "full administrator", "/webhooks/event-types?q=cell"],
  ["me", "leader", "/me"],
  ["print people", "secretary", "/print/people?q=maria"],
  ["print group", "leader", "/print/cells/<cell>"],
  ["nothing", "member", "/nothing"],
  ["not permitted", "member", "/people/new"],
];

/** Rows of the demo church that the addresses name. */
const rows: Record<string, (office: Vestry) => Promise<string>> = {
  "<cell>": async (office) => (await alfama(office)).cell.id,
  "<meeting>": async (office) => (await alfama(office)).id,
  "<person>": async (office) => {
    const { items } = await office.people.page({ filter: { q: "Lukas Weber" } });
    return items[0]?.id ?? "";
  },
  "<form>": async (office) => (await sent(office)).form,
  "<submission>": async (office) => (await sent(office)).submission,
  "<token>": async (office) => {
    const { id } = await makePerson(office, `Nuno ${unique()}`);
    return (await invite(office, id)).token;
  },
  "<endpoint>": async (office) => (await registered(office)).endpoint,
  "<delivery>": async (office) => (await registered(office)).delivery,
  "<household>": async (office) => (await office.households.page({})).items[0]?.id ?? "",
};

let made: Promise<{ form: string; submission: string }> | undefined;

/** A form and what somebody sent with it, whom the service takes for a person of the demo church. */
const sent = (office: Vestry) =>
  (made ??= (async () => {
    const [person, form] = await Promise.all([
      makePerson(office, `Vasco ${unique()}`),
      makeForm(office),
    ]);
    const submission = await sendForm(office, form, {
      "full-name": "Vasco da Gama Moreira",
      "email": person.email,
      "occupation": "Sailor",
    });
    return { form: form.id, submission: submission.id };
  })());

let hook: Promise<{ endpoint: string; delivery: string }> | undefined;

/** An endpoint at an address without a receiver, so that its verification fails. */
const registered = (office: Vestry) =>
  (hook ??= (async () => {
    const { id } = await office.webhookEndpoints.create({
      name: "The newsletter of the church and of all its groups",
      url: `https://127.0.0.1:1/${unique()}`,
      events: ["import-job.completed"],
    });
    const { items } = await office.webhookDeliveries.page({ filter: { endpoint: [id] } });
    return { endpoint: id, delivery: items[0]?.id ?? "" };
  })());

/** The meeting that the leader of the demo church has not reported. */
async function alfama(office: Vestry) {
  const { items } = await office.cellMeetings.page({
    filter: { "report-status": ["due", "overdue"] },
    include: ["cell"],
    fields: { "cell-meetings": ["date"], cells: ["name"] },
  });
  const found = items.find(({ cell }) => cell.name === "Alfama");
  if (found === undefined) throw new Error("Alfama has reported all meetings.");
  return found;
}

async function addressOf(office: Vestry, path: string): Promise<string> {
  let address = path;
  for (const [name, find] of Object.entries(rows))
    if (address.includes(name)) address = address.replace(name, await find(office));
  return address;
}

/** Every look of every screen, as the full check needs them. */
const isWhole = process.env.WEB_TESTS === "whole";

for (const language of ["en", "ar-XB"] as const)
  for (const who of new Set(screens.map(([, one]) => one)))
    test.describe(who, () => {
      // The screens of one standing share a context, whose browser keeps the scripts and styles, so they run in one worker.
      test.describe.configure({ mode: "default" });
      let context: BrowserContext;
      test.beforeAll(async ({ browser, sessionOf }) => {
        context = await browser.newContext(
          who === "stranger" ? {} : { storageState: await sessionOf(who) },
        );
        if (language === "ar-XB") await context.addInitScript(speakNonsense);
      });
      test.afterAll(() => context.close());

      for (const [name, , path] of screens.filter(([, one]) => one === who))
        test(`${name} · ${language}`, async ({ bench, office, viewport }) => {
          const page = await context.newPage();
          bench.watch(page);
          await page.goto(await addressOf(office, path));
          await expect(page.locator("h1").first()).toBeVisible();
          const unread = page.locator("[aria-busy=true], [class*=skeleton]");
          await expect(unread).toHaveCount(0);
          // The last cards of the home page are read when they come into view.
          if (path === "/") {
            await page.mouse.move(200, 300);
            await page.mouse.wheel(0, 10_000);
            await expect(unread).toHaveCount(0);
          }
          const direction = language === "en" ? "ltr" : "rtl";
          await expect(page.locator("html")).toHaveAttribute("dir", direction);
          await expectToFit(page);
          if (language === "ar-XB") {
            await expect(page.locator("body")).toContainText("\u0301");
            if (!isWhole) return;
          }
          if (isWhole || viewport?.width === 1280) {
            await page.emulateMedia({ colorScheme: "dark" });
            await expectAccessible(page);
            await page.emulateMedia({ colorScheme: "light" });
          }
          await expectAccessible(page);
        });
    });

type Message = readonly (string | readonly [string, string?, Record<string, Message | number>?])[];

/**
 * English with accents and twice as many vowels, which is longer by two fifths, in a language written from right to left. Runs in
 * the page before its scripts.
 */
function speakNonsense(): void {
  const longer = (message: Message): Message =>
    message.map((part) => {
      if (typeof part === "string") return part.replace(/[aeiou]/gi, "$&\u0301$&");
      const [name, type, cases] = part;
      if (typeof cases !== "object") return part;
      const all = Object.entries(cases).map(([key, one]) => [
        key,
        typeof one === "object" ? longer(one) : one,
      ]);
      return [name, type, Object.fromEntries(all)];
    });
  /** The scripts of the catalogs parse messages by their ids, which have six characters. */
  const isCatalog = (value: unknown): value is Record<string, Message> =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([id, message]) => id.length === 6 && Array.isArray(message));
  const parse = JSON.parse.bind(JSON);
  JSON.parse = (...given: Parameters<typeof parse>) => {
    const value: unknown = parse(...given);
    return isCatalog(value)
      ? Object.fromEntries(Object.entries(value).map(([id, message]) => [id, longer(message)]))
      : value;
  };
  const direction = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "dir");
  Object.defineProperty(HTMLElement.prototype, "dir", {
    ...direction,
    set(this: HTMLElement, value: string) {
      direction?.set?.call(this, this === document.documentElement ? "rtl" : value);
    },
  });
}
