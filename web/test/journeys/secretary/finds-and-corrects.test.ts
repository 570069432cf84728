import { unique } from "../../church.ts";
import { expect, test } from "../../bed.ts";

test("finds Maria among 5,000 by phone and corrects the number, while a colleague changes the address", async ({
  as,
  expectMessage,
  program,
}) => {
  expectMessage(/409 \(Conflict\)/);
  const colleague = await program("of 5,000");
  const digits = unique().replace(/\D/g, "").padEnd(6, "7").slice(0, 6);
  const maria = await colleague.people.create({
    "full-name": `Maria ${unique()}`,
    "phones": [{ "number": `+351912${digits}`, "is-primary": true }],
  });

  const page = await as("of 5,000", "/people");
  await page.getByRole("searchbox").fill(`912 ${digits.slice(0, 3)} ${digits.slice(3)}`);
  await page.getByRole("link", { name: new RegExp(`^${maria["full-name"]}`) }).click();
  // An empty address takes no more room than its button.
  const add = page.getByRole("button", { name: "Add an address" });
  await expect(add).toBeVisible();
  const contact = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Contact" }) });
  await contact.getByRole("button", { name: /^Correct/ }).click();
  const number = contact.getByRole("textbox");
  await expect(number).toBeFocused();
  await number.fill(`+351 913 ${digits.slice(0, 3)} ${digits.slice(3)}`);

  await colleague.people.update(maria.id, {
    address: { street: "Rua Nova", number: "7", city: "Porto", country: "PT" },
  });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(number).toBeHidden();
  await expect(page.getByRole("heading", { name: "Address" })).toBeVisible();
  await expect(add).toBeHidden();
  const stored = await colleague.people.get(maria.id, {
    fields: { people: ["phones", "address"] },
  });
  expect(stored.phones?.[0]?.number).toBe(`+351913${digits}`);
  expect(stored.address?.street).toBe("Rua Nova");
});

test("the record of an anonymized person has no card for sensitive data", async ({
  as,
  office,
}) => {
  const { id } = await office.people.create({
    "full-name": `Nuno ${unique()}`,
    "medical-notes": "Asthma",
  });
  const page = await as("secretary", `/people/${id}`);
  const sensitive = page.getByText("Identity documents and medical notes");
  await expect(sensitive).toBeVisible();
  await office.personAnonymizations.create({ person: { $type: "people", id } });
  await page.reload();
  await expect(page.getByText("Anonymized", { exact: true })).toBeVisible();
  await expect(sensitive).toHaveCount(0);
});
