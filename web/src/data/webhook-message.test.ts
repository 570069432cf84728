import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { curlOf } from "./webhook-message.ts";

test("a shell passes the message to curl unchanged", () => {
  const body = JSON.stringify({ name: `D'Arc "Ana" \\ $HOME \`id\`\n!` });
  const command = curlOf(body, [["Webhook-Id", "a'b"]]).replace(/^curl/, "printf '%s\\0'");
  const given = execFileSync("sh", ["-c", command]).toString().split("\0");
  assert.deepEqual(given.slice(0, -1), [
    "-X",
    "POST",
    "http://localhost:8080/",
    "-H",
    "Webhook-Id: a'b",
    "--data-raw",
    body,
  ]);
});
