import type { Page } from "@playwright/test";
import type { Vestry } from "@vestry/sdk";
import { expect, expectAccessible, expectToFit, NO_USERNAME, test } from "./bed.ts";
import { makeForm, makePerson, sendForm, unique } from "./church.ts";
import type { Standing } from "./service.ts";

/**
 * Every screen in both looks, in English and in a language that nobody speaks: written from right to left, with longer and
 * accented texts.
 */

type Who = Standing | "stranger";

/** The address of a screen, or what leads there in the demo church. */
const screens: readonly [name: string, who: Who, path: string][] = [
  ["log in", "stranger", "/login"],
  ["choose a password", "stranger", "/set-password#token=unknown&account=demo"],
  ["home of the administrator", "full administrator", "/"],
  ["home of a supervisor", "supervisor", "/"],
  ["home of a leader", "leader", "/"],
  ["home of a member", "member", "/"],
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

for (const language of ["en", "ar-XB"] as const)
  for (const [name, who, path] of screens)
    test(`${name} · ${language}`, async ({ bench, expectMessage, office, sessionOf }) => {
      if (path.startsWith("/set-password")) expectMessage(NO_USERNAME);
      // Requests of a service worker would not pass the route below.
      expectMessage(/Service Worker registration blocked/);
      const page = await bench.open("about:blank", {
        ...(who !== "stranger" && { storageState: await sessionOf(who) }),
        serviceWorkers: "block",
      });
      if (language === "ar-XB") await speakNonsense(page);
      await page.goto(await addressOf(office, path));
      await expect(page.locator("h1").first()).toBeVisible();
      await expect(page.locator("[aria-busy=true], [class*=skeleton]")).toHaveCount(0);
      // The last cards of the home page are read when they come into view.
      if (path === "/") {
        await page.mouse.move(200, 300);
        await page.mouse.wheel(0, 10_000);
        await expect(page.locator("[aria-busy=true], [class*=skeleton]")).toHaveCount(0);
      }
      await expect(page.locator("html")).toHaveAttribute("dir", language === "en" ? "ltr" : "rtl");

      await expectToFit(page);
      await page.emulateMedia({ colorScheme: "dark" });
      await expectAccessible(page);
      // The bench looks at the light colors.
      await page.emulateMedia({ colorScheme: "light" });
    });

type Message = readonly (string | readonly [string, string?, Record<string, Message | number>?])[];

/** English with accents and twice as many vowels, which is longer by two fifths, in a language written from right to left. */
async function speakNonsense(page: Page): Promise<void> {
  await page.addInitScript(() => {
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
    Object.assign(globalThis, {
      parseMessages: (text: string) =>
        Object.fromEntries(
          Object.entries(JSON.parse(text) as Record<string, Message>).map(([id, message]) => [
            id,
            longer(message),
          ]),
        ),
    });
  });
  await page.route("**/assets/*.js", async (route) => {
    const response = await route.fetch();
    const script = (await response.text())
      .replace(/JSON\.parse\((?=[`'"]\{)/, "parseMessages(")
      .replace("(ar|fa|he|ur)", "(en|pt|es)");
    await route.fulfill({ response, body: script });
  });
}
