import { unique } from "../../church.ts";
import { expect, test } from "../../receiver.ts";

const CHURCH = "of 5,000";

test("gets from an event to its attempt, its payload and curl, and a colleague sees the same at the same address", async ({
  as,
  expectMessage,
  program,
  receiver,
}) => {
  const office = await program(CHURCH);
  const endpoint = await office.webhookEndpoints.create({
    name: `Archive ${unique()}`,
    url: receiver.url,
    events: ["person.created"],
  });
  const status = async () => (await office.webhookEndpoints.get(endpoint.id)).status;
  await expect.poll(status).toBe("active");
  const name = `Zacarias D'Ávila ${unique()}`;
  const person = await office.people.create({ "full-name": name });
  const message = await receiver.received(name);

  const page = await as(CHURCH, "/webhooks/events?type=person.created");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const row = page.getByRole("list", { name: "Events" }).getByRole("listitem");
  await row.filter({ hasText: name }).getByRole("link").click();
  const event = page.getByRole("dialog", { name: "person.created" });
  await expect(event.getByRole("region", { name: "Snapshot" })).toContainText(name);
  await event.getByRole("link", { name: endpoint.name ?? "" }).click();

  const drawer = page.getByRole("dialog", { name: "person.created" });
  await expect(drawer.getByRole("region", { name: "Start of the answer" })).toHaveText("thank you");
  await expect(drawer.getByRole("list", { name: "Attempts" })).toContainText(/Attempt 1 · 200/);
  await expect(drawer.getByRole("region", { name: "Payload" })).toContainText(name);
  await drawer.getByRole("button", { name: "Copy", exact: true }).click();
  await expect(drawer.getByRole("status").filter({ hasText: "Copied" })).toBeVisible();
  expect(await copied()).toBe(message.body);
  await drawer.getByRole("button", { name: "Copy as curl" }).click();
  await expect.poll(copied).toContain(`-H 'Webhook-Id: ${message.id}'`);

  const colleague = await as(CHURCH, page.url());
  const same = colleague.getByRole("dialog", { name: "person.created" });
  await expect(same.getByRole("region", { name: "Payload" })).toContainText(name);
  await expect(same.getByRole("link", { name })).toBeVisible();

  expectMessage(/404 \(Not Found\)/);
  await office.people.delete(person.id);
  await colleague.reload();
  await expect(colleague.getByRole("dialog")).toContainText("This delivery is gone");
});
