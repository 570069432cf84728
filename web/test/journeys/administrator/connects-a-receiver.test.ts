import type { Page } from "@playwright/test";
import type { Vestry } from "@vestry/sdk";
import { unique } from "../../church.ts";
import { expect, test } from "../../receiver.ts";

/** The church of 5,000 people, in which no other test causes these events. */
const CHURCH = "of 5,000";

async function activeEndpoint(office: Vestry, url: string, events: "course.created"[]) {
  const made = await office.webhookEndpoints.create({ name: `CRM ${unique()}`, url, events });
  const status = async () => (await office.webhookEndpoints.get(made.id)).status;
  await expect.poll(status).toBe("active");
  return made;
}

/** Stores the secret that the page shows, and goes on to the endpoint. */
async function storeSecret(page: Page): Promise<string> {
  await expect(page.getByRole("heading", { name: "Store this secret now" })).toBeVisible();
  const secret = (await page.locator("[data-secret]").textContent()) ?? "";
  expect(secret).toMatch(/^whsec_/);
  await expect(page).not.toHaveURL(/whsec/);
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Continue" }).click();
  return secret;
}

const rowsOf = (page: Page) => page.getByRole("list", { name: "Deliveries" }).getByRole("listitem");

test("registers a receiver, stores the secret, sees it verified, sends a test, breaks the receiver, sees why, and delivers all again", async ({
  as,
  program,
  receiver,
}) => {
  const office = await program(CHURCH);
  const [name, course] = [`Newsletter ${unique()}`, `Alpha ${unique()}`];
  // It has no secret yet.
  receiver.answer = { status: 503, body: "No secret yet" };
  const page = await as(
    CHURCH,
    `/webhooks/new?url=${receiver.url}&events=course.created,moon.landed`,
  );
  await expect(page.getByText("Unknown types are left out: moon.landed")).toBeVisible();
  await expect(page.getByLabel("URL")).toHaveValue(receiver.url);
  await page.getByLabel("Name").fill(name);
  await expect(page.getByRole("checkbox", { name: "course.created" })).toBeChecked();
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await storeSecret(page);

  const steps = page.getByRole("list", { name: "Verification" });
  await expect(steps).toContainText("The receiver answered 503.");
  receiver.answer = undefined;
  await page.getByRole("button", { name: "Verify again" }).click();
  await expect(page.getByText("Healthy")).toBeVisible();

  await page.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText("The receiver accepted the test: 200")).toBeVisible();
  await expect(rowsOf(page).first()).toContainText(/Delivered\s*Test/);

  const script = "<script>document.title = 'taken'</script>".padEnd(4_096, " ");
  receiver.answer = { status: 404, body: script };
  await office.courses.create({ name: course });
  const first = await receiver.received(course);
  const failed = page.getByRole("radio", { name: "Failed" });
  await expect(async () => {
    await page.getByRole("radio", { name: "All" }).check();
    await failed.check();
    await expect(rowsOf(page)).toHaveCount(1, { timeout: 1_000 });
  }).toPass();
  await rowsOf(page).getByRole("link", { name: "course.created" }).click();
  const drawer = page.getByRole("dialog", { name: "course.created" });
  await expect(drawer.getByRole("region", { name: "Start of the answer" })).toContainText(
    "<script>document.title = 'taken'</script>",
  );
  await expect(drawer).toContainText("The receiver answered 404. Check the path of the URL.");
  expect(await page.title()).toContain(name);
  await drawer.getByRole("button", { name: "Close" }).click();
  await expect(drawer).toBeHidden();

  receiver.answer = undefined;
  const before = receiver.messages.length;
  await page.getByRole("button", { name: "Deliver all failed again" }).click();
  const dialog = page.getByRole("dialog", { name: "Deliver all failed again" });
  await expect(dialog).toContainText("1 delivery failed or was not sent.");
  await dialog.getByRole("button", { name: "Deliver again" }).click();
  await expect(dialog).toContainText("1 is delivered again.");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => receiver.messages.length).toBe(before + 1);
  expect(receiver.messages.at(-1)?.id).toBe(first.id);
  await page.getByRole("radio", { name: "Delivered" }).check();
  await expect(rowsOf(page).getByRole("link", { name: "course.created" })).toBeVisible();
});

test("rotates the secret and sees when the overlap ends, changes the name beside a colleague, and the URL on purpose", async ({
  as,
  expectMessage,
  program,
  receiver,
}) => {
  // The version of the colleague.
  expectMessage(/409 \(Conflict\)/);
  const office = await program(CHURCH);
  const { id } = await activeEndpoint(office, receiver.url, ["course.created"]);
  const page = await as(CHURCH, `/webhooks/${id}`);
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  const rotated = page.locator("[data-secret]");
  await expect(rotated).toHaveText(/^whsec_/);
  const lost = (await rotated.textContent()) ?? "";
  // The question of the browser is answered with Leave.
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByRole("heading", { name: "The secret is not shown again" })).toBeVisible();
  await expect(page.locator("body")).not.toContainText(lost);
  await page.getByRole("link", { name: "Rotate secret" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("two secrets are valid until");
  await expect(dialog.getByRole("button", { name: "Rotate", exact: true })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText(/Two secrets are valid until .+\d\d:\d\d/)).toBeVisible();
  await page.getByRole("button", { name: "Send test" }).click();
  await expect.poll(() => receiver.messages.at(-1)?.signature.split(" ").length).toBe(2);

  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  const name = `Website ${unique()}`;
  await page.getByLabel("Name").fill(name);
  const { $etag: etag = "" } = await office.webhookEndpoints.get(id);
  await office.webhookEndpoints.update(
    id,
    { events: ["course.created", "course.updated"] },
    { etag },
  );
  const bodies: object[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") bodies.push(request.postDataJSON().data.attributes as object);
  });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  for (const body of bodies) expect(body).toEqual({ name });
  await expect(page.locator("#content")).toContainText("course.created, course.updated");

  await page.locator("#content").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Change URL …" }).click();
  await page.getByRole("alertdialog").getByLabel("URL").fill(`${receiver.url}/new`);
  await page.getByRole("button", { name: "Change the URL and get a new secret" }).click();
  expect(await storeSecret(page)).not.toBe(lost);
  await expect(page.getByText("Healthy")).toBeVisible();
  await expect(page.getByText(`${receiver.url}/new`)).toBeVisible();
  await page.getByRole("link", { name: "Timeline" }).click();
  await expect(page.getByText("changed the URL")).toBeVisible();
});

test("loses the answer to a creation, finds the endpoint by its URL and rotates its secret", async ({
  as,
  expectMessage,
  receiver,
}) => {
  expectMessage(/net::ERR_FAILED/);
  const page = await as(CHURCH, "/webhooks/new");
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByRole("checkbox", { name: "course.deleted" }).check();
  await page.route("**/v1/webhook-endpoints?*", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByText("An endpoint with this address exists.")).toBeVisible();
  await page.getByRole("button", { name: "Rotate its secret" }).click();
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  await storeSecret(page);
  await expect(page.getByText(receiver.url)).toBeVisible();
});

test("is told when the next test is possible", async ({ as, expectMessage, program, receiver }) => {
  expectMessage(/429 \(Too Many Requests\)/);
  const office = await program(CHURCH);
  const { id } = await activeEndpoint(office, receiver.url, ["course.created"]);
  for (let count = 0; count < 10; count += 1)
    await office.webhookTestDeliveries.create({ "endpoint-id": id }, { idempotencyKey: unique() });
  const page = await as(CHURCH, `/webhooks/${id}`);
  await page.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByRole("alert")).toContainText(/It is possible again on .+\d\d:\d\d/);
});
