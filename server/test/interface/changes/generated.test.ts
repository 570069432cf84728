import assert from "node:assert/strict";
import { after, test } from "node:test";
import { goesWith } from "../../../../sdk/src/changes.ts";
import { describedCatalogue as catalogue } from "../../../src/catalogue.ts";
import { followedTypes } from "../../../src/features/journal/changes/view.ts";
import { isComputed } from "../../../src/jsonapi/definition/members.ts";
import { columnsByType } from "../../../src/jsonapi/definition/relationships.ts";
import { furnish } from "../../conformance/furnish.ts";
import { specialMakers } from "../../conformance/makers.ts";
import { actsOf, anyOf, type Dice, dice, documentFor } from "../../support/acts.ts";
import { feedOf } from "../../support/changes.ts";
import { makeRow, makeToken, type Member } from "../../support/make.ts";
import { runsOf, seedOfRuns } from "../../support/sample.ts";
import { document, type Resource, startService, type TestService } from "../../support/service.ts";
import { makeStage, type Stage, type Standing, standings } from "../../support/standings.ts";

/**
 * Writers of all standings do random acts of the catalogue. Readers of seven standings keep copies by rows alone. After each round a
 * copy equals the lists, with all members but the computed ones, or the position of its reader was refused.
 */

const churches = runsOf({ part: 1, whole: 5 });
const rounds = runsOf({ part: 3, whole: 10 });
const ACTS = 40;

const readers = [
  "full administrator",
  "secretary",
  "supervisor",
  "cell leader",
  "course coordinator",
  "teacher",
  "member",
] as const satisfies Standing[];

/** Other tests hold these types: their acts change log-ins, send messages, run jobs, or end the account. */
const acts = actsOf(
  catalogue.resources.values(),
  ({ type }) => !/^(accounts|import-|webhook-|person-invitations)/.test(type),
);

const types = followedTypes(catalogue).filter((type) => {
  const { list, read } = catalogue.resources.get(type)?.operations ?? {};
  return list && read && !type.startsWith("webhook-");
});

/** A church with people of each standing, and one resource of each type that they share. */
async function makeChurch() {
  const service = await startService();
  const { account, db } = service;
  const stage = await makeStage(service);
  const { people, places } = stage;
  await db`update course_classes set status = 'open' where account_id = ${account.id}`;
  await makeRow(db, "course_enrollments", account.id, {
    course_id: places.course,
    class_id: places.courseClass,
    person_id: people.member.id,
    status: "active",
  });
  await furnish(db, catalogue, account, {
    ...specialMakers(db, account.id),
    "cells": async () => places.own,
    "courses": async () => places.course,
    "course-classes": async () => places.courseClass,
  });
  return { service, stage };
}

interface Done {
  standing: Standing;
  verb: string;
  type: string;
  id: string | undefined;
  status: number;
}

/** Sends a random act. The service rejects most acts of callers without the right, and acts that name a deleted resource. */
async function write(
  service: TestService,
  { people }: Stage,
  roll: Dice,
): Promise<Done | undefined> {
  const { account, db } = service;
  const act = anyOf(roll, acts) ?? assert.fail("The catalogue has no acts.");
  const {
    resource: { relationships: links, type },
    verb,
  } = act;
  const targets = Object.values(links).flatMap((one) =>
    "column" in one ? Object.keys(columnsByType(one)) : [one.target],
  );
  const ids = new Map<string, readonly string[]>();
  for (const one of new Set([type, ...targets])) {
    const table = catalogue.resources.get(one)?.table ?? assert.fail(one);
    const rows = await db<{ id: string }[]>`
      select id from ${db(table)} where account_id = ${account.id} order by id desc limit 12`;
    ids.set(
      one,
      rows.map(({ id }) => id),
    );
  }
  const id = verb === "create" ? undefined : anyOf(roll, ids.get(type) ?? []);
  if (verb !== "create" && id === undefined) return undefined;
  const standing =
    roll(3) === 0 ? (anyOf(roll, standings) ?? "member") : ("full administrator" as const);
  const { attributes, relationships } = documentFor(roll, act, (one) =>
    anyOf(roll, ids.get(one) ?? []),
  );
  // The people of the standings stay, and keep their log-ins.
  const isOne = (person: unknown) => Object.values(people).some((one) => one.id === person);
  const ending = { "person-merges": "removed", "person-anonymizations": "person" }[type] ?? "";
  const { data: gone = [] } = (relationships[ending] ?? {}) as {
    data?: { id: string } | { id: string }[];
  };
  if ([gone].flat().some((one) => isOne(one.id)) || (verb === "delete" && isOne(id)))
    return undefined;
  if (isOne(id)) delete attributes["is-active"];
  const sent = document(type, attributes, { relationships, ...(id !== undefined && { id }) });
  const as = { as: people[standing].token };
  const path = `/v1/${type}`;
  const answer = await (verb === "create"
    ? service.post(path, sent, as)
    : verb === "update"
      ? service.patch(`${path}/${id}`, sent, as)
      : service.delete(`${path}/${id}`, as));
  assert.ok(answer.status < 500, `${standing} ${verb} ${type}: ${answer.text}`);
  return { standing, verb, type, id, status: answer.status };
}

/** Records by type and id, each with its members that do not follow from other records. */
type Copy = Map<string, Map<string, string>>;

function kept({ attributes, relationships, type }: Resource): Map<string, string> {
  const definition = catalogue.resources.get(type) ?? assert.fail(type);
  const members = [
    ...Object.entries(attributes ?? {}),
    ...Object.entries(relationships ?? {}).map(([name, { data }]) => [name, data] as const),
  ];
  return new Map(
    members
      .filter(([name]) => !isComputed(definition, name))
      .map(([name, value]) => [name, JSON.stringify(value)]),
  );
}

/** The resources in a list of a reader. The list is empty if the reader may not read the type. */
async function listed(
  service: TestService,
  { token }: Member,
  type: string,
  filter = "",
): Promise<Copy> {
  const copy: Copy = new Map();
  for (let number = 1, pages = 1; number <= pages; number += 1) {
    const path = `/v1/${type}?page[number]=${number}&page[size]=100${filter}`;
    const answer = await service.get(path, { as: token });
    if (answer.status === 403) return copy;
    assert.equal(answer.status, 200, answer.text);
    const { size = 1, total = 0 } = answer.document.meta as { size?: number; total?: number };
    for (const row of answer.document.data as Resource[]) copy.set(`${type} ${row.id}`, kept(row));
    pages = Math.ceil(total / size);
  }
  return copy;
}

async function everything(service: TestService, reader: Member): Promise<Copy> {
  const all = await Promise.all(types.map((type) => listed(service, reader, type)));
  return new Map(all.flatMap((one) => [...one]));
}

/** A reader that applies rows, and reads the lists only at the start and after a refusal. */
class Follower {
  refused = 0;
  copy: Copy = new Map();
  #position = "";
  readonly #reader: Member;
  readonly #service: TestService;

  constructor(service: TestService, reader: Member) {
    this.#service = service;
    this.#reader = reader;
  }

  async start(): Promise<void> {
    this.#position = await feedOf(this.#service).now(this.#reader);
    this.copy = await everything(this.#service, this.#reader);
  }

  /** A gain of rights can end a log-in. */
  async #logIn(): Promise<void> {
    const { account, db } = this.#service;
    const { status } = await this.#service.get("/v1/people/me", { as: this.#reader.token });
    if (status === 401) this.#reader.token = await makeToken(db, account.id, this.#reader.id);
  }

  async follow(): Promise<void> {
    await this.#logIn();
    const feed = feedOf(this.#service);
    for (let isComplete = false; !isComplete; ) {
      const page = await feed.readOrNone(this.#position, "page[size]=50", this.#reader);
      if (!page) {
        this.refused += 1;
        return this.start();
      }
      for (const { attributes } of page.changes)
        await this.#apply(
          String(attributes["action"]),
          String(attributes["resource-type"]),
          String(attributes["resource-id"]),
        );
      this.#position = page.next;
      isComplete = page.isComplete;
    }
  }

  async #apply(action: string, type: string, id: string): Promise<void> {
    if (!types.includes(type)) return;
    this.copy.delete(`${type} ${id}`);
    if (["created", "updated", "entered"].includes(action))
      await this.#read(type, `&filter[id]=${id}`);
    if (action === "created" || action === "updated") return;
    for (const { by, type: other } of goesWith[type as keyof typeof goesWith] ?? []) {
      for (const [key, members] of this.copy)
        if (key.startsWith(`${other} `) && members.get(by) === JSON.stringify({ type, id }))
          this.copy.delete(key);
      await this.#read(other, `&filter[${by}]=${id}`);
    }
  }

  async #read(type: string, filter: string): Promise<void> {
    const found = await listed(this.#service, this.#reader, type, filter);
    for (const [key, members] of found) this.copy.set(key, members);
  }
}

/** The records in which a copy differs from the lists, with the members that do. */
function differences(copy: Copy, lists: Copy): string[] {
  return [...new Set([...copy.keys(), ...lists.keys()])].flatMap((key) => {
    const [copied, present] = [copy.get(key), lists.get(key)];
    if (!copied || !present) return `${key} ${copied ? "stays in the copy" : "is missing"}`;
    const names = [...new Set([...copied.keys(), ...present.keys()])].filter(
      (name) => copied.get(name) !== present.get(name),
    );
    return names.map((name) => `${key} ${name}: ${copied.get(name)}, now ${present.get(name)}`);
  });
}

for (let church = 0; church < churches; church += 1)
  test(`200 · copies of seven standings equal the lists after random acts, church ${church + 1}`, async (t) => {
    const { service, stage } = await makeChurch();
    after(() => service.stop());
    const followers = readers.map((one) => new Follower(service, stage.people[one]));
    for (const one of followers) await one.start();
    for (let round = 0; round < rounds; round += 1) {
      const roll = dice(seedOfRuns + church * rounds + round);
      const done: Done[] = [];
      for (let count = 0; count < ACTS; count += 1) {
        const act = await write(service, stage, roll);
        if (act && act.status < 300) done.push(act);
        if (roll(8) === 0) await anyOf(roll, followers)?.follow();
      }
      assert.ok(done.length > 0, "Every act was rejected.");
      for (const [at, follower] of followers.entries()) {
        await follower.follow();
        const standing = readers[at] ?? "member";
        const lists = await everything(service, stage.people[standing]);
        const faults = differences(follower.copy, lists);
        const said = done.map((one) => `${one.standing} ${one.verb} ${one.type} ${one.id ?? ""}`);
        assert.deepEqual(faults, [], [`${standing}, round ${round}`, ...said].join("\n"));
      }
    }
    const counts = followers.map(({ refused }, at) => `${readers[at]} ${refused}`);
    t.diagnostic(`Refused positions: ${counts.join(", ")}`);
  });
