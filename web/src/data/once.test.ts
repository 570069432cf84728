import assert from "node:assert/strict";
import { test } from "node:test";
import { happensOnce } from "./once.ts";

/** Sends writes with fresh keys to a service that answers so, one after the other. Returns the keys that it saw. */
async function keysOf(writes: [method: string, body: string][], answers: (number | "lost")[]) {
  const seen: (string | null)[] = [];
  const statuses: (number | "lost")[] = [];
  const send = happensOnce(async (_, request) => {
    seen.push(new Headers(request?.headers).get("Idempotency-Key"));
    const answer = answers[seen.length - 1] ?? "lost";
    if (answer === "lost") throw new TypeError("Failed to fetch");
    return new Response(answer === 204 ? null : "{}", { status: answer });
  });
  for (const [index, [method, body]] of writes.entries()) {
    const headers = { "Idempotency-Key": `key ${index}` };
    const sent = send("/v1/people", { method, body, headers });
    statuses.push(
      await sent.then(
        ({ status }) => status,
        () => "lost",
      ),
    );
  }
  return { seen, statuses };
}

test("a write keeps its key until an answer arrives that is about it", async () => {
  const write: [string, string] = ["POST", "Ana"];
  const answers = ["lost", 503, 429, 401, 201, 201] as const;
  const { seen } = await keysOf(Array(6).fill(write), [...answers]);
  assert.deepEqual(seen, ["key 0", "key 0", "key 0", "key 0", "key 0", "key 5"]);
});

test("another write has its own key", async () => {
  const { seen } = await keysOf(
    [
      ["POST", "Ana"],
      ["POST", "Rui"],
      ["PATCH", "Ana"],
    ],
    ["lost", "lost", "lost"],
  );
  assert.deepEqual(seen, ["key 0", "key 1", "key 2"]);
});

test("a record that is gone after a lost answer is deleted, and another that is missing is not found", async () => {
  const write: [string, string] = ["DELETE", ""];
  const { statuses } = await keysOf(Array(3).fill(write), ["lost", 404, 404]);
  assert.deepEqual(statuses, ["lost", 204, 404]);
});

test("an answer that ends in its middle is lost", async () => {
  const seen: (string | null)[] = [];
  const send = happensOnce(async (_, request) => {
    seen.push(new Headers(request?.headers).get("Idempotency-Key"));
    const broken = new ReadableStream({ pull: (stream) => stream.error(new TypeError("cut")) });
    return new Response(seen.length === 1 ? broken : "{}", { status: 201 });
  });
  const write = (key: string) =>
    send("/v1/people", { method: "POST", body: "Ana", headers: { "Idempotency-Key": key } });
  await assert.rejects(write("first"));
  await write("second");
  assert.deepEqual(seen, ["first", "first"]);
});
