// Keeps a copy of people, cells and memberships in SQLite. Run it as often as you like, or with --follow.
// The README in this folder explains how to start it.
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { Vestry, VestryError } from "@vestry/sdk";

const {
  VESTRY_URL,
  CLIENT_TOKEN,
  ACCOUNT,
  USERNAME,
  PASSWORD,
  COPY = "copy.db",
  PAUSE_MS = "5000",
} = process.env;

const missing = Object.entries({ VESTRY_URL, CLIENT_TOKEN, ACCOUNT, USERNAME, PASSWORD })
  .filter(([, value]) => !value)
  .map(([name]) => name);
if (missing.length > 0) {
  console.error(`Set ${missing.join(", ")} first.`);
  process.exit(1);
}

const logIn = () =>
  Vestry.login({
    url: VESTRY_URL,
    clientToken: CLIENT_TOKEN,
    account: ACCOUNT,
    username: USERNAME,
    password: PASSWORD,
  });
const types = ["people", "cells", "cell-memberships"];
const listOf = (vestry, type) =>
  ({ "people": vestry.people, "cells": vestry.cells, "cell-memberships": vestry.cellMemberships })[
    type
  ];
const AT_ONCE = 100;

const db = new DatabaseSync(COPY);
db.exec(`
  create table if not exists copies (type text, id text, record text, primary key (type, id));
  create table if not exists position (next text)`);
const insert = db.prepare("insert or replace into copies values (?, ?, ?)");
const store = (record) => insert.run(record.$type, record.id, JSON.stringify(record));
const remove = db.prepare("delete from copies where type = ? and id = ?");
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

/** Takes the position first, so that the feed has what changes while the lists are read. */
async function readLists(vestry) {
  const { position } = await vestry.changePage("now");
  const records = [];
  for (const type of types)
    for await (const record of listOf(vestry, type).list()) records.push(record);
  together(() => {
    db.exec("delete from copies");
    records.forEach(store);
    moveTo(position);
  });
  console.log(`Read ${records.length} records.`);
}

/** Applies the next page. Returns whether more rows wait. Other types also need the table `goesWith` of the SDK. */
async function readChanges(vestry, after) {
  const { isComplete, items, position } = await vestry.changePage(after, { types });
  const records = new Map();
  for (const type of types) {
    const ids = [...new Set(items.filter((one) => one.type === type).map(({ id }) => id))];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const filter = { id: ids.slice(at, at + AT_ONCE) };
      for await (const record of listOf(vestry, type).list({ filter }))
        records.set(record.id, record);
    }
  }
  together(() => {
    for (const { action, id, type } of items)
      if (!["created", "updated", "entered"].includes(action)) remove.run(type, id);
      else if (records.has(id)) store(records.get(id));
    moveTo(position);
  });
  if (items.length > 0) console.log(`Applied ${items.length} changes.`);
  return !isComplete;
}

const isFollowing = process.argv.includes("--follow");
/** The service restarts, or the network is away. */
const isAway = ({ status }) => status === 0 || status === 429 || status >= 500;

let vestry;
for (let isAgain = true; isAgain; ) {
  const position = db.prepare("select next from position").get()?.next;
  try {
    vestry ??= await logIn();
    if (position === undefined) await readLists(vestry);
    else isAgain = await readChanges(vestry, position);
  } catch (error) {
    if (!(error instanceof VestryError)) throw error;
    // The position no longer holds, so the lists are read again.
    if (error.status === 410) db.exec("delete from position");
    // The token has ended. A log-in that fails ends the program.
    else if (error.status === 401 && vestry) vestry = undefined;
    else if (isFollowing && isAway(error)) {
      console.log("The service is away. Trying again.");
      await setTimeout(error.retryAfter === undefined ? Number(PAUSE_MS) : error.retryAfter * 1000);
    } else throw error;
  }
  if (!isAgain && isFollowing) isAgain = await setTimeout(Number(PAUSE_MS), true);
}
