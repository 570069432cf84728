import { letIn, makeGroup } from "../../church.ts";
import { expect, test } from "../../bed.ts";

test("sees no other group, not even by its address", async ({ as, expectMessage, office }) => {
  expectMessage(/404 \(Not Found\)/);
  const own = await makeGroup(office);
  const other = await makeGroup(office);
  const page = await as(await letIn(office, own.leader), `/cells/${own.id}`);
  await expect(page.getByRole("heading", { level: 1, name: own.name })).toBeVisible();

  await page.goto(`/cells/${other.id}`);
  await expect(page.getByText("Not here, or not yours to see")).toBeVisible();
  await page.goto(`/cells/${other.id}/meetings/${other.meeting}`);
  await expect(page.getByText("Not here, or not yours to see")).toBeVisible();
  await page.goto(`/people/${other.leader}`);
  await expect(page.getByText("Not here, or not yours to see")).toBeVisible();

  await page.goto("/people");
  await expect(page.getByText([...own.members.values()][1] ?? "")).toBeVisible();
  for (const name of [...other.members.values(), other.name])
    await expect(page.getByText(name)).toHaveCount(0);
});
