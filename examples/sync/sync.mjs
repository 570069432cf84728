// Keeps a copy of people, cells and memberships in SQLite. Run it as often as you like, or with --follow.
// The README in this folder explains how to start it.
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { Vestry, VestryError } from "@vestry/sdk";

const { VESTRY_URL, CLIENT_TOKEN, ACCOUNT, USERNAME, PASSWORD, COPY = "copy.db" } = process.env;

const missing = Object.entries({ VESTRY_URL, CLIENT_TOKEN, ACCOUNT, USERNAME, PASSWORD })
  .filter(([, value]) => !value)
  .map(([name]) => name);
if (missing.length > 0) {
  console.error(`Set ${missing.join(", ")} first.`);
  process.exit(1);
}

const vestry = await Vestry.login({
  url: VESTRY_URL,
  clientToken: CLIENT_TOKEN,
  account: ACCOUNT,
  username: USERNAME,
  password: PASSWORD,
});
const lists = {
  "people": vestry.people,
  "cells": vestry.cells,
  "cell-memberships": vestry.cellMemberships,
};
const AT_ONCE = 100;

const db = new DatabaseSync(COPY);
db.exec(`
  create table if not exists copies (type text, id text, person text, cell text, record text, primary key (type, id));
  create table if not exists position (next text)`);
const insert = db.prepare("insert or replace into copies values (?, ?, ?, ?, ?)");
const store = (record) =>
  insert.run(
    record.$type,
    record.id,
    record.person?.id ?? null,
    record.cell?.id ?? null,
    JSON.stringify(record),
  );
const remove = db.prepare("delete from copies where type = ? and id = ?");
const removeMemberships = db.prepare("delete from copies where person = ? or cell = ?");
const moveTo = (next) => {
  db.exec("delete from position");
  db.prepare("insert into position values (?)").run(next);
};

/** Stores records and the position together, so that a program that is killed continues where it was. */
function together(write) {
  db.exec("begin");
  write();
  db.exec("commit");
}

const changesAfter = async (position) => {
  const query = {
    "page[after]": position,
    "page[size]": "1000",
    "filter[types]": Object.keys(lists).join(","),
  };
  const { body } = await vestry.request("GET", "/v1/changes", { query });
  const next = new URL(body.links.next).searchParams.get("page[after]");
  return {
    rows: body.data.map(({ attributes }) => attributes),
    next,
    isComplete: body.meta["is-complete"],
  };
};

/** Takes the position first, so that the feed has what changes while the lists are read. */
async function readLists() {
  const { next } = await changesAfter("now");
  const records = [];
  for (const list of Object.values(lists))
    for await (const record of list.list()) records.push(record);
  together(() => {
    db.exec("delete from copies");
    records.forEach(store);
    moveTo(next);
  });
  console.log(`Read ${records.length} records.`);
}

/** Applies the next page. Returns whether more rows wait. */
async function readChanges(position) {
  const { isComplete, next, rows } = await changesAfter(position);
  const records = new Map();
  for (const [type, list] of Object.entries(lists)) {
    const ids = [
      ...new Set(
        rows.filter((row) => row["resource-type"] === type).map((row) => row["resource-id"]),
      ),
    ];
    for (let at = 0; at < ids.length; at += AT_ONCE)
      for await (const record of list.list({ filter: { id: ids.slice(at, at + AT_ONCE) } }))
        records.set(record.id, record);
  }
  together(() => {
    for (const { action, "resource-id": id, "resource-type": type } of rows)
      if (["created", "updated", "entered"].includes(action)) {
        if (records.has(id)) store(records.get(id));
      } else {
        remove.run(type, id);
        if (action !== "left") removeMemberships.run(id, id);
      }
    moveTo(next);
  });
  if (rows.length > 0) console.log(`Applied ${rows.length} changes.`);
  return !isComplete;
}

for (let isAgain = true; isAgain; ) {
  const position = db.prepare("select next from position").get()?.next;
  try {
    if (position === undefined) await readLists();
    else isAgain = await readChanges(position);
  } catch (error) {
    if (!(error instanceof VestryError) || error.status !== 410) throw error;
    db.exec("delete from position");
  }
  if (!isAgain && process.argv.includes("--follow")) isAgain = await setTimeout(5_000, true);
}
