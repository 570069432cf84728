import assert from "node:assert/strict";
import { after, test } from "node:test";
import { addPerson } from "../../../src/features/people/add-person.ts";
import { inTransaction } from "../../../src/store/db.ts";
import { dice } from "../../support/acts.ts";
import { feedOf } from "../../support/changes.ts";
import { makeCell, makeMember } from "../../support/cells.ts";
import { importing } from "../../support/imports.ts";
import { makeAssignment, makePerson, type Member } from "../../support/make.ts";
import { document, type Resource, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const feed = feedOf(service);
const imports = importing(service, after);

// -- Writers -------------------------------------------------------------------------------------------------------

const networks = [
  await makeCell(db, account.id, { cell_type: "supervision", level: 1 }),
  await makeCell(db, account.id, { cell_type: "supervision", level: 1 }),
];
const [network = ""] = networks;
const cell = await makeCell(db, account.id, { parent_id: network });
const cells = [
  cell,
  await makeCell(db, account.id, { parent_id: network }),
  await makeCell(db, account.id),
];
const people: string[] = [];
const leader = await makeMember(db, account.id, cell, { cell_role: "leader" });
const supervisor = await makePerson(db, account.id);
await makeAssignment(db, account.id, {
  personId: supervisor.id,
  role: "cell-supervisor",
  scopeType: "cell-tree",
  scopeIds: [network],
});

const linked = (type: string, id: string | null | undefined) => ({
  data: id ? { type, id } : null,
});
const post = async (type: string, attributes: object, relationships = {}) => {
  const answer = await service.post(
    `/v1/${type}`,
    document(type, attributes as Record<string, unknown>, { relationships }),
  );
  // Others may have removed what the write names.
  assert.ok(answer.status < 500, answer.text);
  return (answer.document.data as Resource | undefined)?.id;
};
const patch = async (
  type: string,
  id: string | undefined,
  attributes: object,
  relationships = {},
) => {
  if (id === undefined) return;
  const changed = document(type, attributes as Record<string, unknown>, { id, relationships });
  assert.ok((await service.patch(`/v1/${type}/${id}`, changed)).status < 500);
};

async function write(roll: (sides: number) => number): Promise<void> {
  const any = (all: readonly string[]) => all[roll(all.length)];
  switch (roll(9)) {
    case 0:
    case 1: {
      const id = await post("people", { "full-name": `Person ${roll(1_000)}` });
      if (id !== undefined) people.push(id);
      return;
    }
    case 2:
    case 3:
      await post(
        "cell-memberships",
        { "cell-role": "visitor" },
        {
          person: linked("people", any(people)),
          cell: linked("cells", roll(2) === 0 ? cell : any(cells)),
        },
      );
      return;
    case 4:
      return patch("people", any(people), { occupation: `Baker ${roll(1_000)}` });
    case 5: {
      const answer = await service.get(
        `/v1/cell-memberships?filter[cell]=${any(cells)}&filter[status]=active&filter[cell-role]=visitor&page[size]=3`,
      );
      const found = (answer.document.data as Resource[]).map(({ id }) => id);
      return patch("cell-memberships", any(found), { status: "left" });
    }
    case 6:
      // The leader keeps their cell, and the cell moves with them.
      return patch(
        "cells",
        any(cells),
        {},
        { parent: linked("cells", [...networks, null][roll(3)]) },
      );
    case 7: {
      const [kept, removed] = [any(people), any(people)];
      if (roll(2) === 0) await service.delete(`/v1/people/${removed}`);
      else if (kept !== removed)
        await post(
          "person-merges",
          {},
          {
            kept: linked("people", kept),
            removed: { data: [{ type: "people", id: removed }] },
          },
        );
      return;
    }
    case 8: {
      const id = await post(
        "cells",
        { name: `Cell ${roll(1_000)}` },
        { parent: linked("cells", any(networks)) },
      );
      if (id === undefined) return;
      await post(
        "cell-memberships",
        { "cell-role": "visitor" },
        { person: linked("people", any(people)), cell: linked("cells", id) },
      );
      if (roll(2) === 0) cells.push(id);
      else await service.delete(`/v1/cells/${id}`);
      await post("tags", { name: `Tag ${id}` });
    }
  }
}

/** Two imports of people. The second one is undone. */
async function importPeople(): Promise<void> {
  for (const isUndone of [false, true]) {
    const rows = Array.from({ length: 12 }, (_, at) => `Import ${isUndone} ${at}`);
    const { job } = await imports.rehearse(
      { mapping: { Name: "full-name" } },
      ["Name", ...rows].join("\n"),
    );
    const ran = await imports.run(job.id);
    assert.equal(ran.job.attributes["status"], "done", JSON.stringify(ran.job.attributes));
    if (isUndone) await imports.undo(job.id);
  }
}

// -- Copies --------------------------------------------------------------------------------------------------------

const types = ["people", "cells", "cell-memberships"];

/** The members that no other row changes. */
const kept = ({ attributes, relationships }: Resource) => {
  const links = ["parent", "person", "cell"].map((name) => [
    name,
    relationships[name]?.data ?? null,
  ]);
  const names = ["full-name", "occupation", "name", "status", "cell-role"];
  return {
    attributes: names.map((name) => attributes[name]),
    links: Object.fromEntries(links) as Record<string, { id: string } | null>,
  };
};

type Copy = Map<string, ReturnType<typeof kept>>;

async function listed(reader: Member, type: string, filter = ""): Promise<Copy> {
  const copy: Copy = new Map();
  for (let number = 1, pages = 1; number <= pages; number += 1) {
    const path = `/v1/${type}?page[number]=${number}&sort=id${filter}`;
    const { document: read } = await service.get(path, { as: reader.token });
    const { size = 1, total = 0 } = read.meta as { size?: number; total?: number };
    for (const row of read.data as Resource[]) copy.set(`${type} ${row.id}`, kept(row));
    pages = Math.ceil(total / size);
  }
  return copy;
}

/** A follower that keeps a copy and a position, and that stops at any point. */
class Follower {
  readonly copy: Copy = new Map();
  #position = "";
  readonly #reader: Member;
  readonly #roll: (sides: number) => number;

  constructor(reader: Member, seed: number) {
    this.#reader = reader;
    this.#roll = dice(seed);
  }

  async start(): Promise<void> {
    this.#position = await feed.now(this.#reader);
    for (const type of types)
      for (const [key, row] of await listed(this.#reader, type)) this.copy.set(key, row);
  }

  async readPage(): Promise<boolean> {
    const size = 1 + this.#roll(30);
    const query = `page[size]=${size}&filter[types]=${types.join(",")}`;
    const page = await feed.readOrNone(this.#position, query, this.#reader);
    if (!page) {
      this.copy.clear();
      await this.start();
      return false;
    }
    const rows = page.changes.map(({ attributes }) => ({
      action: String(attributes["action"]),
      type: String(attributes["resource-type"]),
      id: String(attributes["resource-id"]),
    }));
    const present: Copy = new Map();
    for (const type of types) {
      const ids = [...new Set(rows.filter((row) => row.type === type).map(({ id }) => id))];
      for (let at = 0; at < ids.length; at += 100) {
        const some = ids.slice(at, at + 100).join(",");
        for (const [key, row] of await listed(this.#reader, type, `&filter[id]=${some}`))
          present.set(key, row);
      }
    }
    // A reader that is killed has stored a part of the page and not the position.
    const until = this.#roll(4) === 0 ? this.#roll(rows.length + 1) : undefined;
    for (const row of rows.slice(0, until)) this.#apply(row, present);
    if (until !== undefined) return false;
    this.#position = page.next;
    return page.isComplete;
  }

  #apply({ action, id, type }: { action: string; id: string; type: string }, present: Copy): void {
    const key = `${type} ${id}`;
    if (["created", "updated", "entered"].includes(action)) {
      const row = present.get(key);
      if (row) this.copy.set(key, row);
      return;
    }
    this.copy.delete(key);
  }
}

test("200 · copies of three readers equal the lists, after eight writers, two imports and a transaction that stayed open", async () => {
  for (let count = 0; count < 10; count += 1) people.push((await makePerson(db, account.id)).id);
  const members = [account.administrator, supervisor, leader];
  const readers = members.map((one, at) => new Follower(one, at + 100));
  for (const one of readers) await one.start();

  const writers = Array.from({ length: 8 }, (_, at) => dice(at + 1));
  const isHeld = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const slow = inTransaction(db, account.id, async (tx) => {
    await addPerson(tx, account.id, { fullName: "Sara Slow" });
    opened.resolve();
    await isHeld.promise;
  });
  await opened.promise;
  let areWriting = true;
  const following = readers.map(async (one) => {
    while (areWriting) await one.readPage();
  });
  await Promise.all([
    importPeople(),
    ...writers.map(async (roll, at) => {
      for (let count = 0; count < 8; count += 1) {
        await write(roll);
        if (at === 0 && count === 5) isHeld.resolve();
      }
    }),
  ]);
  await slow;
  areWriting = false;
  await Promise.all(following);

  for (const [at, reader] of readers.entries()) {
    for (let isComplete = false; !isComplete; ) isComplete = await reader.readPage();
    const expected: Copy = new Map();
    for (const type of types)
      for (const [key, row] of await listed(members[at] as Member, type)) expected.set(key, row);
    assert.deepEqual(
      Object.fromEntries([...reader.copy].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      Object.fromEntries([...expected].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      `reader ${at}`,
    );
    assert.ok(expected.size > 5, `reader ${at} sees ${expected.size} rows`);
  }
});
