import assert from "node:assert/strict";
import { test } from "node:test";
import { runGuide, startDemo } from "../support/guides.ts";
import { confirm, logIn, sendMails, tokenIn } from "../support/invitations.ts";
import { startMailServer } from "../support/mail-server.ts";
import { until } from "../support/queues.ts";

test("the commands invite a person by link and by mail, and reset a password", async (context) => {
  const start = await startDemo(context, { sendsMail: true });
  const server = await startMailServer();
  context.after(() => server.stop());
  const printed = await runGuide("let-the-team-in", start);
  assert.match(printed, /"has-login":true/);
  assert.match(printed, /"sent-at":null/);
  assert.match(printed, /"status":"received"/);

  const { service } = start;
  const origin = { headers: { Origin: start.publicUrl } };
  const link = /^http:\S+#token=\S+$/m.exec(printed)?.[0] ?? "";
  assert.equal((await confirm(service, tokenIn(link), "used", origin)).status, 422);
  sendMails(context, service, server);
  await until(async () => (server.received.length === 2 ? true : undefined));
  for (const mail of server.received) {
    const sent = /http:\/\/\S+#\S+/.exec(mail.text ?? "")?.[0] ?? "";
    const set = await confirm(service, tokenIn(sent), "another sentence", origin);
    assert.equal(set.status, 204, `${mail.subject}`);
  }
  for (const name of ["lucas.prado", "sofia.prado"]) {
    const answer = await logIn(service, `${name}@grace.example`, "another sentence", {
      ...origin,
      account: start.alias,
    });
    assert.equal(answer.status, 200, name);
  }
});

test("the commands run on a service that sends no mail, and say so", async (context) => {
  const start = await startDemo(context);
  await runGuide("let-the-team-in", start, { errors: ["unavailable"] });
});
