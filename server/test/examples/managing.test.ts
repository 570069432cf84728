import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { activeEndpoint, makeDelivery, standing, verify } from "../support/endpoints.ts";
import { fenced, webhooksPage } from "../support/messages.ts";
import { startService } from "../support/service.ts";

/** Runs the commands of docs/webhooks/managing.md in a shell. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const [given = "", read = "", ...lines] = fenced(await webhooksPage("managing"), "sh");
const doing = (what: string) => lines.find((line) => line.includes(what)) ?? assert.fail(what);

/** Runs one command after the setup commands, and returns the data of its response. */
async function pasted(line: string, { id, delivery = "" }: { id: string; delivery?: string }) {
  const script = [
    given.replace(/^HERE=.*$/m, `HERE='${service.url}'`).replace("<id>", id),
    read,
    line.replace("<id>", delivery),
  ].join("");
  const { stdout, stderr } = await promisify(execFile)("sh", ["-c", script], {
    env: { PATH: process.env["PATH"], TOKEN: account.administrator.token },
  });
  assert.equal(stderr, "");
  const answers = stdout.split("\n").filter((text) => text !== "");
  for (const answer of answers) assert.ok(!answer.includes(`"errors"`), answer);
  return JSON.parse(answers.at(-1) ?? "").data;
}

test("each documented command has the documented effect", async () => {
  const { id } = await activeEndpoint(service);
  const paused = await pasted(doing(`"status":"paused"`), { id });
  assert.equal(paused.attributes["pause-reason"], "manual");
  const resumed = await pasted(doing(`"status":"active"`), { id });
  assert.equal(resumed.attributes.status, "active");
  const changed = await pasted(doing(`"name":`), { id });
  assert.deepEqual(changed.attributes.events, ["person.created", "person.updated"]);

  const moved = await pasted(doing(`"url":`), { id });
  assert.equal(moved.attributes.status, "pending-verification");
  assert.match(moved.meta.secret, /^whsec_/);
  const asked = await pasted(doing("endpoint-verifications"), { id });
  assert.equal(asked.attributes.kind, "verification");
  await verify(db, account, id);
  const rotated = await pasted(doing("secret-rotations"), { id });
  assert.equal(rotated.attributes["secret-generation"], 3);
  const tested = await pasted(doing("test-deliveries"), { id });
  assert.equal(tested.attributes.kind, "test");

  const failed = { endpointId: id, status: "exhausted" };
  const { id: delivery } = await makeDelivery(db, account.id, failed);
  const replayed = await pasted(doing("webhook-redeliveries"), { id, delivery });
  assert.equal(replayed.type, "webhook-replays");

  const seen = await pasted(doing("webhook-deliveries?"), { id, delivery });
  assert.equal(seen.id, delivery);
  const [newest] = await pasted(doing("/timeline"), { id });
  assert.equal(newest.attributes.change, "secret-rotated");

  await pasted(doing("-X DELETE"), { id });
  assert.equal((await standing(db, account, id)).status, "deleted");
});
