import { letIn, makePerson, unique } from "../../church.ts";
import { expect, test } from "../../bed.ts";

test("reads in the history of a person and of a group what a colleague changed, and that a value is not shown", async ({
  as,
  office,
  program,
}) => {
  const secretary = await program("secretary");
  const mark = unique();
  const person = await office.people.create({
    "full-name": `Teresa ${mark}`,
    "occupation": "Baker",
  });
  const cell = await office.cells.create({ name: `North ${mark}`, weekday: 2 });
  const membership = await office.cellMemberships.create({
    cell,
    person,
    "cell-role": "participant",
  });
  await office.cellMemberships.update(membership.id, { "cell-role": "leader" });
  await office.cellMemberships.update(membership.id, { status: "left" });
  await office.people.update(person.id, { "medical-notes": "Asthma" });
  await secretary.people.update(person.id, { occupation: "Clerk" });
  await office.cells.update(cell.id, { weekday: 4, description: "We sing." });

  const reader = await makePerson(office, `Reader ${mark}`);
  const role = await office.roles.create({
    name: `Auditor ${mark}`,
    permissions: [
      "people:read",
      "person-details:read",
      "cells:read",
      "cell-memberships:read",
      "audit-entries:read",
    ],
  });
  await office.roleAssignments.create({ person: reader, role, "scope-type": "account" });

  const page = await as(await letIn(office, reader.id), `/people/${person.id}?tab=history`);
  const entries = page.locator("main ol > li");
  await expect(entries).toHaveText([
    /Hannah Whitfield changed this record\s*Occupation from Baker to Clerk/,
    /Ana Beatriz Oliveira changed this record\s*Medical notes: the value is not shown here/,
    new RegExp(`changed a membership in a group \\(North ${mark}\\).*Status from active to left`),
    new RegExp(`Ana Beatriz Oliveira made Teresa ${mark} leader of North ${mark}`),
    new RegExp(`Ana Beatriz Oliveira added Teresa ${mark} to North ${mark}`),
    /Ana Beatriz Oliveira added this record/,
  ]);

  await entries
    .getByRole("link", { name: `North ${mark}` })
    .first()
    .click();
  await page.getByRole("heading", { level: 1, name: `North ${mark}` }).waitFor();
  await page.getByRole("link", { name: "History", exact: true }).click();
  await expect(entries.first()).toHaveText(
    /Ana Beatriz Oliveira changed this record\s*Weekday from Tuesday to Thursday/,
  );
  await expect(entries.first()).toContainText("About: We sing. added");

  // The right to read the audit decides.
  const other = await as("secretary", `/people/${person.id}?tab=history`);
  await expect(other.getByText("Last changed")).toBeVisible();
  await expect(other.getByRole("heading", { name: "Changes" })).toBeHidden();
});
