import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { queues } from "../../../src/catalogue.ts";
import {
  compareLater,
  duplicatesQueue,
  findDuplicates,
} from "../../../src/features/people/duplicates/find-duplicates.ts";
import { inTransaction } from "../../../src/store/db.ts";
import { freshDatabase } from "../../support/database.ts";
import { makeAccount, makeAssignment, makePerson } from "../../support/make.ts";
import { merge } from "../../support/merges.ts";
import { until, workOn } from "../../support/queues.ts";
import { document, many, one, type Resource, startService } from "../../support/service.ts";

const service = await startService({
  database: await freshDatabase("the worker takes the jobs of every account"),
});
after(() => service.stop());
const { account, database, db } = service;
workOn({ after: (end) => after(end as () => void) }, database, [duplicatesQueue], {});

const create = async (attributes: Record<string, unknown>, as = account.administrator.token) => {
  const answer = await service.post("/v1/people", document("people", attributes), { as });
  assert.equal(answer.status, 201, answer.text);
  return one(answer).id;
};
const change = async (id: string, attributes: Record<string, unknown>) => {
  const answer = await service.patch(`/v1/people/${id}`, document("people", attributes, { id }));
  assert.equal(answer.status, 200, answer.text);
};
const pairsOf = async (id: string, as = account.administrator.token): Promise<Resource[]> =>
  many(await service.get(`/v1/person-duplicates?filter[person]=${id}&include=people`, { as }));

/** The duplicates of a person once every job is done. */
async function compared(id: string, as?: string): Promise<Resource[]> {
  await until(async () => {
    const waiting = await db`
      select from pgboss.job where name = ${duplicatesQueue.name} and state in ('created', 'retry', 'active') limit 1`;
    return waiting.length === 0 ? true : undefined;
  });
  return pairsOf(id, as);
}

let made = 0;
const unique = () => `person-${(made += 1)}@duplicates.example`;
const phone = (number: number) => ({
  phones: [{ number: `+55119${String(number).padStart(8, "0")}` }],
});
const home = { address: { street: "Rua São João", number: "12", city: "Campinas" } };

test("200 · two people with one name and birthdate are found, whatever the case, accents and order", async () => {
  const first = await create({ "full-name": "João  da Silva", "birthdate": "1984-05-17" });
  const second = await create({
    "full-name": "SILVA Joao da",
    "birthdate": "1984-05-17",
  });
  const [pair, ...others] = await compared(first);
  assert.equal(others.length, 0);
  assert.partialDeepStrictEqual(pair?.attributes, {
    status: "open",
    score: 80,
    reasons: ["name-birthdate"],
  });
  const people = [first, second].sort().map((id) => ({ type: "people", id }));
  assert.deepEqual(pair?.relationships["people"]?.data, people);
});

test("200 · particles do not count, and with one birthdate a part of the names is the same name", async () => {
  const born = { birthdate: "1979-03-08" };
  const first = await create({ "full-name": "Maria da Silva", ...born });
  const plain = await create({ "full-name": "Maria Silva", ...born });
  const longer = await create({ "full-name": "Maria D'Ávila dos Santos e Silva", ...born });
  await create({ "full-name": "Maria Souza", ...born });
  await create({ "full-name": "Maria Silva", "birthdate": "1979-03-09" });
  const others = (await compared(first)).flatMap(({ relationships }) =>
    ((relationships["people"]?.data ?? []) as { id: string }[]).flatMap(({ id }) =>
      id === first ? [] : id,
    ),
  );
  assert.deepEqual(others.sort(), [plain, longer].sort());
});

test("200 · with one address or telephone number, a part of the names is another name", async () => {
  const father = await create({ "full-name": "José de Sá", ...home, ...phone(4) });
  await create({ "full-name": "José Sá Filho", ...home, ...phone(4) });
  assert.deepEqual(await compared(father), []);
  const again = await create({ "full-name": "Sá José", ...home, ...phone(4) });
  assert.equal((await compared(again)).length, 1);
});

test("200 · the score follows from the weights of the reasons", async () => {
  const full = { "full-name": "Ana Weights", "birthdate": "1990-01-01", ...home };
  const email = unique();
  const base = await create({ ...full, "email": email, ...phone(1) });
  const cases: [Record<string, unknown>, number, string[]][] = [
    [{ "full-name": "X", "other-emails": [email.toUpperCase()] }, 60, ["same-email"]],
    [{ "full-name": "Weights Ana", ...home, ...phone(1) }, 75, ["name-address", "same-phone"]],
    [{ "full-name": "Y", "other-emails": [email], ...phone(1) }, 80, ["same-email", "same-phone"]],
    [{ ...full, ...phone(1) }, 95, ["name-address", "name-birthdate", "same-phone"]],
    [
      { ...full, ...phone(1), "other-emails": [email] },
      98,
      ["name-address", "name-birthdate", "same-email", "same-phone"],
    ],
  ];
  for (const [attributes, score, reasons] of cases) {
    const id = await create(attributes);
    const pair = (await compared(id)).find(({ relationships }) =>
      JSON.stringify(relationships["people"]?.data).includes(base),
    );
    assert.deepEqual([pair?.attributes["score"], pair?.attributes["reasons"]], [score, reasons]);
  }
});

test("200 · a family that shares a telephone and a home is not a duplicate", async () => {
  const father = await create({ "full-name": "Rui Lima", ...home, ...phone(2) });
  await create({ "full-name": "Eva Lima", ...home, ...phone(2) });
  assert.deepEqual(await compared(father), []);
});

test("200 · a change finds a pair, and another one ends it while it is open", async () => {
  const email = unique();
  const first = await create({ "full-name": "Changing", "email": email });
  const second = await create({ "full-name": "Static" });
  assert.deepEqual(await compared(second), []);
  await change(second, { "other-emails": [email] });
  assert.equal((await compared(second)).length, 1);
  await change(second, { occupation: "Baker" });
  await change(first, { email: unique() });
  assert.deepEqual(await compared(second), []);
});

test("200 · a dismissed pair stays dismissed, and only its status can change", async () => {
  const email = unique();
  const first = await create({ "full-name": "Dismissed", "email": email });
  const second = await create({ "full-name": "Dismissed too", "other-emails": [email] });
  const [pair] = await compared(first);
  const path = `/v1/person-duplicates/${pair?.id}`;
  const set = (attributes: Record<string, unknown>) =>
    service.patch(path, document("person-duplicates", attributes, { id: pair?.id ?? "" }));
  assert.equal(one(await set({ status: "dismissed" })).attributes["status"], "dismissed");
  await change(second, { ...phone(3) });
  await change(first, { ...phone(3) });
  const [again] = await compared(first);
  assert.partialDeepStrictEqual(again?.attributes, { status: "dismissed", score: 80 });
  await change(second, { "other-emails": [] });
  assert.equal((await compared(first)).length, 1, "it is kept, so that it is not found again");
  assert.equal((await set({ status: "merged" })).status, 422);
  assert.equal((await set({ score: 100 })).status, 422);
  assert.equal((await service.delete(path)).status, 405);
  assert.equal(
    (await service.post("/v1/person-duplicates", document("person-duplicates", {}))).status,
    405,
  );
  assert.equal(one(await set({ status: "open" })).attributes["status"], "open");
});

test("200 · a pair is removed when one of its people is merged or deleted", async () => {
  const email = unique();
  const first = await create({ "full-name": "Removed", "email": email });
  const second = await create({ "full-name": "Removed too", "other-emails": [email] });
  const third = await create({ "full-name": "Removed as well", "other-emails": [email] });
  assert.equal((await compared(first)).length, 2);
  await merge(service, first, [second]);
  assert.equal((await compared(first)).length, 1);
  await service.delete(`/v1/people/${third}`);
  assert.deepEqual(await compared(first), []);
});

test("200 · a prospect whose e-mail address is taken appears among the duplicates", async () => {
  const email = unique();
  const owner = await create({ "full-name": "Owner", "email": email });
  const leader = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: leader.id, role: "cell-leader" });
  const prospect = await create({ "full-name": "Visitor", "email": email }, leader.token);
  const [pair] = await compared(owner);
  assert.ok(JSON.stringify(pair?.relationships["people"]?.data).includes(prospect));
});

test("200 · a value that more than a hundred people share is not compared", async () => {
  const crowd = await makeAccount(db);
  const { token } = crowd.administrator;
  const shared = "office@duplicates.example";
  const people = Array.from({ length: 100 }, (_, place) => ({ id: newId(), place }));
  await db`
    insert into people (account_id, id, full_name, other_emails)
    select ${crowd.id}, id, 'Crowd ' || place, ${JSON.stringify([shared])}::text::jsonb
    from json_to_recordset(${JSON.stringify(people)}::text::json) as crowd (id uuid, place int)`;
  await db.begin(undefined, async (tx) =>
    compareLater(
      tx,
      crowd.id,
      people.map(({ id }) => id),
    ),
  );
  const [{ id } = { id: "" }] = people;
  const total = async () =>
    (await service.get("/v1/person-duplicates", { as: token })).document.meta?.["total"];
  await compared(id, token);
  assert.equal(await total(), (100 * 99) / 2);
  const last = await create({ "full-name": "Last", "other-emails": [shared] }, token);
  assert.deepEqual(await compared(last, token), []);
});

test("201 · people are written while others are compared", async () => {
  const id = await create({ "full-name": "Compared for a long time" });
  await inTransaction(db, account.id, async (tx) => {
    await findDuplicates(tx, account.id, [id]);
    await create({ "full-name": "Written meanwhile" });
  });
});

test("the queue looks often enough to find a pair within three seconds", () => {
  const queue = queues.find(({ name }) => name === duplicatesQueue.name);
  assert.ok(queue && queue.pollSeconds <= 1);
});
