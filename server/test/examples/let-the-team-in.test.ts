import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";
import { freePort } from "../../src/store/embedded.ts";
import { confirm, logIn, sendMails, tokenIn } from "../support/invitations.ts";
import { startMailServer } from "../support/mail-server.ts";
import { fenced } from "../support/messages.ts";
import { until } from "../support/queues.ts";
import { startService } from "../support/service.ts";
import { makeLogin, PASSWORD } from "../support/sign-in.ts";

/** Runs the commands of docs/guides/let-the-team-in.md in a shell. */

test("the commands invite a person by link and by mail, and reset a password", async (context) => {
  const publicUrl = `http://localhost:${await freePort()}`;
  const service = await startService({ publicUrl, origins: [publicUrl], sendsMail: true });
  context.after(() => service.stop());
  const server = await startMailServer();
  context.after(() => server.stop());
  const { account, db } = service;
  const administrator = await makeLogin(db, account, "administrator", {
    administrativeStatus: "full-administrator",
  });

  const guide = new URL("../../../docs/guides/let-the-team-in.md", import.meta.url);
  const [settings = "", ...commands] = fenced(await readFile(guide, "utf8"), "sh");
  const given: Record<string, string> = {
    HERE: publicUrl,
    ACCOUNT: account.alias,
    EMAIL: administrator.email,
    PASSWORD,
  };
  const replaced = settings.replaceAll(/^(\w+)='.*'$/gm, (_, name) => `${name}='${given[name]}'`);
  const { stdout, stderr } = await promisify(execFile)(
    "sh",
    ["-euc", [replaced, ...commands].join("\n")],
    { env: { PATH: process.env["PATH"] } },
  );
  assert.equal(stderr, "");
  assert.ok(!stdout.includes(`"errors"`), stdout);
  assert.match(stdout, /"has-login":true/);
  assert.match(stdout, /"sent-at":null/);
  assert.match(stdout, /"status":"received"/);

  const origin = { headers: { Origin: publicUrl } };
  const link = /^http:\S+#token=\S+$/m.exec(stdout)?.[0] ?? "";
  assert.equal((await confirm(service, tokenIn(link), "used", origin)).status, 422);
  sendMails(context, service, server);
  await until(async () => (server.received.length === 2 ? true : undefined));
  for (const mail of server.received) {
    const sent = /http:\/\/\S+#\S+/.exec(mail.text ?? "")?.[0] ?? "";
    const set = await confirm(service, tokenIn(sent), "another sentence", origin);
    assert.equal(set.status, 204, `${mail.subject}`);
  }
  for (const name of ["lucas.prado", "sofia.prado"]) {
    const answer = await logIn(service, `${name}@grace.example`, "another sentence", origin);
    assert.equal(answer.status, 200, name);
  }
});
