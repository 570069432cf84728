import { expect, expectAccessible, test } from "../../bed.ts";

/** The pages that the service shows for a church without a website. */

const TALL = "Casa das famílias recém-chegadas de Alcântara, Belém e Campo de Ourique";

test.beforeEach(async ({ office }) => {
  const account = await office.accounts.get("me");
  await office.accounts.update(account.id, { settings: { "public-pages": true } });
});

test("a visitor finds a group without script, in both looks and on a narrow phone", async ({
  bench,
  expectMessage,
  office,
}, info) => {
  expectMessage(/404 \(Not Found\) \S+\/c\/demo\/no$/);
  const name = `${TALL} ${info.project.name}`;
  const address = { street: "Rua das Flores", city: `Ericeira ${info.project.name}` };
  await office.cells.create({
    name,
    address,
    "is-public": true,
    "weekday": 3,
    "starts-at": 1200,
    "description": "Come as you are.\nThere is soup.",
  });
  const course = await office.courses.create({
    name: `Alpha ${info.project.name}`,
    "is-public": true,
  });

  const page = await bench.open("/c/demo", { javaScriptEnabled: false });
  await page.getByRole("link", { name: "Search by day and place" }).click();
  await expect(page.getByRole("button", { name: "Near me" })).toBeHidden();
  await page.getByLabel("City").selectOption(address.city);
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("status").first()).toHaveText("1 result");
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(page.getByText("There is soup.")).toBeVisible();
  const cellPath = new URL(page.url()).pathname;
  // Axe is a script itself, so it looks at the same pages in another browser.
  await page.close();

  const looked = await bench.open("/c/demo");
  for (const path of [
    "/c/demo",
    "/c/demo/cells",
    cellPath,
    `/c/demo/courses/${course.id}`,
    "/c/demo/no",
  ]) {
    await looked.goto(path);
    for (const colorScheme of ["dark", "light"] as const) {
      await looked.emulateMedia({ colorScheme });
      await expectAccessible(looked);
    }
    const { height, width } = looked.viewportSize() ?? { height: 0, width: 0 };
    await looked.setViewportSize({ height, width: 320 });
    expect(
      await looked.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      `${path} scrolls sideways`,
    ).toBeLessThanOrEqual(0);
    await looked.setViewportSize({ height, width });
  }
});

test("a visitor finds the groups near by, and the service learns the place to a kilometer", async ({
  bench,
  office,
}, info) => {
  const name = `Madeira ${info.project.name}`;
  const at = { latitude: 32.65, longitude: -16.91 };
  await office.cells.create({ name, "is-public": true, "address": at });
  const page = await bench.open("/c/demo/cells", {
    geolocation: { latitude: 32.65432, longitude: -16.91234 },
    permissions: ["geolocation"],
  });
  await page.getByRole("button", { name: "Near me" }).click();
  await expect(page.getByText("Within 10 km of you")).toBeVisible();
  await expect(page.getByRole("link", { name })).toBeVisible();
  expect(new URL(page.url()).search).toBe("?km=10&lat=32.65&lng=-16.91");
});
