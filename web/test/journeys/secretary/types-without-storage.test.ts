import { expect, test } from "../../bed.ts";

test("a browser that stores nothing says that typed text is lost with the page, and asks before it is left", async ({
  as,
}) => {
  const page = await as("secretary", "/me");
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("The storage is denied.", "SecurityError");
        },
      });
  });
  await page.goto("/people/new");
  await page.getByLabel("Full name").fill("Lost with the page");
  await page.getByRole("link", { name: "People", exact: true }).click();
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await expect(question).toContainText("it is lost when you leave");
  await expect(question).not.toContainText("offered to you");
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(page.getByLabel("Full name")).toHaveValue("Lost with the page");
});
