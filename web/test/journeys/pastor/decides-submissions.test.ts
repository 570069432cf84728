import { readFile } from "node:fs/promises";
import { elsewhere, makeForm, makeHolder, makePerson, sendForm, unique } from "../../church.ts";
import { expect, test, withoutStream } from "../../bed.ts";

test("accepts a submission, links it to the suggested person and accepts one of two changes", async ({
  as,
  office,
}) => {
  const mark = unique();
  const [person, form, { login }] = await Promise.all([
    makePerson(office, `Ana Lima ${mark}`),
    makeForm(office),
    makeHolder(office, "pastor"),
  ]);
  const name = `Ana Beatriz Lima ${mark}`;
  const sent = await sendForm(office, form, {
    "full-name": name,
    "email": person.email,
    "occupation": "Teacher",
  });
  const page = await as(login, "/inbox");
  await page.getByRole("link", { name: `Decide: ${name}` }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByRole("radio", { name: person["full-name"] })).toBeChecked();
  await page.getByRole("checkbox", { name: /Occupation/ }).check();
  await page.getByRole("button", { name: "Accept" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question.getByText("Changed at the person: Occupation.")).toBeVisible();
  await question.getByRole("button", { name: "Accept" }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeHidden();
  await expect(page.getByRole("link", { name: `Decide: ${name}` })).toBeHidden();

  const decided = await office.formSubmissions.get(sent.id, { include: ["person"] });
  expect([decided.status, decided.person?.id]).toEqual(["processed", person.id]);
  const after = await office.people.get(person.id);
  expect([after["full-name"], after.occupation]).toEqual([person["full-name"], "Teacher"]);
});

test("a sender whom another form made a person meanwhile is found at the decision and linked", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/409 \(Conflict\)/);
  const mark = unique();
  const [form, { login }] = await Promise.all([makeForm(office), makeHolder(office, "pastor")]);
  const answers = { "full-name": `Elisa Prado ${mark}`, "email": `${mark}@bed.example` };
  const [first, second] = [
    await sendForm(office, form, answers),
    await sendForm(office, form, answers),
  ];
  const page = await as(login, `/forms/${form.id}/submissions/${second.id}`);
  await expect(page.getByRole("radio", { name: "A new person" })).toBeChecked();
  await office.formSubmissions.update(first.id, { status: "processed" });

  await page.getByRole("button", { name: "Accept" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Accept" }).click();
  await expect(question.getByRole("link", { name: answers["full-name"] })).toBeVisible();
  await expect(question.getByRole("button", { name: "Add a new person" })).toBeVisible();
  await question.getByRole("button", { name: "Link this person" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "From the public" })).toBeVisible();
  const [one, other] = await Promise.all(
    [first, second].map(({ id }) => office.formSubmissions.get(id, { include: ["person"] })),
  );
  expect(other?.person?.id).toBe(one?.person?.id);
});

test("after a decision the next entry of the queue opens, in the order of the reader", async ({
  as,
  office,
}) => {
  const [form, { login }] = await Promise.all([makeForm(office), makeHolder(office, "pastor")]);
  const mark = unique();
  await sendForm(office, form, { "full-name": `Earlier ${mark}`, "email": "e@bed.example" });
  const answers = { "full-name": `Later ${mark}`, "email": "l@bed.example", "occupation": "Nurse" };
  const later = await sendForm(office, form, answers);
  const page = await as(login, "/inbox");
  await page.getByRole("radio", { name: "Newest first" }).check();
  const line = page.getByRole("listitem").filter({ hasText: `Later ${mark}` });
  await expect(line.getByText("Nurse")).toBeVisible();
  // Other visitors write at the same time, so the line below can be theirs.
  const below = line.locator("xpath=following-sibling::li[1]").locator("[aria-label^='Decide: ']");
  const next = ((await below.getAttribute("aria-label")) ?? "").replace("Decide: ", "");
  await line.getByRole("link").click();
  await page.getByRole("button", { name: "Decline" }).click();
  await expect(page.getByRole("heading", { name: next })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "From the public" })).toBeVisible();
  expect((await office.formSubmissions.get(later.id)).status).toBe("rejected");
});

test("finds answers by a word, decides them together, and saves them as a file", async ({
  as,
  office,
}) => {
  const [form, { login }] = await Promise.all([makeForm(office), makeHolder(office, "pastor")]);
  const sent = await Promise.all(
    ["=Watch One", "Watch Two", "Ana Lima"].map((name) =>
      sendForm(office, form, {
        "full-name": name,
        "email": "w@bed.example",
        "occupation": "Clerk",
      }),
    ),
  );
  const page = await as(login, `/forms/${form.id}`);
  const messages = page.getByRole("region", { name: "Messages" });
  await page.getByRole("searchbox").fill("watch");
  await expect(page.getByText("Ana Lima")).toBeHidden();
  await page.getByRole("button", { name: "More", exact: true }).last().click();
  await page.getByRole("menuitem", { name: "Select" }).click();
  await page.getByRole("button", { name: "Select all 2" }).click();
  await page.getByRole("button", { name: "More for the selected answers" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV file" }).click();
  const file = await readFile(await (await download).path(), "utf8");
  expect(file).toMatch(/Sent.State.Name.E-mail.Work/);
  expect(file).toContain("'=Watch One");
  expect(file).not.toContain("Ana Lima");

  await page.getByRole("button", { name: "Spam" }).click();
  await expect(messages.getByText("Marked as spam: 2")).toBeVisible();
  const statuses = async () =>
    (await Promise.all(sent.map(({ id }) => office.formSubmissions.get(id)))).map(
      ({ status }) => status,
    );
  expect(await statuses()).toEqual(["spam", "spam", "new"]);
  await messages.getByRole("button", { name: "Undo" }).click();
  await expect(messages.getByText("Taken back")).toBeVisible();
  expect(await statuses()).toEqual(["new", "new", "new"]);
});

test("an administrator deletes answers for good, and reads the others in numbers", async ({
  as,
  office,
}) => {
  const { login } = await makeHolder(office, "administrator");
  const form = await office.forms.create({
    name: `Camp ${unique()}`,
    status: "open",
    fields: [
      { key: "name", type: "text", label: "Name", "maps-to": "full-name" },
      {
        key: "size",
        type: "select",
        label: "Size",
        options: [
          { value: "s", label: "Small" },
          { value: "m", label: "Medium" },
        ],
      },
    ],
  });
  for (const [name, size] of [
    ["Ana", "s"],
    ["Bruno", "s"],
    ["Carla", "m"],
  ] as const)
    await sendForm(office, form, { name, size });
  const page = await as(login, `/forms/${form.id}`);
  await page.getByRole("link", { name: "Carla" }).click();
  await page.getByRole("button", { name: "More about Carla" }).click();
  await page.getByRole("menuitem", { name: "Delete …" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete for good" }).click();
  await expect(page.getByRole("heading", { level: 1, name: form.name })).toBeVisible();
  await expect(page.getByRole("link", { name: "Bruno" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Carla" })).toBeHidden();
  await page.getByRole("radio", { name: "Totals" }).check();
  await expect(page.getByRole("row", { name: "Small 2 100%" })).toBeVisible();
  await expect(page.getByRole("row", { name: "Medium 0 0%" })).toBeVisible();
});

test("marks a submission as spam on the queue, and takes it back", async ({ as, office }) => {
  const [form, { login }] = await Promise.all([makeForm(office), makeHolder(office, "pastor")]);
  const name = `Cheap Watches ${unique()}`;
  const sent = await sendForm(office, form, { "full-name": name, "email": "w@bed.example" });
  const page = await as(login, "/inbox");
  const line = page.getByRole("listitem").filter({ hasText: name });
  await line.getByRole("button", { name: `More about ${name}` }).click();
  await page.getByRole("menuitem", { name: "Spam" }).click();
  await expect(line).toBeHidden();
  expect((await office.formSubmissions.get(sent.id)).status).toBe("spam");
  await page
    .getByRole("region", { name: "Messages" })
    .getByRole("button", { name: "Undo" })
    .click();
  await expect(line).toBeVisible();
  expect((await office.formSubmissions.get(sent.id)).status).toBe("new");

  await office.formSubmissions.update(sent.id, { status: "spam" });
  // The form neither counts it nor lists it with the others.
  const other = await sendForm(office, form, {
    "full-name": `Eva ${unique()}`,
    "email": "e@bed.example",
  });
  const list = await as(login, `/forms/${form.id}`);
  await expect(list.getByRole("link", { name: /^Sent ?1$/ })).toBeVisible();
  await expect(list.locator(`main a[href$="${other.id}"]`)).toBeVisible();
  await expect(list.locator(`main a[href$="${sent.id}"]`)).toHaveCount(0);
});

test("a second decision about the same submission is not written over the first", async ({
  as,
  expectMessage,
  office,
}) => {
  expectMessage(/409 \(Conflict\)/);
  expectMessage(/ERR_FAILED/);
  const [form, one, other] = await Promise.all([
    makeForm(office),
    makeHolder(office, "pastor"),
    makeHolder(office, "pastor"),
  ]);
  const sent = await sendForm(office, form, {
    "full-name": `Bruno ${unique()}`,
    "email": `${unique()}@bed.example`,
  });
  const path = `/forms/${form.id}/submissions/${sent.id}`;
  const [first, second] = await Promise.all([as(one.login, path), as(other.login, "about:blank")]);
  // The news of the first decision would take the button away.
  await withoutStream(second);
  await second.goto(path);
  await expect(second.getByRole("button", { name: "Accept" })).toBeVisible();
  await first.getByRole("button", { name: "Decline" }).click();
  await expect(first.getByRole("region", { name: "Messages" }).getByText("Declined")).toBeVisible();

  await second.getByRole("button", { name: "Accept" }).click();
  await second.getByRole("alertdialog").getByRole("button", { name: "Accept" }).click();
  await expect(second.getByRole("heading", { level: 2, name: "Declined" })).toBeVisible();
  await expect(second.getByText("Your decision was not saved.")).toBeVisible();
  await expect(second.getByText(one.person["full-name"])).toBeVisible();
  expect((await office.formSubmissions.get(sent.id)).status).toBe("rejected");
});

test("links a submission to a person of the pastor's choice, and compares it with the record", async ({
  as,
  office,
}) => {
  const mark = unique();
  const [person, form, { login }] = await Promise.all([
    makePerson(office, `Carla Reis ${mark}`),
    makeForm(office),
    makeHolder(office, "pastor"),
  ]);
  const sent = await sendForm(office, form, {
    "full-name": `C. R. ${mark}`,
    "email": `${mark}@elsewhere.example`,
    "occupation": "Nurse",
  });
  const page = await as(login, `/forms/${form.id}/submissions/${sent.id}`);
  await page.getByRole("radio", { name: "Somebody else in the church" }).check();
  await page.getByRole("combobox", { name: "Person" }).fill(person["full-name"]);
  await page.getByRole("option", { name: person["full-name"] }).click();
  await expect(page.getByRole("checkbox", { name: /Occupation/ })).toBeHidden();
  await page.getByRole("button", { name: "Link and compare" }).click();
  await page.getByRole("checkbox", { name: /Occupation/ }).check();
  await expect(page.getByRole("checkbox", { name: /E-mail/ })).not.toBeChecked();
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Accept" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "From the public" })).toBeVisible();
  const decided = await office.formSubmissions.get(sent.id, { include: ["person"] });
  expect([decided.status, decided.person?.id]).toEqual(["processed", person.id]);
  const after = await office.people.get(person.id);
  expect([after.occupation, after.email]).toEqual(["Nurse", person.email]);
});

test("accepts a visitor who asked to enroll, as a person of the church", async ({ as, office }) => {
  const mark = unique();
  const account = await office.accounts.get("me");
  await office.accounts.update(account.id, { settings: { "public-pages": true } });
  const course = await office.courses.create({ "name": `Alpha ${mark}`, "is-public": true });
  const courseClass = await office.courseClasses.create({
    course,
    "name": `Autumn ${mark}`,
    "status": "open",
    "is-public": true,
  });
  const [person, { login }] = await Promise.all([
    makePerson(office, `Daniela Prado ${mark}`),
    makeHolder(office, "pastor"),
  ]);
  const page = await as(login, "/");
  const sent = await page.request.post(`/c/demo/classes/${courseClass.id}/enroll`, {
    headers: elsewhere(),
    form: {
      "contact.full-name": person["full-name"],
      "contact.email": person.email ?? "",
      "message": "With my sister",
      "consent": "true",
    },
  });
  expect(sent.ok(), await sent.text()).toBe(true);

  await page.goto("/inbox");
  const line = page.getByRole("listitem").filter({ hasText: courseClass.name });
  await expect(line.getByText(`wants to enroll in ${courseClass.name}`)).toBeVisible();
  await line.getByRole("button", { name: `Decide: ${person["full-name"]}` }).click();
  const dialog = page.getByRole("dialog", { name: person["full-name"] });
  await expect(dialog.getByText("With my sister")).toBeVisible();
  await dialog.getByRole("radio", { name: person["full-name"] }).check();
  await dialog.getByRole("button", { name: "Accept" }).click();
  await expect(dialog).toBeHidden();
  await expect(line).toBeHidden();
  const { items } = await office.courseEnrollments.page({
    filter: { class: [courseClass.id] },
    include: ["person"],
  });
  expect(items.map((one) => [one.person?.id, one.source])).toEqual([[person.id, "public-form"]]);
});

test("reads further in a long queue, the oldest first", async ({ as }) => {
  const page = await as("of 5,000", "/inbox");
  const lines = page.getByRole("link", { name: /^Decide: / });
  const total = page.getByRole("main").getByRole("status").filter({ hasText: /\d/ });
  await expect(lines).toHaveCount(50);
  const first = await lines.first().getAttribute("aria-label");
  await page.getByRole("button", { name: "Show more" }).click();
  await expect(page.getByRole("button", { name: "Show more" })).toBeHidden();
  await expect(lines).toHaveCount(Number(await total.textContent()));
  await expect(lines.first()).toHaveAccessibleName(first ?? "");
});
