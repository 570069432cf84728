import type { Person, Resource, Vestry, WebhookMessage } from "../src/index.ts";

/** The compiler is the test: an unused `@ts-expect-error` is an error. */
type Equal<A, B> =
  (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;
const holds = <Condition extends true>(condition?: Condition): void => void condition;

export async function selection(v: Vestry) {
  const person = await v.people.get("me");
  holds<Equal<typeof person, Person>>();
  person["full-name"].trim();
  // @ts-expect-error The reduced view has no birthdate.
  person.birthdate.trim();
  // @ts-expect-error No type has this attribute.
  holds(person.name);

  const { items } = await v.people.page({
    include: ["households", "cell-memberships.cell"],
    fields: { "people": ["full-name"], "cells": ["name"] },
    filter: { "membership-status": ["member"], "is-active": true, "custom-properties.shirt": "m" },
    sort: "-full-name",
  });
  for (const one of items) {
    one["full-name"].trim();
    one.households.map((household) => household.name.trim());
    one["cell-memberships"].map(({ cell, ...membership }) => [cell.name, membership["cell-role"]]);
    // @ts-expect-error The attribute was not selected.
    holds(one.email);
    // @ts-expect-error The relationship was neither selected nor included.
    holds(one.tags);
    // @ts-expect-error The attribute of the included record was not selected.
    one["cell-memberships"].map(({ cell }) => cell.weekday);
  }

  const note = await v.notes.get("1", { include: ["author", "about"] });
  // @ts-expect-error The caller may not read the author.
  note.author?.["full-name"].trim();
  if (note.about?.$type === "cells") note.about.name?.trim();

  const query = { include: ["cells"], fields: { cells: ["name"] } } as const;
  const read: Resource<"people", typeof query> = await v.people.get("me", query);
  read.cells.map(({ name }) => name.trim());

  // @ts-expect-error The filter is unknown.
  await v.people.page({ filter: { nickname: "Ana" } });
  // @ts-expect-error The value is not a status.
  await v.people.page({ filter: { "membership-status": ["friend"] } });
  // @ts-expect-error The sort is unknown.
  await v.people.page({ sort: "shoe-size" });
  // @ts-expect-error The relationship is unknown.
  await v.people.page({ include: ["friends"] });
  // @ts-expect-error The field is unknown.
  await v.people.page({ fields: { people: ["nickname"] } });
}

export async function writes(v: Vestry) {
  const ana = await v.people.create({ "full-name": "Ana Souza" }, { idempotencyKey: "import-17" });
  await v.people.update(ana, { occupation: "Baker", email: undefined });
  await v.courseEnrollments.create({ class: "1", person: ana });
  await v.notes.create({ about: ana, text: "Called", visibility: "scope" });
  await v.people.link(ana, "tags").add(["1"]);
  await v.people.photo(ana.id).put(new Blob());
  await v.people.photo(ana).delete();

  await v.passwordChanges.create({ "current-password": "old one", "new-password": "new one" });
  const [token] = (await v.accessTokens.page()).items;
  if (token && !token["is-current"]) await v.accessTokens.delete(token);

  // @ts-expect-error A person needs a name.
  await v.people.create({ occupation: "Baker" });
  // @ts-expect-error The attribute is read-only.
  await v.people.update(ana, { age: 5 });
  // @ts-expect-error A cell is not a person.
  await v.courseEnrollments.create({ class: "1", person: await v.cells.get("1") });
  // @ts-expect-error The type of the record is not clear from its id.
  await v.notes.create({ about: "1", text: "Called" });
  // @ts-expect-error Attendances are deleted, never created.
  await v.cellAttendances.create({});
  // @ts-expect-error Households are linked by their memberships.
  await v.people.link(ana, "households").add(["1"]);
}

export async function messages(message: WebhookMessage): Promise<string | undefined> {
  switch (message.type) {
    case "webhook.verification":
      return message.challenge;
    case "person.updated":
      // @ts-expect-error A household has this member, a person does not.
      holds(message.snapshot["primary-contact"]);
      return message.snapshot.email ?? message.subject.id;
    case "person.deleted":
      // @ts-expect-error Only the identity of a deleted person remains.
      holds(message.snapshot.email);
      return message.snapshot.id;
    default:
      return undefined;
  }
}
