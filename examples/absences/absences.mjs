// Asks leaders to call the people who were missing from their meetings. Run it once a week.
// The README in this folder explains how to start it.
import { Vestry, VestryError } from "@vestry/sdk";

const { VESTRY_URL, CLIENT_TOKEN, ACCOUNT, USERNAME, PASSWORD } = process.env;

const missing = Object.entries({ VESTRY_URL, CLIENT_TOKEN, ACCOUNT, USERNAME, PASSWORD })
  .filter(([, value]) => !value)
  .map(([name]) => name);
if (missing.length > 0) {
  console.error(`Set ${missing.join(", ")} first.`);
  process.exit(1);
}

const KIND = "Absences";

const vestry = await Vestry.login({
  url: VESTRY_URL,
  clientToken: CLIENT_TOKEN,
  account: ACCOUNT,
  username: USERNAME,
  password: PASSWORD,
});

/** People whose last note is still open. A second run writes no second note about them. */
const waiting = new Set();
for await (const { about } of vestry.notes.list({
  filter: { "kind": KIND, "follow-up-status": "open" },
  fields: { notes: ["about"] },
}))
  waiting.add(about.id);

const absent = vestry.people.list({
  filter: { "absent-streak-min": 3, "is-active": true },
  include: ["cells.leaders"],
  fields: {
    "people": ["full-name", "attendance-summary"],
    "cells": ["name"],
  },
});

const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);

for await (const person of absent) {
  const leaders = person.cells.flatMap((cell) => cell.leaders.map((leader) => ({ cell, leader })));
  const call = leaders.find(({ leader }) => leader.id !== person.id);
  if (call === undefined || waiting.has(person.id)) continue;
  const { cell, leader } = call;
  const times = person["attendance-summary"]["absent-streak"];
  try {
    await vestry.notes.create(
      {
        "about": person,
        "kind": KIND,
        "text": `Missing from the last ${times} meetings of ${cell.name}.`,
        "follow-up-on": inThreeDays,
        "assignee": leader,
      },
      { idempotencyKey: `absences-${person.id}-${inThreeDays}` },
    );
    console.log(`${leader["full-name"]} calls ${person["full-name"]} (${cell.name}).`);
  } catch (error) {
    if (!(error instanceof VestryError) || error.status !== 422) throw error;
    console.error(`${person["full-name"]}: ${error.detail} (${error.requestId})`);
  }
}
