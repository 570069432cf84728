import assert from "node:assert/strict";
import { test } from "node:test";
import { addEach } from "./add-to-group.ts";

const people = ["Ana", "Bia", "Caio"].map((name) => ({ id: name.toLowerCase(), name }));
const failure = (status: number, code: string) => Object.assign(new Error(code), { status, code });

test("each person is added, was there already, or was refused with the reason", async () => {
  const elsewhere = failure(409, "participant-elsewhere");
  const answers: Record<string, Error> = {
    bia: failure(409, "already-exists"),
    caio: elsewhere,
  };
  const keys: string[] = [];
  const result = await addEach(
    people,
    async ({ id }, key) => {
      keys.push(key);
      if (answers[id]) throw answers[id];
    },
    "press",
  );
  assert.deepEqual(result, {
    added: [people[0]],
    present: [people[1]],
    refused: [{ person: people[2], error: elsewhere }],
  });
  assert.deepEqual(keys, ["press-ana", "press-bia", "press-caio"]);
});

test("a failure that passes ends the attempt, and another one has the same keys", async () => {
  const keys: string[] = [];
  let isBusy = true;
  const add = async ({ id }: { id: string }, key: string) => {
    keys.push(key);
    if (isBusy && id === "bia") throw failure(503, "unavailable");
  };
  await assert.rejects(addEach(people, add, "press"), { code: "unavailable" });
  isBusy = false;
  assert.equal((await addEach(people, add, "press")).added.length, 3);
  assert.deepEqual(keys, ["press-ana", "press-bia", "press-ana", "press-bia", "press-caio"]);
});
